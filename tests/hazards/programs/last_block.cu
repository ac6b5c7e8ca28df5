// Each block leaves a part of the sum; the block that comes last adds the parts.
//
// check: races
// case volatile_parts: clean
// case fences_on_both_sides: clean
// case no_fence: race global PART TOTAL
// case no_fence_before_ticket: race global PART TOTAL
// case no_ticket: race global PART TOTAL
#include <cstring>

constexpr int kBlocks = 4;
__device__ int in[kBlocks * 32], out;
__device__ int parts[kBlocks];
__device__ unsigned tickets;

// Values that differ, so that a write changes what was there.
__global__ void start() {
    for (int i = threadIdx.x; i < sizeof in / sizeof in[0]; i += blockDim.x) in[i] = 3 * i + 1;
}
enum Fence { kBoth, kAfter, kNeither };

__device__ int block_sum() {
    int own = in[blockIdx.x * 32 + threadIdx.x];
    for (int half = 16; half > 0; half /= 2) own += __shfl_down_sync(0xffffffff, own, half);
    return own;
}

__global__ void volatile_parts() {
    __shared__ bool is_last;
    volatile int* const shared_parts = parts;
    const int own = block_sum();
    if (threadIdx.x == 0) {
        shared_parts[blockIdx.x] = own;
        __threadfence();
        is_last = atomicInc(&tickets, kBlocks) == kBlocks - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        int sum = 0;
        for (int b = 0; b < kBlocks; ++b) sum += shared_parts[b];
        out = sum;
    }
}

template <Fence kFence, bool kTicket>
__global__ void plain_parts() {
    __shared__ bool is_last;
    const int own = block_sum();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = own;  // @PART
        if (kFence == kBoth) __threadfence();
        if (kTicket)
            is_last = atomicInc(&tickets, kBlocks) == kBlocks - 1;
        else
            is_last = blockIdx.x == kBlocks - 1;
        if (kFence != kNeither) __threadfence();
    }
    __syncthreads();
    if (is_last && threadIdx.x < kBlocks) {
        atomicAdd(&out, parts[threadIdx.x]);  // @TOTAL
    }
}

int main(int, char** argv) {
    start<<<1, 128>>>();
    if (!strcmp(argv[1], "volatile_parts")) volatile_parts<<<kBlocks, 32>>>();
    if (!strcmp(argv[1], "fences_on_both_sides")) plain_parts<kBoth, true><<<kBlocks, 32>>>();
    if (!strcmp(argv[1], "no_fence")) plain_parts<kNeither, true><<<kBlocks, 32>>>();
    if (!strcmp(argv[1], "no_fence_before_ticket")) plain_parts<kAfter, true><<<kBlocks, 32>>>();
    if (!strcmp(argv[1], "no_ticket")) plain_parts<kBoth, false><<<kBlocks, 32>>>();
    return cudaDeviceSynchronize();
}
