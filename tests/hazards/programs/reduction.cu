// Sums of a block by a tree in shared memory, with its barriers and without.
//
// check: races
// case right: clean
// case interleaved: clean
// case no_first_barrier: race shared read-after-write FILL ADD
// case no_barrier_in_loop: race shared read-after-write ADD ADD
// case one_warp_right: clean
// case one_warp_no_barrier: race shared read-after-write ADD ADD
// case result_without_barrier: race shared ADD RESULT
#include <cstring>

__device__ int in[256], out[2];

// Values that differ, so that a write changes what was there.
__global__ void start() {
    for (int i = threadIdx.x; i < sizeof in / sizeof in[0]; i += blockDim.x) in[i] = 3 * i + 1;
}

template <bool kFirst, bool kInLoop, bool kAnyone>
__global__ void reduce() {
    __shared__ int sums[128];
    const int t = threadIdx.x;
    sums[t] = in[blockIdx.x * blockDim.x + t];  // @FILL
    if (kFirst) __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) sums[t] += sums[t + half];  // @ADD
        if (kInLoop && (half > 1 || !kAnyone)) __syncthreads();
    }
    if (t == (kAnyone ? blockDim.x - 1 : 0)) out[blockIdx.x] = sums[0];  // @RESULT
}

__global__ void interleaved() {
    __shared__ int sums[128];
    const int t = threadIdx.x;
    sums[t] = in[t];
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        if (t % (2 * stride) == 0) sums[t] += sums[t + stride];
    }
    if (t == 0) out[0] = sums[0];
}

int main(int, char** argv) {
    start<<<1, 128>>>();
    if (!strcmp(argv[1], "right")) reduce<true, true, false><<<2, 128>>>();
    if (!strcmp(argv[1], "interleaved")) interleaved<<<1, 128>>>();
    if (!strcmp(argv[1], "no_first_barrier")) reduce<false, true, false><<<2, 128>>>();
    if (!strcmp(argv[1], "no_barrier_in_loop")) reduce<true, false, false><<<2, 128>>>();
    if (!strcmp(argv[1], "one_warp_right")) reduce<true, true, false><<<2, 32>>>();
    if (!strcmp(argv[1], "one_warp_no_barrier")) reduce<true, false, false><<<2, 32>>>();
    if (!strcmp(argv[1], "result_without_barrier")) reduce<true, true, true><<<2, 128>>>();
    return cudaDeviceSynchronize();
}
