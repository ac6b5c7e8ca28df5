// A stencil with its halo in shared memory, and one that steps through global memory.
//
// check: races
// case right: clean
// case no_barrier: race shared LOAD SUM; race shared HALO SUM
// case no_barrier_before_halo_use: race shared LATE_HALO SUM
// case steps_right: clean
// case steps_in_place: race shared SUM_STEP STEP
// case out_of_place: clean
// case in_place: race global IN_PLACE IN_PLACE
#include <cstring>

constexpr int kBlock = 64, kBlocks = 4, kAll = kBlock * kBlocks;
__device__ float in[kAll + 2], out[kAll + 2];

// Values that differ, so that a write changes what was there.
__global__ void start() {
    for (int i = threadIdx.x; i < sizeof in / sizeof in[0]; i += blockDim.x) in[i] = 3 * i + 1;
}
enum Barrier { kRight, kNone, kEarly };

template <Barrier kBarrier>
__global__ void halo() {
    __shared__ float tile[kBlock + 2];
    const int t = threadIdx.x, i = blockIdx.x * kBlock + t + 1;
    tile[t + 1] = in[i];                                                  // @LOAD
    if (t == kBlock - 1) tile[0] = in[i - kBlock];                        // @HALO
    if (t == 0 && kBarrier != kEarly) tile[kBlock + 1] = in[i + kBlock];  // @HALO
    if (kBarrier != kNone) __syncthreads();
    if (t == 0 && kBarrier == kEarly) tile[kBlock + 1] = in[i + kBlock];  // @LATE_HALO
    out[i] = tile[t] + tile[t + 1] + tile[t + 2];                         // @SUM
}

template <bool kTwoBuffers>
__global__ void steps() {
    __shared__ float now[kBlock + 2], next[kBlock + 2];
    const int t = threadIdx.x;
    now[t + 1] = in[t + 1];
    if (t == 0) now[0] = now[kBlock + 1] = next[0] = next[kBlock + 1] = 0;
    __syncthreads();
    float *from = now, *to = kTwoBuffers ? next : now;
    for (int step = 0; step < 4; ++step) {
        const float sum = from[t] + from[t + 1] + from[t + 2];  // @SUM_STEP
        to[t + 1] = sum;                                        // @STEP
        __syncthreads();
        float* const last = from;
        from = to;
        to = last;
    }
    out[t + 1] = from[t + 1];
}

__global__ void out_of_place() {
    const int i = blockIdx.x * kBlock + threadIdx.x + 1;
    out[i] = in[i - 1] + in[i] + in[i + 1];
}

__global__ void in_place() {
    const int i = blockIdx.x * kBlock + threadIdx.x + 1;
    in[i] = in[i - 1] + in[i] + in[i + 1];  // @IN_PLACE
}

int main(int, char** argv) {
    start<<<1, 128>>>();
    if (!strcmp(argv[1], "right")) halo<kRight><<<kBlocks, kBlock>>>();
    if (!strcmp(argv[1], "no_barrier")) halo<kNone><<<kBlocks, kBlock>>>();
    if (!strcmp(argv[1], "no_barrier_before_halo_use")) halo<kEarly><<<kBlocks, kBlock>>>();
    if (!strcmp(argv[1], "steps_right")) steps<true><<<1, kBlock>>>();
    if (!strcmp(argv[1], "steps_in_place")) steps<false><<<1, kBlock>>>();
    if (!strcmp(argv[1], "out_of_place")) out_of_place<<<kBlocks, kBlock>>>();
    if (!strcmp(argv[1], "in_place")) in_place<<<kBlocks, kBlock>>>();
    return cudaDeviceSynchronize();
}
