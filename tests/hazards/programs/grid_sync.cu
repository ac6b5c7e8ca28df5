// Two steps of a grid with a barrier of all its blocks between: that of cooperative groups, and one made by hand.
//
// check: races
// case cooperative: clean
// case no_barrier: race global STEP_1 STEP_2
// case barrier_of_the_block: race global STEP_1 STEP_2
// case by_hand: clean
// case by_hand_no_fence: race global STEP_1_HAND STEP_2_HAND
// case two_kernels: clean
#include <cooperative_groups.h>

#include <cstring>

namespace cg = cooperative_groups;
constexpr int kBlocks = 4, kBlock = 32, kAll = kBlocks * kBlock;
__device__ int values[kAll], out[kAll];
__device__ int arrived;
enum Barrier { kGrid, kBlockOnly, kNone };

template <Barrier kBarrier>
__global__ void steps() {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    values[i] = i;  // @STEP_1
    if (kBarrier == kGrid) cg::this_grid().sync();
    if (kBarrier == kBlockOnly) __syncthreads();
    out[i] = values[kAll - 1 - i];  // @STEP_2
}

template <bool kFence>
__global__ void by_hand() {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    values[i] = i;  // @STEP_1_HAND
    __syncthreads();
    if (threadIdx.x == 0) {
        if (kFence) __threadfence();
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < kBlocks) {
        }
        if (kFence) __threadfence();
    }
    __syncthreads();
    out[i] = values[kAll - 1 - i];  // @STEP_2_HAND
}

__global__ void first() { values[blockIdx.x * kBlock + threadIdx.x] = 1; }
__global__ void second() {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    out[i] = values[kAll - 1 - i];
}

template <class Kernel>
void launch(Kernel kernel) {
    cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(kBlocks), dim3(kBlock), nullptr);
}

int main(int, char** argv) {
    if (!strcmp(argv[1], "cooperative")) launch(steps<kGrid>);
    if (!strcmp(argv[1], "no_barrier")) steps<kNone><<<kBlocks, kBlock>>>();
    if (!strcmp(argv[1], "barrier_of_the_block")) steps<kBlockOnly><<<kBlocks, kBlock>>>();
    if (!strcmp(argv[1], "by_hand")) launch(by_hand<true>);
    if (!strcmp(argv[1], "by_hand_no_fence")) launch(by_hand<false>);
    if (!strcmp(argv[1], "two_kernels")) {
        first<<<kBlocks, kBlock>>>();
        second<<<kBlocks, kBlock>>>();
    }
    return cudaDeviceSynchronize();
}
