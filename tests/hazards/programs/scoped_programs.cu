// Programs of several blocks that share rows, rules and colours through flags, volatile words and counters.
//
// check: memory,races,barriers,init
// case convolution: clean
// case convolution_fence_of_a_block: race global HALO HALO_READ
// case convolution_no_fence: race global HALO HALO_READ
// case rule: clean
// case rule_fence_of_a_block: race global CELL CELL_READ
// case rule_count_of_a_block: race global scope-too-small ARRIVE; maybe race global CELL CELL_READ; maybe race global
// case rule_no_barrier: race global CELL CELL_READ; maybe race global
// case colouring: clean
// case colouring_plain: race global COLOUR; maybe race global
// case product: clean
// case product_sum_of_a_block: race global scope-too-small SUM SUM
// case product_sum_plain: race global SUM_PLAIN SUM_PLAIN
// case volatile_pair: clean
// case volatile_pair_no_fence: race global DATA DATA_READ
// case volatile_pair_not_volatile: race global RAISE; maybe race global DATA DATA_READ
#include <cstring>

enum Bug { kRight, kNarrowFence, kNoFence, kNarrowCount, kPlain, kNoBarrier };
constexpr int kBlocks = 6, kThreads = 64, kCells = kBlocks * kThreads;
__device__ int cells[2][kCells + 2], halo[kBlocks + 1], ready[kBlocks + 1], arrived, sums[4], colour[kCells],
    out[kCells];
__device__ volatile int raised;
__device__ int raised_plain, data;

template <Bug kBug>
__device__ void fence() {
    if (kBug == kNarrowFence)
        __threadfence_block();
    else if (kBug != kNoFence)
        __threadfence();
}

// A block works out its last element twice as large for the next block, which waits for it.
template <Bug kBug>
__global__ void convolution(const int* in) {
    __shared__ int left;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == blockDim.x - 1) {
        halo[blockIdx.x] = 2 * in[i];  // @HALO
        fence<kBug>();
        atomicExch(&ready[blockIdx.x], 1);
    }
    if (threadIdx.x == 0) {
        left = 0;
        if (blockIdx.x > 0) {
            while (atomicAdd(&ready[blockIdx.x - 1], 0) == 0) {
            }
            fence<kBug>();
            left = halo[blockIdx.x - 1];  // @HALO_READ
        }
    }
    __syncthreads();
    out[i] = in[i] + (threadIdx.x == 0 ? left : in[i - 1]);
}

template <Bug kBug>
__device__ void meet(int round) {
    __syncthreads();
    if (threadIdx.x == 0) {
        fence<kBug>();
        if (kBug == kNarrowCount)
            atomicAdd_block(&arrived, 1);  // @ARRIVE
        else
            atomicAdd(&arrived, 1);
        for (int tries = 0; tries < 1000 || kBug != kNarrowCount; ++tries)
            if (atomicAdd(&arrived, 0) >= (round + 1) * static_cast<int>(gridDim.x)) break;  // @ARRIVE
        fence<kBug>();
    }
    __syncthreads();
}

// Rule 110 on a ring, two arrays in turns, a barrier of the grid between the rounds.
template <Bug kBug>
__global__ void rule() {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < 4; ++round) {
        const int* const from = cells[round % 2];
        int* const to = cells[1 - round % 2];
        const int pattern = from[(i + kCells - 1) % kCells] * 4 + from[i] * 2 + from[(i + 1) % kCells];  // @CELL_READ
        to[i] = 110 >> pattern & 1;                                                                      // @CELL
        if (kBug != kNoBarrier) meet<kBug>(round);
    }
}

// A vertex of a ring takes a colour that its neighbours do not have, as long as one has its own.
template <Bug kBug>
__global__ void colouring() {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, left = (i + kCells - 1) % kCells, right = (i + 1) % kCells;
    for (int round = 0; round < 3; ++round) {
        if (kBug == kPlain) {
            const int one = colour[left], other = colour[right];                      // @COLOUR
            if (colour[i] == one || colour[i] == other) colour[i] = one + 1 + i % 3;  // @COLOUR
        } else {
            const int one = atomicAdd(&colour[left], 0), other = atomicAdd(&colour[right], 0);
            const int mine = atomicAdd(&colour[i], 0);
            if (mine == one || mine == other) atomicExch(&colour[i], one + 1 + i % 3);
        }
    }
}

// Each block adds its part of a row times a column.
template <Bug kBug>
__global__ void product(const int* in) {
    __shared__ int part;
    if (threadIdx.x == 0) part = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd_block(&part, in[i] * in[kCells - 1 - i]);
    __syncthreads();
    if (threadIdx.x != 0) return;
    if (kBug == kNarrowCount)
        atomicAdd_block(&sums[0], part);  // @SUM
    else if (kBug == kPlain)
        sums[0] += part;  // @SUM_PLAIN
    else
        atomicAdd(&sums[0], part);
}

template <Bug kBug>
__global__ void volatile_pair() {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        data = 7;  // @DATA
        fence<kBug>();
        if (kBug == kPlain)
            raised_plain = 1;  // @RAISE
        else
            raised = 1;
    } else {
        for (int tries = 0; tries < 1000; ++tries) {
            if ((kBug == kPlain ? raised_plain : raised) == 0) continue;  // @RAISE
            fence<kBug>();
            out[0] = data;  // @DATA_READ
            break;
        }
    }
}

__global__ void start(int* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    in[i] = i % 7 + 1;
    cells[0][i] = i % 3 == 0;
}

int main(int, char** argv) {
    int* in;
    cudaMalloc(&in, kCells * sizeof(int));
    start<<<kBlocks, kThreads>>>(in);
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    if (is("convolution")) convolution<kRight><<<kBlocks, kThreads>>>(in);
    if (is("convolution_fence_of_a_block")) convolution<kNarrowFence><<<kBlocks, kThreads>>>(in);
    if (is("convolution_no_fence")) convolution<kNoFence><<<kBlocks, kThreads>>>(in);
    if (is("rule")) rule<kRight><<<kBlocks, kThreads>>>();
    if (is("rule_fence_of_a_block")) rule<kNarrowFence><<<kBlocks, kThreads>>>();
    if (is("rule_count_of_a_block")) rule<kNarrowCount><<<kBlocks, kThreads>>>();
    if (is("rule_no_barrier")) rule<kNoBarrier><<<kBlocks, kThreads>>>();
    if (is("colouring")) colouring<kRight><<<kBlocks, kThreads>>>();
    if (is("colouring_plain")) colouring<kPlain><<<kBlocks, kThreads>>>();
    if (is("product")) product<kRight><<<kBlocks, kThreads>>>(in);
    if (is("product_sum_of_a_block")) product<kNarrowCount><<<kBlocks, kThreads>>>(in);
    if (is("product_sum_plain")) product<kPlain><<<kBlocks, kThreads>>>(in);
    if (is("volatile_pair")) volatile_pair<kRight><<<2, 32>>>();
    if (is("volatile_pair_no_fence")) volatile_pair<kNoFence><<<2, 32>>>();
    if (is("volatile_pair_not_volatile")) volatile_pair<kPlain><<<2, 32>>>();
    const int result = cudaDeviceSynchronize();
    cudaFree(in);
    return result;
}
