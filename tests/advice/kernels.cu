// Pairs of kernels for the rules of advice that tests/truth does not cover: one that a rule must speak about, and one
// that does the same without its fault, about which it must be silent.
#include <cuda_runtime.h>
#include <cstdio>

#define CHECK(call)                                                                 \
    do {                                                                            \
        const cudaError_t status = (call);                                          \
        if (status != cudaSuccess) {                                                \
            std::fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(status)); \
            return 1;                                                               \
        }                                                                           \
    } while (0)

constexpr int kMost = 1 << 20;

__constant__ float table[32];

// ---- constant: one address a warp, or one a lane
__global__ void constant_by_lane(float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum += table[(threadIdx.x + k) % 32];
    out[i] = sum;
}
__global__ void constant_by_warp(float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum += table[(threadIdx.x / 32 + k) % 32];
    out[i] = sum;
}

// ---- local: an array indexed at run time, or by constants
__global__ void bins_in_local_memory(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, mine[16] = {};
    for (int k = 0; k < 8; ++k) mine[in[(i + k * 4096) % kMost] % 16] += 1;
    int most = 0;
    for (int k = 0; k < 16; ++k) most = mine[k] > most ? mine[k] : most;
    out[i] = most;
}
__global__ void values_in_registers(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, mine[8];
    for (int k = 0; k < 8; ++k) mine[k] = in[(i + k * 4096) % kMost];
    int most = 0;
    for (int k = 0; k < 8; ++k) most = mine[k] > most ? mine[k] : most;
    out[i] = most;
}

// ---- atomics: every thread adds to one of few counters, or every warp its sum once
__global__ void count_globally(const int* in, int* counters) {
    atomicAdd(&counters[in[blockIdx.x * blockDim.x + threadIdx.x] % 64], 1);
}
__global__ void count_by_warp(const int* in, int* counters) {
    int here = in[blockIdx.x * blockDim.x + threadIdx.x] % 2;
    for (int lane = 16; lane > 0; lane /= 2) here += __shfl_down_sync(0xffffffff, here, lane);
    if (threadIdx.x % 32 == 0) atomicAdd(&counters[blockIdx.x % 64], here);
}

// ---- divergence: every other lane has more to do, or every other warp
__device__ float work(float x, int steps, float by) {
    for (int k = 0; k < steps; ++k) x = x * by + 1.0f;
    return x;
}
__global__ void odd_and_even_lanes(float* out, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = work(out[i], threadIdx.x % 2 == 0 ? steps : 1, 0.75f);
}
__global__ void odd_and_even_warps(float* out, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = work(out[i], threadIdx.x / 32 % 2 == 0 ? steps : 1, 0.75f);
}

// ---- partial warps and tiny grids: by how it is launched
__global__ void compute(float* out, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = work(out[i], steps, 0.75f);
}

// ---- occupancy: shared memory that keeps other blocks out, or none
__global__ void copy_beside_shared(const float* in, float* out) {
    __shared__ float big[12000];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) big[blockIdx.x % 12000] = in[i];
    __syncthreads();
    out[i] = in[i] + big[blockIdx.x % 12000];
}
__global__ void copy_alone(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// ---- barriers: for nothing, or for the element of another thread
__global__ void wait_for_nothing(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    __syncthreads();
    out[i] = x;
}
__global__ void reverse_blocks(const float* in, float* out) {
    __shared__ float row[256];
    row[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
}

int main() {
    float *in, *out;
    int *numbers, *results;
    CHECK(cudaMalloc(&in, kMost * sizeof(float)));
    CHECK(cudaMalloc(&out, kMost * sizeof(float)));
    CHECK(cudaMalloc(&numbers, kMost * sizeof(int)));
    CHECK(cudaMalloc(&results, kMost * sizeof(int)));
    int* host = new int[kMost];
    for (int i = 0; i < kMost; ++i) host[i] = static_cast<int>(i * 2654435761u >> 16 & 0xffff);
    CHECK(cudaMemcpy(numbers, host, kMost * sizeof(int), cudaMemcpyHostToDevice));
    delete[] host;

    constant_by_lane<<<256, 256>>>(out);
    constant_by_warp<<<256, 256>>>(out);
    bins_in_local_memory<<<256, 256>>>(numbers, results);
    values_in_registers<<<256, 256>>>(numbers, results);
    count_globally<<<256, 256>>>(numbers, results);
    count_by_warp<<<256, 256>>>(numbers, results);
    odd_and_even_lanes<<<256, 256>>>(out, 64);
    odd_and_even_warps<<<256, 256>>>(out, 64);
    compute<<<1024, 33>>>(out, 256);  // 31 of 64 lanes idle
    compute<<<1024, 64>>>(out, 256);
    compute<<<8, 256>>>(out, 8192);  // 8 of 132 SMs
    compute<<<264, 256>>>(out, 256);
    copy_beside_shared<<<4096, 64>>>(in, out);
    copy_alone<<<4096, 64>>>(in, out);
    wait_for_nothing<<<256, 256>>>(in, out);
    reverse_blocks<<<256, 256>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return 0;
}
