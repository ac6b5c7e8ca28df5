// Shared and local memory of which a part is read before anybody wrote it.
//
// check: init
// case last_tile_filled: clean
// case last_tile_short: uninitialized shared TILE_SUM TILE_BRANCH; uninitialized global TILE_STORE COPY_OUT
// case tail_is_zero: clean
// case tail_is_left: uninitialized global TAIL_STORE COPY_OUT
// case buffers_in_turn: clean
// case first_buffer_empty: uninitialized shared FIRST_READ
// case dynamic_written: clean
// case dynamic_too_long: uninitialized shared DYNAMIC_READ
// case block_before_wrote_it: uninitialized shared LATER_BLOCK
// case copied_asynchronously: clean
// case copied_from_nothing: uninitialized global ASYNC_USE
// case accumulators_zeroed: clean
// case accumulators_left: uninitialized local ACCUMULATE ACCUMULATED_USE
// case stack_of_a_function: clean
// case stack_of_an_earlier_call: uninitialized local CALLED_READ
// case swapped_halves: clean
#include <cstdio>
#include <cstring>

__device__ int out[256];

// A tile that the data ends in; the sum runs over all of it.
template <bool kFills>
__global__ void tile_sum(const float* data, float* sums, int count) {
    __shared__ float tile[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (i < count)
        tile[t] = data[i];
    else if (kFills)
        tile[t] = 0;
    __syncthreads();
    if (t != 0) return;
    float sum = 0;
    for (int k = 0; k < 64; ++k) sum += tile[k];  // @TILE_SUM
    if (sum > 1e9f) out[0] = 1;                   // @TILE_BRANCH
    sums[blockIdx.x] = sum;                       // @TILE_STORE
}

// Halves are added; the upper one of the last block has no data.
template <bool kFills>
__global__ void reduce_tail(const int* data, int* sums, int count) {
    __shared__ int part[128];
    const int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (i < count) part[t] = data[i];
    if (kFills && i >= count) part[t] = 0;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];  // @TAIL_STORE
}

template <bool kFillsFirst>
__global__ void double_buffer(const int* data) {
    __shared__ int buffer[2][32];
    const int t = threadIdx.x;
    if (kFillsFirst) buffer[0][t] = data[t];
    __syncthreads();
    for (int k = 0; k < 4; ++k) {
        buffer[(k + 1) & 1][t] = data[(k + 1) * 32 + t];
        if (buffer[k & 1][t ^ 1] < 0) out[t] = k;  // @FIRST_READ
        __syncthreads();
    }
}

__global__ void dynamic(int written, int read) {
    extern __shared__ int values[];
    for (int i = threadIdx.x; i < written; i += blockDim.x) values[i] = i;
    __syncthreads();
    for (int i = threadIdx.x; i < read; i += blockDim.x)
        if (values[i] < 0) out[0] = 1;  // @DYNAMIC_READ
}

__global__ void first_block_writes() {
    __shared__ int value[32];
    if (blockIdx.x == 0) value[threadIdx.x] = 1;
    __syncthreads();
    if (value[threadIdx.x] == 7) out[0] = 1;  // @LATER_BLOCK
}

__global__ void async_copy(const int* data) {
    __shared__ int tile[32];
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile + threadIdx.x));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(data + threadIdx.x) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    if (tile[31 - threadIdx.x] < 0) out[0] = 1;  // @ASYNC_USE
}

template <bool kZeroes>
__global__ void accumulate(const int* data, int shift) {
    int sums[8];
    if (kZeroes)
        for (int i = 0; i < 8; ++i) sums[(i + shift) & 7] = 0;
    for (int i = 0; i < 16; ++i) sums[(i * shift) & 7] += data[i];  // @ACCUMULATE
    if (sums[shift & 7] > 1000000) out[0] = 1;                      // @ACCUMULATED_USE
}

// A frame that an earlier call has written is as undefined as a fresh one.
__device__ __noinline__ int fill_frame(int at) {
    volatile int frame[8];
    for (int i = 0; i < 8; ++i) frame[(i + at) & 7] = i;
    return frame[at & 7];
}
template <bool kWrites>
__device__ __noinline__ int read_frame(int at) {
    volatile int frame[8];
    if (kWrites)
        for (int i = 0; i < 8; ++i) frame[(i + at) & 7] = i;
    return frame[at & 7];  // @CALLED_READ
}
template <bool kWrites>
__global__ void call(int at) {
    if (fill_frame(at) + read_frame<kWrites>(at) > 100) out[0] = 1;
}

// Each half writes what the other one reads.
__global__ void swap_halves() {
    __shared__ short halves[64];
    const int t = threadIdx.x;
    halves[t ^ 32] = static_cast<short>(t);
    __syncthreads();
    const int both = reinterpret_cast<int*>(halves)[t / 2];
    if (both == -1) out[t] = both;
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    int *data = nullptr, *fresh = nullptr, *sums = nullptr;
    cudaMalloc(&data, 1024);
    cudaMalloc(&fresh, 1024);
    cudaMalloc(&sums, 16);
    cudaMemset(data, 0, 1024);
    cudaMemset(sums, 0, 16);
    auto* const floats = reinterpret_cast<float*>(data);
    auto* const float_sums = reinterpret_cast<float*>(sums);
    if (is("last_tile_filled")) tile_sum<true><<<2, 64>>>(floats, float_sums, 100);
    if (is("last_tile_short")) tile_sum<false><<<2, 64>>>(floats, float_sums, 100);
    if (is("tail_is_zero")) reduce_tail<true><<<2, 128>>>(data, sums, 200);
    if (is("tail_is_left")) reduce_tail<false><<<2, 128>>>(data, sums, 200);
    if (is("buffers_in_turn")) double_buffer<true><<<1, 32>>>(data);
    if (is("first_buffer_empty")) double_buffer<false><<<1, 32>>>(data);
    if (is("dynamic_written")) dynamic<<<2, 32, 400>>>(100, 100);
    if (is("dynamic_too_long")) dynamic<<<2, 32, 400>>>(90, 100);
    if (is("block_before_wrote_it")) first_block_writes<<<2, 32>>>();
    if (is("copied_asynchronously")) async_copy<<<1, 32>>>(data);
    if (is("copied_from_nothing")) async_copy<<<1, 32>>>(fresh);
    if (is("accumulators_zeroed")) accumulate<true><<<1, 32>>>(data, 3);
    if (is("accumulators_left")) accumulate<false><<<1, 32>>>(data, 3);
    if (is("stack_of_a_function")) call<true><<<1, 32>>>(3);
    if (is("stack_of_an_earlier_call")) call<false><<<1, 32>>>(3);
    if (is("swapped_halves")) swap_halves<<<1, 64>>>();
    int host[4];
    cudaMemcpy(host, sums, 16, cudaMemcpyDeviceToHost);  // @COPY_OUT
    printf("%d\n", host[0]);
}
