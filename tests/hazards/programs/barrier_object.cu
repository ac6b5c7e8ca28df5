// Producers and consumers that meet at barrier objects (mbarrier), threads that write while one arrives for them.
//
// check: races
// case full_and_empty: clean
// case nobody_waits: race shared ELECTED_FILL ELECTED_TAKE
// case nobody_waits_for_empty: race shared FILL TAKE
// case elected: clean
// case elected_without_syncwarp: race shared ELECTED_FILL ELECTED_TAKE
// case copies_arrive: clean
// case copies_do_not_arrive: race shared COPY COPIED
// case begun_for_all: clean
// case begun_unseen: race shared read-after-write BEGIN ARRIVE; maybe race shared read-after-write BEGIN
// case begun_for_the_warp: clean
// case begun_unseen_by_the_warp: race shared BEGIN ARRIVE; maybe race shared read-after-write BEGIN
#include <cstring>

__device__ int in[256], out[32];

// Values that differ, so that a write changes what was there.
__global__ void start() {
    for (int i = threadIdx.x; i < sizeof in / sizeof in[0]; i += blockDim.x) in[i] = 3 * i + 1;
}

__device__ __forceinline__ unsigned at(const void* shared) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
__device__ __forceinline__ void init(unsigned long long* barrier, int count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(barrier)), "r"(count) : "memory");
}
__device__ __forceinline__ void arrive(unsigned long long* barrier) {
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at(barrier)) : "memory");
}
__device__ __forceinline__ void wait(unsigned long long* barrier, int parity) {
    int done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(at(barrier)), "r"(parity)
                     : "memory");
}

// One warp fills a buffer in turns, the other empties it.
__global__ void full_and_empty() {
    __shared__ unsigned long long full, empty;
    __shared__ int buffer[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        init(&full, 32);
        init(&empty, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int turn = 0; turn < 8; ++turn) {
            if (turn > 0) wait(&empty, (turn - 1) % 2);
            buffer[lane] = in[turn * 32 + lane];
            arrive(&full);
        }
    } else {
        int sum = 0;
        for (int turn = 0; turn < 8; ++turn) {
            wait(&full, turn % 2);
            sum += buffer[31 - lane];
            arrive(&empty);
        }
        out[lane] = sum;
    }
}

// The producers never wait: after the first turn the consumer may still be at the buffer of the turn before.
__global__ void two_turns_no_empty() {
    __shared__ unsigned long long full[2];
    __shared__ int buffer[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        init(&full[0], 32);
        init(&full[1], 32);
    }
    __syncthreads();
    for (int turn = 0; turn < 2; ++turn) {
        if (threadIdx.x < 32) {
            buffer[lane] = in[turn * 32 + lane];  // @FILL
            arrive(&full[turn]);
        } else {
            wait(&full[turn], 0);
            out[lane] += buffer[31 - lane];  // @TAKE
        }
    }
}

// All lanes write, lane 0 arrives for them.
template <bool kSyncwarp, bool kWait>
__global__ void elected() {
    __shared__ unsigned long long full;
    __shared__ int buffer[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) init(&full, 1);
    __syncthreads();
    if (threadIdx.x < 32) {
        buffer[lane] = in[lane];  // @ELECTED_FILL
        if (kSyncwarp) __syncwarp();
        if (lane == 0) arrive(&full);
    } else {
        if (kWait) wait(&full, 0);
        out[lane] = buffer[31 - lane];  // @ELECTED_TAKE
    }
}

template <bool kCopiesArrive>
__global__ void copies() {
    __shared__ unsigned long long full;
    __shared__ int buffer[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) init(&full, 32);
    __syncthreads();
    if (threadIdx.x < 32) {
        const unsigned to = at(&buffer[lane]);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(&in[lane]) : "memory");  // @COPY
        if (kCopiesArrive)
            asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&full)) : "memory");
        else
            arrive(&full);
    } else {
        wait(&full, 0);
        out[lane] = buffer[31 - lane];  // @COPIED
    }
}

// One thread makes the object, all use it.
enum Meet { kNobody, kWarp, kBlock };
template <Meet kMeet>
__global__ void begun() {
    __shared__ unsigned long long full;
    const unsigned barrier = at(&full);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(blockDim.x) : "memory");  // @BEGIN
    }
    if (kMeet == kWarp) __syncwarp();
    if (kMeet == kBlock) __syncthreads();
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(barrier) : "memory");  // @ARRIVE
    int done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(barrier)
                     : "memory");
}

int main(int, char** argv) {
    if (!strcmp(argv[1], "begun_for_all")) begun<kBlock><<<1, 64>>>();
    if (!strcmp(argv[1], "begun_unseen")) begun<kNobody><<<1, 64>>>();
    if (!strcmp(argv[1], "begun_for_the_warp")) begun<kWarp><<<1, 32>>>();
    if (!strcmp(argv[1], "begun_unseen_by_the_warp")) begun<kNobody><<<1, 32>>>();
    start<<<1, 128>>>();
    if (!strcmp(argv[1], "full_and_empty")) full_and_empty<<<1, 64>>>();
    if (!strcmp(argv[1], "nobody_waits")) elected<true, false><<<1, 64>>>();
    if (!strcmp(argv[1], "nobody_waits_for_empty")) two_turns_no_empty<<<1, 64>>>();
    if (!strcmp(argv[1], "elected")) elected<true, true><<<1, 64>>>();
    if (!strcmp(argv[1], "elected_without_syncwarp")) elected<false, true><<<1, 64>>>();
    if (!strcmp(argv[1], "copies_arrive")) copies<true><<<1, 64>>>();
    if (!strcmp(argv[1], "copies_do_not_arrive")) copies<false><<<1, 64>>>();
    return cudaDeviceSynchronize();
}
