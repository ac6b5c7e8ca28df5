// Too few warps on an SM to hide what memory takes: shared memory, blocks of one warp, registers.
#include "pairs.h"

using namespace pairs;

// Blocks of two warps that turn rows of 64 round, with room for twelve thousand floats where they need few.
__global__ void occupancy_shared_before(const float* in, float* out, int rows) {
    __shared__ float row[12 * 1024];  // fault: occupancy_shared
    for (int r = 0; r < rows; ++r) {
        int base = (blockIdx.x * rows + r) * 64;
        row[threadIdx.x] = in[base + threadIdx.x];
        __syncthreads();
        out[base + threadIdx.x] = row[63 - threadIdx.x];
        __syncthreads();
    }
}
__global__ void occupancy_shared_after(const float* in, float* out, int rows) {
    __shared__ float row[64];
    for (int r = 0; r < rows; ++r) {
        int base = (blockIdx.x * rows + r) * 64;
        row[threadIdx.x] = in[base + threadIdx.x];
        __syncthreads();
        out[base + threadIdx.x] = row[63 - threadIdx.x];
        __syncthreads();
    }
}
void shared(Suite& suite) {
    const int groups = scaled(8192), each = 8, n = groups * each * 64;
    Array<float> in(n, unit), out(n);
    suite.pair(
        "occupancy_shared", out, [&] { occupancy_shared_before<<<groups, 64>>>(in, out, each); },
        [&] { occupancy_shared_after<<<groups, 64>>>(in, out, each); },
        [&](int i) { return in.at(i / 64 * 64 + 63 - i % 64); });
}

// Blocks of one warp: an SM takes 32 of them, half of its warps. The same threads in blocks of 256.
__device__ __forceinline__ void chase(const int* next, const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = i;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < 4; ++k) {
        sum += x[at];
        at = next[at];
    }
    if (i < n) out[i] = sum;
}
__global__ void occupancy_warp_before(const int* next, const float* x, float* out, int n) { chase(next, x, out, n); }
__global__ void occupancy_warp_after(const int* next, const float* x, float* out, int n) { chase(next, x, out, n); }
void warp(Suite& suite) {
    const int n = scaled(1 << 20);
    // A warp's lanes stay neighbours, so that lines are used in full.
    Array<int> next(n, [&](int i) { return hash(i / 32 + 1) % (n / 32) * 32 + i % 32; });
    Array<float> x(n, unit), out(n);
    suite.pair(
        "occupancy_warp", out,
        [&] { occupancy_warp_before<<<n / 32, 32>>>(next, x, out, n); },  // fault: occupancy_warp
        [&] { occupancy_warp_after<<<n / 256, 256>>>(next, x, out, n); },
        [&](int i) {
            float sum = 0;
            for (int k = 0, at = i; k < 4; ++k, at = next.at(at)) sum += x.at(at);
            return sum;
        });
}

// Two hundred kilobytes asked for at the launch by blocks of 256 that stage four: one block at a time on an SM.
__device__ __forceinline__ void smooth(const float* in, float* out, int tiles) {
    extern __shared__ float tile[];
    for (int t = 0; t < tiles; ++t) {
        int base = (blockIdx.x * tiles + t) * 1024;
        for (int k = threadIdx.x; k < 1024; k += 256) tile[k] = in[base + k];
        __syncthreads();
        for (int k = threadIdx.x; k < 1024; k += 256) {
            out[base + k] = (tile[k] + tile[(k + 1) % 1024] + tile[(k + 2) % 1024]) / 3;
        }
        __syncthreads();
    }
}
__global__ void occupancy_dynamic_before(const float* in, float* out, int tiles) { smooth(in, out, tiles); }
__global__ void occupancy_dynamic_after(const float* in, float* out, int tiles) { smooth(in, out, tiles); }
void dynamic(Suite& suite) {
    const int groups = scaled(1024), each = 4, n = groups * each * 1024, much = 200 * 1024, enough = 4096;
    Array<float> in(n, unit), out(n);
    PAIRS_CHECK(cudaFuncSetAttribute(occupancy_dynamic_before, cudaFuncAttributeMaxDynamicSharedMemorySize, much));
    suite.pair(
        "occupancy_dynamic", out,
        [&] { occupancy_dynamic_before<<<groups, 256, much>>>(in, out, each); },  // fault: occupancy_dynamic
        [&] { occupancy_dynamic_after<<<groups, 256, enough>>>(in, out, each); },
        [&](int i) {
            int base = i / 1024 * 1024;
            return (in.at(i) + in.at(base + (i + 1) % 1024) + in.at(base + (i + 2) % 1024)) / 3;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    shared(suite);
    warp(suite);
    dynamic(suite);
    return suite.status();
}
