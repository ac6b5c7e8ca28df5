// A value that one thread finds and all use, once and in turns; a sort with its barriers and without.
//
// check: races
// case once: clean
// case once_no_barrier: race shared FIND USE
// case in_turns: clean
// case in_turns_one_barrier: race shared FIND USE
// case sort: clean
// case sort_no_barrier: race shared SWAP SWAP; maybe race shared SWAP SWAP mild
// case neighbour_blocks: race global OWN NEXT
// case a_million: race global FLOOD FLOOD
#include <cstring>

__device__ int in[256], out[256];

// Values that differ, so that a write changes what was there.
__global__ void start() {
    for (int i = threadIdx.x; i < sizeof in / sizeof in[0]; i += blockDim.x) in[i] = 3 * i + 1;
}

template <int kTurns, bool kFirst, bool kSecond>
__global__ void broadcast() {
    __shared__ int found;
    const int t = threadIdx.x;
    for (int turn = 0; turn < kTurns; ++turn) {
        if (t == 0) found = in[turn];  // @FIND
        if (kFirst) __syncthreads();
        out[t] += found;  // @USE
        if (kSecond) __syncthreads();
    }
}

template <bool kBarrier>
__global__ void sort() {
    __shared__ int keys[64];
    const int t = threadIdx.x;
    keys[t] = in[t] ^ t * 37;
    __syncthreads();
    for (int size = 2; size <= 64; size *= 2)
        for (int distance = size / 2; distance > 0; distance /= 2) {
            const int other = t ^ distance;
            if (other > t) {
                const int low = keys[t], high = keys[other];  // @SWAP
                const bool swap = (low > high) == ((t & size) == 0);
                keys[t] = swap ? high : low;      // @SWAP
                keys[other] = swap ? low : high;  // @SWAP
            }
            if (kBarrier || distance == 1) __syncthreads();
        }
    out[t] = keys[t];
}

__global__ void neighbour_blocks() {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;                             // @OWN
    if (i + 64 < 256) in[i] = out[i + 64];  // @NEXT
}

__global__ void flood(int turns) {
    for (int turn = 0; turn < turns; ++turn) out[turn % 256] += threadIdx.x;  // @FLOOD
}

int main(int, char** argv) {
    start<<<1, 128>>>();
    if (!strcmp(argv[1], "once")) broadcast<1, true, true><<<1, 64>>>();
    if (!strcmp(argv[1], "once_no_barrier")) broadcast<1, false, true><<<1, 64>>>();
    if (!strcmp(argv[1], "in_turns")) broadcast<8, true, true><<<1, 64>>>();
    if (!strcmp(argv[1], "in_turns_one_barrier")) broadcast<8, true, false><<<1, 64>>>();
    if (!strcmp(argv[1], "sort")) sort<true><<<1, 64>>>();
    if (!strcmp(argv[1], "sort_no_barrier")) sort<false><<<1, 64>>>();
    if (!strcmp(argv[1], "neighbour_blocks")) neighbour_blocks<<<4, 64>>>();
    if (!strcmp(argv[1], "a_million")) flood<<<16, 64>>>(1000);
    return cudaDeviceSynchronize();
}
