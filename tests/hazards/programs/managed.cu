// Memory that host and kernels share, with the host waiting and not waiting.
//
// check: streams
// case host_waits: clean
// case host_does_not_wait: stream-race KERNEL HOST
// case pinned_host_does_not_wait: stream-race KERNEL HOST
// case pinned_host_waits: clean
// case two_streams_one_array: stream-race ON_A ON_B
// case set_by_call: clean
#include <cstdio>
#include <cstring>

__global__ void add(int* values) { values[threadIdx.x] += 1; }

void use(int* values, bool waits) {
    values[0] = 1;
    add<<<1, 32>>>(values);  // @KERNEL
    if (waits) cudaDeviceSynchronize();
    printf("%d\n", values[0]);  // @HOST
    cudaDeviceSynchronize();
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    int *managed = nullptr, *pinned = nullptr;
    cudaMallocManaged(&managed, 4096);
    cudaMallocHost(&pinned, 4096);
    memset(managed, 0, 4096);
    memset(pinned, 0, 4096);
    if (is("host_waits")) use(managed, true);
    if (is("host_does_not_wait")) use(managed, false);
    if (is("pinned_host_waits")) use(pinned, true);
    if (is("pinned_host_does_not_wait")) use(pinned, false);
    if (is("two_streams_one_array")) {
        cudaStream_t a, b;
        cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
        add<<<1, 32, 0, a>>>(managed);  // @ON_A
        add<<<1, 32, 0, b>>>(managed);  // @ON_B
        cudaDeviceSynchronize();
        cudaStreamDestroy(a);
        cudaStreamDestroy(b);
    }
    if (is("set_by_call")) {
        cudaMemset(managed, 0, 128);
        add<<<1, 32>>>(managed);
        cudaDeviceSynchronize();
    }
    cudaFree(managed);
    cudaFreeHost(pinned);
}
