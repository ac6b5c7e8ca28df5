// Plain reads whose value only decides what to do next: ways of published code, each beside a broken twin.
//
// check: races,barriers
// case swap_loop: clean
// case swap_loop_float: clean
// case swap_loop_stops_early: race global plain-against-atomic EARLY EARLY_SWAP mild
// case swap_loop_keeps_guess: race global plain-against-atomic KEPT KEPT_SWAP
// case swap_elsewhere: race global plain-against-atomic ELSEWHERE STEP
// case guarded_minimum: race global plain-against-atomic GUARD MINIMUM mild
// case guarded_store: race global GUARD_PLAIN PLAIN; maybe race global PLAIN PLAIN; maybe race global mild
// case levels: maybe race global LEVEL LEVEL mild; race global CHANGED CHANGED mild; race global LEVEL LEVEL_READ mild
// case levels_count: race global CLAIM CLAIM_READ; maybe race global CLAIM CLAIM mild
//
// case found_returns: race global plain-against-atomic FOUND SET mild
// case found_breaks: race global plain-against-atomic SET_LOOP mild
// case found_skips_barrier: race global plain-against-atomic FOUND_BARRIER SET_BARRIER
// case flag_and_data: race global FLAG; maybe race global DATA DATA_READ
// case flag_and_data_late: race global FLAG; maybe race global DATA DATA_READ
// case spin_and_data: race global SPIN SPIN_FLAG; maybe race global SPIN_DATA SPIN_READ
// case value_is_used: race global plain-against-atomic USED UPDATE
// case flag_in_shared: race shared LOWERED
#include <cstring>

constexpr int kBlocks = 4, kBlock = 64, kAll = kBlocks * kBlock;
__device__ unsigned long long total;
__device__ int top, dist[64], count, hit, flag, data, out[kAll], levels[64], changed, step, log_of[kAll];
__device__ float sum;

__global__ void start() {
    for (int i = threadIdx.x; i < 64; i += blockDim.x) dist[i] = 1 << 20, levels[i] = -1;
}

// The programming guide's way to add doubles.
__global__ void swap_loop() {
    unsigned long long old = total, guess;
    do {
        guess = old;
        old = atomicCAS(&total, guess, __double_as_longlong(1.0 + __longlong_as_double(guess)));
    } while (guess != old);
}
__global__ void swap_loop_float() {
    int* const at = reinterpret_cast<int*>(&sum);
    int old = *at, guess;
    do {
        guess = old;
        old = atomicCAS(at, guess, __float_as_int(fmaxf(threadIdx.x * 0.5f, __int_as_float(guess))));
    } while (guess != old);
}
__global__ void swap_loop_stops_early(int scale) {
    const int own = (blockIdx.x * kBlock + threadIdx.x) * scale;
    int seen = top;  // @EARLY
    while (own > seen) {
        const int found = atomicCAS(&top, seen, own);  // @EARLY_SWAP
        if (found == seen) break;
        seen = found;
    }
}
__global__ void swap_loop_keeps_guess() {
    int old = top, guess;  // @KEPT
    log_of[blockIdx.x * kBlock + threadIdx.x] = old;
    do {
        guess = old;
        old = atomicCAS(&top, guess, guess + 1);  // @KEPT_SWAP
    } while (guess != old);
}
// The swap looks at another word than the guess came from.
__global__ void swap_elsewhere() {
    const int guess = step;  // @ELSEWHERE
    atomicCAS(&top, guess, guess + 1);
    atomicAdd(&step, 1);  // @STEP
}

__global__ void guarded_minimum() {
    const int i = blockIdx.x * kBlock + threadIdx.x, d = i * 37 % 101;
    if (d < dist[i % 50])             // @GUARD
        atomicMin(&dist[i % 50], d);  // @MINIMUM
}
__global__ void guarded_store() {
    const int i = blockIdx.x * kBlock + threadIdx.x, d = i * 37 % 101;
    if (d < dist[i % 50])  // @GUARD_PLAIN
        dist[i % 50] = d;  // @PLAIN
}

__global__ void find_levels(int now) {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (levels[i % 50] == -1) {  // @LEVEL_READ
        levels[i % 50] = now;    // @LEVEL
        changed = 1;             // @CHANGED
    }
}
// A vertex that two threads find new counts twice.
__global__ void count_levels(int now) {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (levels[i % 50] == -1) {  // @CLAIM_READ
        levels[i % 50] = now;    // @CLAIM
        atomicAdd(&count, 1);
    }
}

__global__ void found_returns(int wanted) {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (hit) return;                                // @FOUND
    if (i * 7 % 50 == wanted) atomicExch(&hit, 1);  // @SET
}
__global__ void found_breaks(int n) {
    for (int i = threadIdx.x; i < n; i += kBlock) {
        if (hit) break;                             // @FOUND_LOOP
        if (i * 7 % 50 == 13) atomicExch(&hit, 1);  // @SET_LOOP
    }
}
__global__ void found_skips_barrier(int wanted) {
    __shared__ int tile[kBlock];
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (hit) return;  // @FOUND_BARRIER
    tile[threadIdx.x] = i;
    __syncthreads();
    out[i] = tile[kBlock - 1 - threadIdx.x];
    if (blockIdx.x == kBlocks - 1 && i % 50 == wanted) atomicExch(&hit, 1);  // @SET_BARRIER
}

// The reader's block runs behind the writer's, or before it: the text decides.
template <int kWriter>
__global__ void flag_and_data() {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == kWriter) {
        data = 42;  // @DATA
        flag = 1;   // @FLAG
    } else if (blockIdx.x == 1 - kWriter) {
        if (flag == 1)      // @FLAG_READ
            out[0] = data;  // @DATA_READ
    }
}
__global__ void spin_and_data() {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        data = 42;             // @SPIN_DATA
        atomicExch(&flag, 1);  // @SPIN_FLAG
    } else if (blockIdx.x == 1) {
        int tries = 0;
        while (flag == 0 && tries < 1000) {  // @SPIN
            atomicAdd(&count, 1);
            ++tries;
        }
        out[0] = data;  // @SPIN_READ
    }
}
__global__ void value_is_used() {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (top < 1000) out[i] = top;  // @USED
    atomicAdd(&top, 1);            // @UPDATE
}
// Within a block a barrier is what is missing.
__global__ void flag_in_shared() {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (threadIdx.x == 40) found = 1;      // @RAISED
    if (found == 0) out[threadIdx.x] = 1;  // @LOWERED
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    start<<<1, 64>>>();
    if (is("swap_loop")) swap_loop<<<kBlocks, kBlock>>>();
    if (is("swap_loop_float")) swap_loop_float<<<kBlocks, kBlock>>>();
    if (is("swap_loop_stops_early")) swap_loop_stops_early<<<kBlocks, kBlock>>>(1);
    if (is("swap_loop_keeps_guess")) swap_loop_keeps_guess<<<kBlocks, kBlock>>>();
    if (is("swap_elsewhere")) swap_elsewhere<<<kBlocks, kBlock>>>();
    if (is("guarded_minimum")) guarded_minimum<<<kBlocks, kBlock>>>();
    if (is("guarded_store")) guarded_store<<<kBlocks, kBlock>>>();
    if (is("levels")) find_levels<<<kBlocks, kBlock>>>(1);
    if (is("levels_count")) count_levels<<<kBlocks, kBlock>>>(1);
    if (is("found_returns")) found_returns<<<kBlocks, kBlock>>>(13);
    if (is("found_breaks")) found_breaks<<<kBlocks, kBlock>>>(kAll);
    if (is("found_skips_barrier")) found_skips_barrier<<<kBlocks, kBlock>>>(13);
    if (is("flag_and_data")) flag_and_data<0><<<2, kBlock>>>();
    if (is("flag_and_data_late")) flag_and_data<1><<<2, kBlock>>>();
    if (is("spin_and_data")) spin_and_data<<<2, kBlock>>>();
    if (is("value_is_used")) value_is_used<<<kBlocks, kBlock>>>();
    if (is("flag_in_shared")) flag_in_shared<<<1, kBlock>>>();
    return cudaDeviceSynchronize();
}
