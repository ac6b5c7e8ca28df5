// What atomics hand on: to lanes of their own instruction, past a barrier, at their own place, and to whom they do not.
//
// check: races
// case last_thread: clean
// case last_thread_no_fence: race global DATA SUM
// case counter_set_back: clean
// case counter_set_back_no_fence: race global plain-against-atomic TICKET SET_BACK; race global STORED SUM_OF_BLOCKS
// case near_then_far: race global scope-too-small NEAR FAR
// case near_then_near: clean
// case far_then_far: clean
// case one_warp_votes: clean
// case one_warp: race shared read-after-write OWN NEXT; race global read-after-write OWN_GLOBAL NEXT_GLOBAL
#include <cstring>

__device__ int data[256], out[256];
__device__ unsigned count;
__device__ int cell;

// Each thread for itself: the last one of all sums up, be it of the same warp and instruction.
template <bool kFence>
__global__ void last_thread() {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    data[i] = i + 1;  // @DATA
    if (kFence) __threadfence();
    if (atomicAdd(&count, 1) != all - 1) return;
    __threadfence();
    int sum = 0;
    for (unsigned k = 0; k < all; ++k) sum += data[k];  // @SUM
    out[0] = sum;
}

// The fence of all threads, then a barrier, then one thread's atomic; the last block sets the counter back.
template <bool kFence>
__global__ void set_back() {
    __shared__ bool is_last;
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = i + 1;  // @STORED
    if (kFence) __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(&count, 1) == gridDim.x - 1;  // @TICKET
    __syncthreads();
    if (!is_last) return;
    if (kFence) __threadfence();
    out[threadIdx.x] = data[threadIdx.x] + data[threadIdx.x + blockDim.x];  // @SUM_OF_BLOCKS
    if (threadIdx.x == 0) count = 0;                                        // @SET_BACK
}

// A block's own atomics, a barrier, and then everybody's: the first ones were for that block alone.
template <bool kNear, bool kFar>
__global__ void near_and_far() {
    int* const mine = kFar ? &cell : &data[blockIdx.x];
    if (blockIdx.x == 0) {
        if (kNear)
            atomicAdd_block(mine, 1);  // @NEAR
        else
            atomicAdd(mine, 1);
    }
    __syncthreads();
    if (kFar)
        atomicAdd(mine, 1);  // @FAR
    else
        atomicAdd_block(mine, 1);
}

template <bool kVote>
__global__ void one_warp(unsigned all) {
    __shared__ int tile[30];
    const int t = threadIdx.x, n = blockDim.x;
    tile[t] = 3 * t + 1;                   // @OWN
    data[blockIdx.x * n + t] = 3 * t + 1;  // @OWN_GLOBAL
    const unsigned votes = kVote ? __ballot_sync(all, t != 5) : 1;
    out[blockIdx.x * n + t] = tile[(t + 1) % n] + votes;            // @NEXT
    out[blockIdx.x * n + t] += data[blockIdx.x * n + (t + 1) % n];  // @NEXT_GLOBAL
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    if (is("last_thread")) last_thread<true><<<2, 64>>>();
    if (is("last_thread_no_fence")) last_thread<false><<<2, 64>>>();
    if (is("counter_set_back")) set_back<true><<<2, 64>>>();
    if (is("counter_set_back_no_fence")) set_back<false><<<2, 64>>>();
    if (is("near_then_far")) near_and_far<true, true><<<2, 64>>>();
    if (is("near_then_near")) near_and_far<true, false><<<2, 64>>>();
    if (is("far_then_far")) near_and_far<false, true><<<2, 64>>>();
    if (is("one_warp_votes")) one_warp<true><<<2, 30>>>((1u << 30) - 1);
    if (is("one_warp")) one_warp<false><<<2, 30>>>((1u << 30) - 1);
    return cudaDeviceSynchronize();
}
