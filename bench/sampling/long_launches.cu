// Launches of 4 to 100 million requests, of kinds that differ: what sampling leaves out of them is compared with all of
// it (compare.py). Each takes its number as an argument; without one, all run.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../examples/check.h"

constexpr int kThreads = 256;

__global__ void saxpy(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void copy_strided(const float* in, float* out, int n, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[static_cast<long long>(i) * stride % n];
}
__global__ void copy_by_grid(const float4* in, float4* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
__global__ void transpose(const float* in, float* out, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[x * n + y + j] = in[(y + j) * n + x];
}
__global__ void transpose_tiled(const float* in, float* out, int n) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void product(const float* a, const float* b, float* c, int n) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}
template <int kTile>
__global__ void product_tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float as[kTile][kTile], bs[kTile][kTile];
    const int col = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < n; t += kTile) {
        as[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
__global__ void stencil(const float* in, float* out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    const int i = (z * n + y) * n + x;
    out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n];
}
__global__ void stencil_marching(const float* in, float* out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    for (int z = 1; z < n - 1; ++z) {
        const int i = (z * n + y) * n + x;
        out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n];
    }
}
__global__ void sum_blocks(const float* in, float* out, int n) {
    __shared__ float part[kThreads];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int s = kThreads / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
__global__ void gather(const float* in, const int* index, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[index[i]];
}
__global__ void histogram(const int* in, int* bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i] & 1023], 1);
}
__global__ void rows(const float* in, float* out, int n) {  // a row a thread
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += in[row * n + k];
    out[row] = sum;
}
__global__ void columns(const float* in, float* out, int n, int width) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += in[k * width + col];
    out[col] = sum;
}
__global__ void sparse(const int* starts, const int* columns_of, const float* values, const float* x, float* y, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns_of[k]];
    y[row] = sum;
}
__global__ void bodies(const float4* at, float4* force, int n) {
    __shared__ float4 tile[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 own = at[i];
    float4 sum = {0, 0, 0, 0};
    for (int t = 0; t < n; t += kThreads) {
        tile[threadIdx.x] = at[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < kThreads; ++k) {
            const float dx = tile[k].x - own.x, dy = tile[k].y - own.y;
            sum.x += dx / (dx * dx + dy * dy + 1);
        }
        __syncthreads();
    }
    force[i] = sum;
}

int main(int argc, char** argv) {
    const int only = argc > 1 ? std::atoi(argv[1]) : -1;
    constexpr int kN = 256 << 20;
    float *a, *b, *c;
    int* index;
    CHECK(cudaMalloc(&a, kN * sizeof(float)));
    CHECK(cudaMalloc(&b, kN * sizeof(float)));
    CHECK(cudaMalloc(&c, kN * sizeof(float)));
    CHECK(cudaMalloc(&index, kN / 4 * sizeof(int)));
    CHECK(cudaMemset(a, 0, kN * sizeof(float)));
    CHECK(cudaMemset(b, 0, kN * sizeof(float)));
    std::vector<int> numbers(kN / 4);
    unsigned state = 1;
    for (int& number : numbers) number = static_cast<int>((state = state * 1664525u + 1013904223u) >> 8) % (kN / 4);
    CHECK(cudaMemcpy(index, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice));
    constexpr int kRows = 1 << 20, kEach = 48;
    std::vector<int> begins(kRows + 1), place(kRows * kEach);
    for (int i = 0; i <= kRows; ++i) begins[i] = i * kEach;
    for (int i = 0; i < kRows * kEach; ++i) place[i] = (i / kEach + numbers[i % numbers.size()] % 4096) % kRows;
    int *starts, *places;
    CHECK(cudaMalloc(&starts, begins.size() * sizeof(int)));
    CHECK(cudaMalloc(&places, place.size() * sizeof(int)));
    CHECK(cudaMemcpy(starts, begins.data(), begins.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(places, place.data(), place.size() * sizeof(int), cudaMemcpyHostToDevice));

    const dim3 square(32, 8), sixteen(16, 16), flat(32, 8, 1);
    int number = 0;
    const auto runs = [&] { return only < 0 || only == number; };
#define RUN(...)                        \
    if (runs()) {                       \
        __VA_ARGS__;                    \
        CHECK(cudaDeviceSynchronize()); \
    }                                   \
    ++number
    RUN((saxpy<<<kN / 4 / kThreads, kThreads>>>(kN / 4, 2, a, b)));
    RUN((saxpy<<<kN / 4 / 1024, 1024>>>(kN / 4, 2, a, b)));
    RUN((saxpy<<<kN / 4 / 64, 64>>>(kN / 4, 2, a, b)));
    RUN((copy_strided<<<kN / 4 / kThreads, kThreads>>>(a, b, kN / 4, 2)));
    RUN((copy_strided<<<kN / 4 / kThreads, kThreads>>>(a, b, kN / 4, 8)));
    RUN((copy_by_grid<<<132 * 8, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(b), kN / 4)));
    RUN((copy_by_grid<<<132 * 2, 1024>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(b), kN / 4)));
    RUN((transpose<<<dim3(256, 256), square>>>(a, b, 8192)));
    RUN((transpose_tiled<<<dim3(256, 256), square>>>(a, b, 8192)));
    RUN((product<<<dim3(48, 48), sixteen>>>(a, b, c, 768)));
    RUN((product<<<dim3(20, 80), dim3(32, 8)>>>(a, b, c, 640)));
    RUN((product_tiled<16><<<dim3(96, 96), sixteen>>>(a, b, c, 1536)));
    RUN((product_tiled<32><<<dim3(64, 64), dim3(32, 32)>>>(a, b, c, 2048)));
    RUN((stencil<<<dim3(8, 32, 256), flat>>>(a, b, 256)));
    RUN((stencil_marching<<<dim3(12, 48), flat>>>(a, b, 384)));
    RUN((sum_blocks<<<132 * 8, kThreads>>>(a, c, kN)));
    RUN((sum_blocks<<<8192, kThreads>>>(a, c, kN)));
    RUN((gather<<<kN / 4 / kThreads, kThreads>>>(a, index, c, kN / 4)));
    RUN((histogram<<<132 * 8, kThreads>>>(index, reinterpret_cast<int*>(c), kN / 4)));
    RUN((rows<<<128, kThreads>>>(a, c, 8192)));
    RUN((columns<<<256, kThreads>>>(a, c, 4096, 65536)));
    RUN((sparse<<<kRows / kThreads, kThreads>>>(starts, places, a, b, c, kRows)));
    RUN((bodies<<<1024, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(b), 1024 * kThreads)));
    RUN((stencil<<<dim3(16, 64, 128), flat>>>(a, b, 512)));
    std::printf("%d\n", number);
}
