// Small programs whose synchronisation reaches a block where it should reach the grid, and the right ones.
//
// check: memory,races,barriers
// case count: clean
// case count_of_a_block: race global scope-too-small COUNT COUNT
// case maximum_of_a_block: race global scope-too-small MAXIMUM MAXIMUM
// case exchange_of_a_block: race global scope-too-small EXCHANGE
// case swap_of_a_block: race global scope-too-small SWAP
// case count_mixed: race global scope-too-small MIXED_NARROW
// case per_block_counters: clean
// case hand_over: clean
// case hand_over_fence_of_a_block: race global GIVE TAKE
// case hand_over_no_fence: race global GIVE TAKE
// case hand_over_reader_without_fence: race global GIVE TAKE
// case hand_over_plain_flag: race global FLAG; maybe race global GIVE TAKE
// case hand_over_exchange_of_a_block: race global FLAG; maybe race global GIVE TAKE
// case within_block: clean
// case within_block_narrow: clean
// case within_block_no_fence: race global GIVE_NEAR TAKE_NEAR
// case lock: clean
// case lock_fence_of_a_block: race global INSIDE INSIDE
// case lock_swap_of_a_block: race global scope-too-small LOCK; maybe race global INSIDE INSIDE
// case lock_free_of_a_block: race global scope-too-small; maybe race global INSIDE INSIDE
// case lock_no_fence: race global INSIDE INSIDE
// case lock_plain_free: race global FREE; maybe race global INSIDE INSIDE
// case lock_of_a_block_per_block: clean
// case reduce: clean
// case reduce_count_of_a_block: race global scope-too-small TICKET TICKET; maybe race global PARTIAL PARTIAL_READ
// case reduce_fence_of_a_block: race global PARTIAL PARTIAL_READ
// case reduce_no_fence: race global PARTIAL PARTIAL_READ
// case steal: clean
// case steal_of_a_block: race global scope-too-small HEAD HEAD
// case steal_unlocked: race global HEAD_PLAIN; maybe race global; maybe race global mild
#include <cstring>

enum Bug { kRight, kNarrowFence, kNoFence, kNoReaderFence, kPlain, kNarrowAtomic, kNarrowFree };
constexpr int kBlocks = 8, kThreads = 64;
__device__ int counter, best, flag, value, results[1024];

template <int kWhat>
__global__ void count() {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (kWhat == 0) atomicAdd(&counter, 1);
    if (kWhat == 1) atomicAdd_block(&counter, 1);                     // @COUNT
    if (kWhat == 2) atomicMax_block(&best, i);                        // @MAXIMUM
    if (kWhat == 3) atomicExch_block(&best, i);                       // @EXCHANGE
    if (kWhat == 4) atomicCAS_block(&best, 0, i + 1);                 // @SWAP
    if (kWhat == 5 && blockIdx.x == 0) atomicAdd(&counter, 1);        // @MIXED_WIDE
    if (kWhat == 5 && blockIdx.x != 0) atomicAdd_block(&counter, 1);  // @MIXED_NARROW
    if (kWhat == 6) atomicAdd_block(&results[blockIdx.x], 1);
}

template <Bug kBug>
__device__ void fence() {
    if (kBug == kNarrowFence)
        __threadfence_block();
    else if (kBug != kNoFence)
        __threadfence();
}

template <Bug kBug>
__global__ void hand_over() {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        value = 42;  // @GIVE
        fence<kBug>();
        if (kBug == kPlain)
            flag = 1;  // @FLAG
        else if (kBug == kNarrowAtomic)
            atomicExch_block(&flag, 1);  // @FLAG
        else
            atomicExch(&flag, 1);
    } else {
        for (int tries = 0; tries < 1000; ++tries) {
            if (atomicAdd(&flag, 0) != 1) continue;  // @FLAG
            if (kBug != kNoReaderFence) fence<kBug>();
            results[blockIdx.x] = value;  // @TAKE
            break;
        }
    }
}

// Two warps of one block, where the block's scope is enough.
template <Bug kBug>
__global__ void within_block() {
    if (threadIdx.x == 0) {
        value = 42;  // @GIVE_NEAR
        fence<kBug>();
        atomicExch_block(&flag, 1);
    } else if (threadIdx.x == 32) {
        while (atomicAdd_block(&flag, 0) != 1) {
        }
        fence<kBug>();
        results[0] = value;  // @TAKE_NEAR
    }
}

__device__ int locks[kBlocks], inside[kBlocks];
template <Bug kBug, bool kPerBlock>
__global__ void locked() {
    if (threadIdx.x % 32 != 0) return;
    int* const lock = &locks[kPerBlock ? blockIdx.x : 0];
    int* const data = &inside[kPerBlock ? blockIdx.x : 0];
    if (kBug == kNarrowAtomic) {
        while (atomicCAS_block(lock, 0, 1) != 0) {  // @LOCK
        }
    } else {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
    }
    fence<kBug>();
    *data += 1;  // @INSIDE
    fence<kBug>();
    if (kBug == kPlain)
        *lock = 0;  // @FREE
    else if (kBug == kNarrowFree || kBug == kNarrowAtomic)
        atomicExch_block(lock, 0);  // @LOCK
    else
        atomicExch(lock, 0);
}

__device__ int partial[kBlocks];
__device__ unsigned ticket;
template <Bug kBug>
__global__ void reduce(const int* in) {
    __shared__ int sums[kThreads];
    __shared__ bool is_last;
    sums[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sums[0];  // @PARTIAL
        fence<kBug>();
        const unsigned before = kBug == kNarrowAtomic ? atomicInc_block(&ticket, gridDim.x)  // @TICKET
                                                      : atomicInc(&ticket, gridDim.x);
        is_last = before == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        fence<kBug>();
        int sum = 0;
        for (int block = 0; block < gridDim.x; ++block) sum += partial[block];  // @PARTIAL_READ
        results[0] = sum;
    }
}

// Each block has a queue of its own; who finds it empty takes from the next one.
struct Queue {
    int head, tail;
    int items[32];
};
__device__ Queue queues[kBlocks];
__global__ void fill() {
    Queue& queue = queues[blockIdx.x];
    if (threadIdx.x < 32) queue.items[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
    if (threadIdx.x == 0) queue.head = 0, queue.tail = blockIdx.x % 2 ? 32 : 4;
}
template <Bug kBug>
__global__ void steal() {
    __shared__ int got;
    for (int from = 0; from < gridDim.x;) {
        Queue& queue = queues[(blockIdx.x + from) % gridDim.x];
        if (threadIdx.x == 0) {
            if (kBug == kPlain)
                got = queue.head++;  // @HEAD_PLAIN
            else if (kBug == kNarrowAtomic)
                got = atomicAdd_block(&queue.head, 1);  // @HEAD
            else
                got = atomicAdd(&queue.head, 1);
        }
        __syncthreads();
        const int at = got;
        __syncthreads();
        if (at >= queue.tail)
            ++from;
        else if (threadIdx.x == 0)
            atomicAdd(&results[queue.items[at] % 1024], 1);
    }
}

int main(int, char** argv) {
    int* in;
    cudaMalloc(&in, kBlocks * kThreads * sizeof(int));
    cudaMemset(in, 1, kBlocks * kThreads * sizeof(int));
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    if (is("count")) count<0><<<kBlocks, kThreads>>>();
    if (is("count_of_a_block")) count<1><<<kBlocks, kThreads>>>();
    if (is("maximum_of_a_block")) count<2><<<kBlocks, kThreads>>>();
    if (is("exchange_of_a_block")) count<3><<<kBlocks, kThreads>>>();
    if (is("swap_of_a_block")) count<4><<<kBlocks, kThreads>>>();
    if (is("count_mixed")) count<5><<<kBlocks, kThreads>>>();
    if (is("per_block_counters")) count<6><<<kBlocks, kThreads>>>();
    if (is("hand_over")) hand_over<kRight><<<2, 32>>>();
    if (is("hand_over_fence_of_a_block")) hand_over<kNarrowFence><<<2, 32>>>();
    if (is("hand_over_no_fence")) hand_over<kNoFence><<<2, 32>>>();
    if (is("hand_over_reader_without_fence")) hand_over<kNoReaderFence><<<2, 32>>>();
    if (is("hand_over_plain_flag")) hand_over<kPlain><<<2, 32>>>();
    if (is("hand_over_exchange_of_a_block")) hand_over<kNarrowAtomic><<<2, 32>>>();
    if (is("within_block")) within_block<kRight><<<1, 64>>>();
    if (is("within_block_narrow")) within_block<kNarrowFence><<<1, 64>>>();
    if (is("within_block_no_fence")) within_block<kNoFence><<<1, 64>>>();
    if (is("lock")) locked<kRight, false><<<kBlocks, kThreads>>>();
    if (is("lock_fence_of_a_block")) locked<kNarrowFence, false><<<kBlocks, kThreads>>>();
    if (is("lock_swap_of_a_block")) locked<kNarrowAtomic, false><<<kBlocks, kThreads>>>();
    if (is("lock_free_of_a_block")) locked<kNarrowFree, false><<<kBlocks, kThreads>>>();
    if (is("lock_no_fence")) locked<kNoFence, false><<<kBlocks, kThreads>>>();
    if (is("lock_plain_free")) locked<kPlain, false><<<kBlocks, kThreads>>>();
    if (is("lock_of_a_block_per_block")) locked<kNarrowAtomic, true><<<kBlocks, kThreads>>>();
    if (is("reduce")) reduce<kRight><<<kBlocks, kThreads>>>(in);
    if (is("reduce_count_of_a_block")) reduce<kNarrowAtomic><<<kBlocks, kThreads>>>(in);
    if (is("reduce_fence_of_a_block")) reduce<kNarrowFence><<<kBlocks, kThreads>>>(in);
    if (is("reduce_no_fence")) reduce<kNoFence><<<kBlocks, kThreads>>>(in);
    if (!strncmp(argv[1], "steal", 5)) fill<<<kBlocks, kThreads>>>();
    if (is("steal")) steal<kRight><<<kBlocks, kThreads>>>();
    if (is("steal_of_a_block")) steal<kNarrowAtomic><<<kBlocks, kThreads>>>();
    if (is("steal_unlocked")) steal<kPlain><<<kBlocks, kThreads>>>();
    const int result = cudaDeviceSynchronize();
    cudaFree(in);
    return result;
}
