// Programs of usual sizes, one a number: what a run with caches costs beside one that only counts (programs.py).
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "examples/check.h"

constexpr int kThreads = 256;

__global__ void saxpy(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void transpose(const float* in, float* out, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) out[x * n + y + i] = in[(y + i) * n + x];
}
__global__ void transpose_tiled(const float* in, float* out, int n) {
    __shared__ float tile[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
    __syncthreads();
    for (int i = 0; i < 32; i += 8)
        out[(blockIdx.x * 32 + threadIdx.y + i) * n + blockIdx.y * 32 + threadIdx.x] =
            tile[threadIdx.x][threadIdx.y + i];
}
__global__ void product(const float* a, const float* b, float* c, int n) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
__global__ void product_tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float left[16][16], right[16][16];
    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        left[y][x] = a[row * n + t + x];
        right[y][x] = b[(t + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
// 64 x 64 of the result a block, 4 x 4 a thread.
__global__ void product_in_registers(const float* a, const float* b, float* c, int n) {
    __shared__ float left[16][64], right[16][64];
    const int x = threadIdx.x, y = threadIdx.y, thread = y * 16 + x;
    float sums[4][4] = {};
    for (int t = 0; t < n; t += 16) {
        for (int i = thread; i < 1024; i += kThreads) {
            left[i % 16][i / 16] = a[(blockIdx.y * 64 + i / 16) * n + t + i % 16];
            right[i / 64][i % 64] = b[(t + i / 64) * n + blockIdx.x * 64 + i % 64];
        }
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) sums[i][j] += left[k][y * 4 + i] * right[k][x * 4 + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) c[(blockIdx.y * 64 + y * 4 + i) * n + blockIdx.x * 64 + x * 4 + j] = sums[i][j];
}
__global__ void visit(const int* starts, const int* edges, int* level, int now, int nodes, int* changed) {
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes || level[node] != now) return;
    for (int e = starts[node]; e < starts[node + 1]; ++e)
        if (level[edges[e]] < 0) {
            level[edges[e]] = now + 1;
            *changed = 1;
        }
}
__global__ void stencil(const float* in, float* out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    const int i = (z * n + y) * n + x;
    out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n];
}
__global__ void sort_step(unsigned* keys, unsigned distance, unsigned size) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
    if (other <= i) return;
    const unsigned a = keys[i], b = keys[other];
    if ((a > b) == ((i & size) == 0)) {
        keys[i] = b;
        keys[other] = a;
    }
}
__global__ void sparse(const int* starts, const int* places, const float* values, const float* x, float* y, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[places[k]];
    y[row] = sum;
}
__global__ void sum_blocks(const float* in, float* out, int n) {
    __shared__ float parts[kThreads];
    float sum = 0;
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) sum += in[i];
    parts[threadIdx.x] = sum;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (static_cast<int>(threadIdx.x) < half) parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = parts[0];
}

int main(int argc, char** argv) {
    const int number = argc > 1 ? std::atoi(argv[1]) : 0;
    constexpr int kN = 16 << 20, kNodes = 1 << 18, kEdges = 8;
    float *a, *b, *c;
    CHECK(cudaMalloc(&a, kN * sizeof(float)));
    CHECK(cudaMalloc(&b, kN * sizeof(float)));
    CHECK(cudaMalloc(&c, kN * sizeof(float)));
    CHECK(cudaMemset(a, 0, kN * sizeof(float)));
    CHECK(cudaMemset(b, 0, kN * sizeof(float)));
    std::vector<int> starts(kNodes + 1), edges(kNodes * kEdges);
    std::vector<unsigned> keys(1 << 18);
    unsigned state = 1;
    const auto random = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
    for (int i = 0; i <= kNodes; ++i) starts[i] = i * kEdges;
    for (int& edge : edges) edge = static_cast<int>(random() % kNodes);
    for (unsigned& key : keys) key = random();
    int *from, *to, *level, *changed;
    CHECK(cudaMalloc(&from, starts.size() * sizeof(int)));
    CHECK(cudaMalloc(&to, edges.size() * sizeof(int)));
    CHECK(cudaMalloc(&level, kNodes * sizeof(int)));
    CHECK(cudaMalloc(&changed, sizeof(int)));
    CHECK(cudaMemcpy(from, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(to, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice));

    const dim3 rows(32, 8), square(16, 16);
    if (number == 0)
        for (int i = 0; i < 3; ++i) saxpy<<<kN / kThreads, kThreads>>>(kN, 2, a, b);
    if (number == 1) transpose<<<dim3(128, 128), rows>>>(a, b, 4096);
    if (number == 2) transpose_tiled<<<dim3(128, 128), rows>>>(a, b, 4096);
    if (number == 3) product<<<dim3(48, 48), square>>>(a, b, c, 768);
    if (number == 4) product_tiled<<<dim3(48, 48), square>>>(a, b, c, 768);
    if (number == 5) product_in_registers<<<dim3(16, 16), square>>>(a, b, c, 1024);
    if (number == 6) {
        CHECK(cudaMemset(level, 0xff, kNodes * sizeof(int)));
        CHECK(cudaMemset(level, 0, sizeof(int)));
        for (int now = 0, more = 1; more != 0; ++now) {
            CHECK(cudaMemset(changed, 0, sizeof(int)));
            visit<<<kNodes / kThreads, kThreads>>>(from, to, level, now, kNodes, changed);
            CHECK(cudaMemcpy(&more, changed, sizeof(int), cudaMemcpyDeviceToHost));
        }
    }
    if (number == 7)
        for (int i = 0; i < 4; ++i) stencil<<<dim3(4, 16, 128), rows>>>(i % 2 ? b : a, i % 2 ? a : b, 128);
    if (number == 8) {
        CHECK(cudaMemcpy(c, keys.data(), keys.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
        for (unsigned size = 2; size <= keys.size(); size *= 2)
            for (unsigned distance = size / 2; distance > 0; distance /= 2)
                sort_step<<<static_cast<unsigned>(keys.size()) / kThreads, kThreads>>>(reinterpret_cast<unsigned*>(c),
                                                                                       distance, size);
    }
    if (number == 9)
        for (int i = 0; i < 4; ++i) sparse<<<kNodes / kThreads, kThreads>>>(from, to, a, b, c, kNodes);
    if (number == 10)
        for (int i = 0; i < 4; ++i) sum_blocks<<<1056, kThreads>>>(a, c, kN);
    if (number == 11)
        for (int i = 0; i < 3000; ++i) saxpy<<<4, kThreads>>>(1024, 2, a, b);
    CHECK(cudaDeviceSynchronize());
}
