// Waits that never end, by the program's argument: for what nobody writes ("nobody"), of blocks that do not all fit on
// the device ("all"), at a barrier of the grid that a block leaves out ("barrier"), and at one of a launch that is not
// cooperative ("ordinary"), which ends the kernel at once.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstring>

__device__ volatile int signal;
__device__ unsigned arrived;

__global__ void wait_in_vain(int* out) {
    if (threadIdx.x == 0)
        while (signal == 0) {
        }
    __syncthreads();
    out[blockIdx.x] = 1;
}

__global__ void meet_all(int* out) {
    if (threadIdx.x == 0) {
        atomicAdd(&arrived, 1u);
        while (atomicAdd(&arrived, 0u) < gridDim.x) {
        }
    }
    __syncthreads();
    out[blockIdx.x] = 1;
}

__global__ void leave_out(int absent, int* out) {
    if (blockIdx.x == absent) return;
    cooperative_groups::this_grid().sync();
    out[blockIdx.x] = 1;
}

int main(int argc, char** argv) {
    const char* const what = argc > 1 ? argv[1] : "nobody";
    int* out;
    cudaMalloc(&out, 5000 * sizeof(int));
    int absent = 3;
    void* arguments[] = {&absent, &out};
    if (std::strcmp(what, "nobody") == 0) wait_in_vain<<<2, 64>>>(out);
    if (std::strcmp(what, "all") == 0) meet_all<<<5000, 256>>>(out);
    if (std::strcmp(what, "barrier") == 0)
        cudaLaunchCooperativeKernel(reinterpret_cast<void*>(leave_out), dim3(8), dim3(64), arguments, 0, nullptr);
    if (std::strcmp(what, "ordinary") == 0) leave_out<<<8, 64>>>(absent, out);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
