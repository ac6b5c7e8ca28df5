// Prefix sums of a block: in place with two barriers a step, in two buffers with one, and as a tree.
//
// check: races
// case in_place: clean
// case no_barrier_after_read: race shared write-after-read READ WRITE
// case no_barrier_after_write: race shared read-after-write READ WRITE
// case two_buffers: clean
// case two_buffers_no_barrier: race shared BUFFER BUFFER; maybe race shared BUFFER START
// case tree: clean
// case tree_no_barrier_between: race shared DOWN UP
#include <cstring>

__device__ int in[128], out[128];

// Values that differ, so that a write changes what was there.
__global__ void start() {
    for (int i = threadIdx.x; i < sizeof in / sizeof in[0]; i += blockDim.x) in[i] = 3 * i + 1;
}

template <bool kAfterRead, bool kAfterWrite>
__global__ void in_place() {
    __shared__ int sums[128];
    const int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    for (int offset = 1; offset < 128; offset *= 2) {
        int below = 0;
        if (t >= offset) below = sums[t - offset];  // @READ
        if (kAfterRead) __syncthreads();
        if (t >= offset) sums[t] += below;  // @WRITE
        if (kAfterWrite) __syncthreads();
    }
    out[t] = sums[t];
}

template <bool kBarrier>
__global__ void two_buffers() {
    __shared__ int sums[2][128];
    const int t = threadIdx.x;
    int now = 0;
    sums[0][t] = in[t];  // @START
    __syncthreads();
    for (int offset = 1; offset < 128; offset *= 2, now ^= 1) {
        sums[now ^ 1][t] = sums[now][t] + (t >= offset ? sums[now][t - offset] : 0);  // @BUFFER
        if (kBarrier) __syncthreads();
    }
    out[t] = sums[now][t];
}

__global__ void tree() {
    __shared__ int sums[128];
    const int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    for (int stride = 1; stride < 128; stride *= 2) {
        const int right = 2 * stride * (t + 1) - 1;
        if (right < 128) sums[right] += sums[right - stride];
        __syncthreads();
    }
    if (t == 127) sums[127] = 0;
    __syncthreads();
    for (int stride = 64; stride > 0; stride /= 2) {
        const int right = 2 * stride * (t + 1) - 1;
        if (right < 128) {
            const int left = sums[right - stride];
            sums[right - stride] = sums[right];
            sums[right] += left;
        }
        __syncthreads();
    }
    out[t] = sums[t];
}

// The same tree whose last thread clears while thread 0 may still add, and no barrier follows the clearing.
__global__ void tree_unordered() {
    __shared__ int sums[128];
    const int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    for (int stride = 1; stride < 128; stride *= 2) {
        const int right = 2 * stride * (t + 1) - 1;
        if (stride > 1) __syncthreads();
        if (right < 128) sums[right] += sums[right - stride];  // @UP
    }
    for (int stride = 64; stride > 0; stride /= 2) {
        const int right = 2 * stride * (t + 1) - 1;
        if (stride < 64) __syncthreads();
        if (right < 128 && stride < 64) {
            const int left = sums[right - stride];  // @DOWN
            sums[right - stride] = sums[right];     // @DOWN
            sums[right] += left;                    // @DOWN
        } else if (t == 1 && stride == 64) {
            sums[127] = 0;  // @DOWN
        }
    }
    __syncthreads();
    out[t] = sums[t];
}

int main(int, char** argv) {
    start<<<1, 128>>>();
    if (!strcmp(argv[1], "in_place")) in_place<true, true><<<1, 128>>>();
    if (!strcmp(argv[1], "no_barrier_after_read")) in_place<false, true><<<1, 128>>>();
    if (!strcmp(argv[1], "no_barrier_after_write")) in_place<true, false><<<1, 128>>>();
    if (!strcmp(argv[1], "two_buffers")) two_buffers<true><<<1, 128>>>();
    if (!strcmp(argv[1], "two_buffers_no_barrier")) two_buffers<false><<<1, 128>>>();
    if (!strcmp(argv[1], "tree")) tree<<<1, 128>>>();
    if (!strcmp(argv[1], "tree_no_barrier_between")) tree_unordered<<<1, 128>>>();
    return cudaDeviceSynchronize();
}
