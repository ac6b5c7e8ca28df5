// The last steps of a reduction, which one warp does: with __syncwarp, with shuffles, and trusting in lock-step.
//
// check: races
// case with_syncwarp: clean
// case with_shuffles: clean
// case partials_right: clean
// case lock_step: race shared STEP STEP
// case half_synced: race shared STEP STEP
// case partials_no_barrier: race shared read-after-write PARTIAL GATHER
#include <cstring>

__device__ int in[128], out[1];

// Values that differ, so that a write changes what was there.
__global__ void start() {
    for (int i = threadIdx.x; i < sizeof in / sizeof in[0]; i += blockDim.x) in[i] = 3 * i + 1;
}
enum Way { kBoth, kOne, kNone };

template <Way kWay>
__global__ void tail() {
    __shared__ int sums[64];
    const int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    if (t >= 32) return;
    int own = sums[t];
    for (int half = 32; half > 0; half /= 2) {
        own += sums[t + half];  // @STEP
        if (kWay == kBoth) __syncwarp();
        sums[t] = own;  // @STEP
        if (kWay != kNone) __syncwarp();
    }
    if (t == 0) out[0] = own;
}

__global__ void shuffles() {
    int own = in[threadIdx.x];
    for (int half = 16; half > 0; half /= 2) own += __shfl_down_sync(0xffffffff, own, half);
    if (threadIdx.x == 0) out[0] = own;
}

template <bool kBarrier>
__global__ void partials() {
    __shared__ int of_warp[4];
    int own = in[threadIdx.x];
    for (int half = 16; half > 0; half /= 2) own += __shfl_down_sync(0xffffffff, own, half);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = own;  // @PARTIAL
    if (kBarrier) __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int w = 0; w < 4; ++w) sum += of_warp[w];  // @GATHER
        out[0] = sum;
    }
}

int main(int, char** argv) {
    start<<<1, 128>>>();
    if (!strcmp(argv[1], "with_syncwarp")) tail<kBoth><<<1, 64>>>();
    if (!strcmp(argv[1], "with_shuffles")) shuffles<<<1, 32>>>();
    if (!strcmp(argv[1], "partials_right")) partials<true><<<1, 128>>>();
    if (!strcmp(argv[1], "lock_step")) tail<kNone><<<1, 64>>>();
    if (!strcmp(argv[1], "half_synced")) tail<kOne><<<1, 64>>>();
    if (!strcmp(argv[1], "partials_no_barrier")) partials<false><<<1, 128>>>();
    return cudaDeviceSynchronize();
}
