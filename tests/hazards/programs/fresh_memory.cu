// What --fill puts where nobody has written: device memory, the heap of kernels and shared memory, and no other. A case
// that finds something else ends the program with a status of its own.
//
// check: memory
// run: --fill 0x7f
// case device_memory: clean
// case shared_memory: clean
// case heap_of_kernels: clean
// case host_memory: clean
// case variables: clean
#include <cstdlib>
#include <cstring>

__device__ int zero;

__global__ void shared(int* result) {
    __shared__ volatile int fresh[32];
    result[threadIdx.x] = fresh[threadIdx.x];
}
__global__ void heap(int* result) {
    volatile int* const own = static_cast<int*>(malloc(64));
    result[0] = own[3];
    free(const_cast<int*>(own));
}
__global__ void variable(int* result) { result[0] = zero; }

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    int *device = nullptr, *managed = nullptr, *pinned = nullptr, found = 0;
    cudaMalloc(&device, 4096);
    cudaMallocManaged(&managed, 4096);
    cudaMallocHost(&pinned, 4096);
    if (is("shared_memory")) shared<<<1, 32>>>(device);
    if (is("heap_of_kernels")) heap<<<1, 1>>>(device);
    if (is("variables")) variable<<<1, 1>>>(device);
    cudaMemcpy(&found, device, sizeof found, cudaMemcpyDeviceToHost);
    const bool is_zero = is("variables");
    if (found != (is_zero ? 0 : 0x7f7f7f7f)) exit(1);
    if (is("host_memory") && (managed[5] != 0 || pinned[5] != 0)) exit(1);
    if (!is("device_memory")) cudaMemset(device, 0, 4096);
    cudaFree(device);
    cudaFree(managed);
    cudaFreeHost(pinned);
    return 0;
}
