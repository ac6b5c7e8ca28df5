// Barriers under a condition: the same for all threads of the block, or not.
//
// check: barriers
// case multiple_of_the_block: clean
// case no_multiple_of_the_block: divergent-barrier BARRIER
// case guarded_accesses: clean
// case early_return: divergent-barrier AFTER_RETURN
// case uniform_condition: clean
// case one_side_of_a_branch: divergent-barrier SIDE
// case both_sides_of_a_branch: divergent-barrier SIDE
// case turns_that_differ: divergent-barrier IN_LOOP
// case whole_warps_by_name: clean
#include <cstring>

__device__ int in[256], out[256];

__global__ void copy(int n) {
    __shared__ int tile[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        tile[threadIdx.x] = in[i];
        __syncthreads();  // @BARRIER
        out[i] = tile[threadIdx.x];
    }
}

__global__ void guarded(int n) {
    __shared__ int tile[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) tile[threadIdx.x] = in[i];
    __syncthreads();
    if (i < n) out[i] = tile[threadIdx.x];
}

__global__ void early_return(int n) {
    __shared__ int tile[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    tile[threadIdx.x] = in[i];
    __syncthreads();  // @AFTER_RETURN
    out[i] = tile[threadIdx.x];
}

__global__ void uniform(int n) {
    if (blockIdx.x * blockDim.x < n) __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

template <bool kBoth>
__global__ void sides() {
    __shared__ int tile[64];
    const int t = threadIdx.x;
    if (t % 2 == 0) {
        tile[t] = in[t];
        __syncthreads();  // @SIDE
        out[t] = tile[t];
    } else if (kBoth) {
        tile[t] = in[t] + 1;
        __syncthreads();  // @SIDE
        out[t] = tile[t - 1];
    }
}

__global__ void turns_that_differ() {
    __shared__ int tile[64];
    const int t = threadIdx.x;
    for (int turn = 0; turn < 1 + t / 32; ++turn) {
        tile[t] = in[t] + turn;
        __syncthreads();  // @IN_LOOP
        out[t] = tile[63 - t];
    }
}

__global__ void whole_warps() {
    __shared__ int tile[64];
    const int t = threadIdx.x;
    if (t < 64) {
        tile[t] = in[t];
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t] = tile[63 - t];
    }
}

int main(int, char** argv) {
    if (!strcmp(argv[1], "multiple_of_the_block")) copy<<<4, 64>>>(256);
    if (!strcmp(argv[1], "no_multiple_of_the_block")) copy<<<4, 64>>>(200);
    if (!strcmp(argv[1], "guarded_accesses")) guarded<<<4, 64>>>(200);
    if (!strcmp(argv[1], "early_return")) early_return<<<4, 64>>>(200);
    if (!strcmp(argv[1], "uniform_condition")) uniform<<<4, 64>>>(130);
    if (!strcmp(argv[1], "one_side_of_a_branch")) sides<false><<<1, 64>>>();
    if (!strcmp(argv[1], "both_sides_of_a_branch")) sides<true><<<1, 64>>>();
    if (!strcmp(argv[1], "turns_that_differ")) turns_that_differ<<<1, 64>>>();
    if (!strcmp(argv[1], "whole_warps_by_name")) whole_warps<<<1, 128>>>();
    return cudaDeviceSynchronize();
}
