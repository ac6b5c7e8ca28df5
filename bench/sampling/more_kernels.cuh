// Kernels of many kinds, on which no rule of sampling was tried before it stood.
#pragma once

#include <cuda_runtime.h>

constexpr int kThreads = 256;
__constant__ float kFilter[25];

__global__ void scale_add(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void triad(const float* a, const float* b, float* c, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + 3 * b[i];
}
__global__ void copy_far(const float* in, float* out, int n, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[static_cast<long long>(i) * stride % n];
}
__global__ void scatter_far(const float* in, float* out, int n, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[static_cast<long long>(i) * stride % n] = in[i];
}
__global__ void transpose(const float* in, float* out, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) out[x * n + y + i] = in[(y + i) * n + x];
}
template <int kPad>
__global__ void transpose_tiled(const float* in, float* out, int n) {
    __shared__ float tile[32][32 + kPad];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
    __syncthreads();
    for (int i = 0; i < 32; i += 8)
        out[(blockIdx.x * 32 + threadIdx.y + i) * n + blockIdx.y * 32 + threadIdx.x] =
            tile[threadIdx.x][threadIdx.y + i];
}
__global__ void product(const float* a, const float* b, float* c, int n) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= n || row >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
template <int kTile>
__global__ void product_tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float left[kTile][kTile], right[kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * kTile + x, row = blockIdx.y * kTile + y;
    float sum = 0;
    for (int t = 0; t < n; t += kTile) {
        left[y][x] = a[row * n + t + x];
        right[y][x] = b[(t + y) * n + column];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
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
__global__ void by_rows(const float* m, const float* v, float* out, int rows, int columns) {  // a warp a row
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int i = lane; i < columns; i += 32) sum += m[static_cast<long long>(row) * columns + i] * v[i];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) out[row] = sum;
}
__global__ void by_columns(const float* m, const float* v, float* out, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float sum = 0;
    for (int i = 0; i < rows; ++i) sum += m[static_cast<long long>(i) * columns + column] * v[i];
    out[column] = sum;
}
__global__ void five_points(const float* in, float* out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    const int i = y * n + x;
    out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
}
__global__ void five_by_five(const float* in, float* out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || y < 2 || x >= n - 2 || y >= n - 2) return;
    float sum = 0;
    for (int i = 0; i < 25; ++i) sum += kFilter[i] * in[(y + i / 5 - 2) * n + x + i % 5 - 2];
    out[y * n + x] = sum;
}
__global__ void seven_points(const float* in, float* out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    const int i = (z * n + y) * n + x;
    out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n];
}
__global__ void far_points(const float* in, float* out, int n) {  // four to each side
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x < 4 || y < 4 || z < 4 || x >= n - 4 || y >= n - 4 || z >= n - 4) return;
    const int i = (z * n + y) * n + x;
    float sum = in[i];
    for (int k = 1; k <= 4; ++k)
        sum += in[i - k] + in[i + k] + in[i - k * n] + in[i + k * n] + in[i - k * n * n] + in[i + k * n * n];
    out[i] = sum;
}
__global__ void sums(const float* in, float* out, int n) {
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
__global__ void scan_blocks(const float* in, float* out, int n) {
    __shared__ float parts[kThreads];
    const int i = blockIdx.x * kThreads + threadIdx.x;
    parts[threadIdx.x] = i < n ? in[i] : 0;
    for (int step = 1; step < kThreads; step *= 2) {
        __syncthreads();
        const float more = static_cast<int>(threadIdx.x) >= step ? parts[threadIdx.x - step] : 0;
        __syncthreads();
        parts[threadIdx.x] += more;
    }
    if (i < n) out[i] = parts[threadIdx.x];
}
__global__ void count_shared(const unsigned* in, unsigned* bins, int n) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
        atomicAdd(&own[in[i] % 256], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
__global__ void gather(const float* in, const unsigned* index, float* out, int n, unsigned mask) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[index[i] & mask];
}
__global__ void sparse_by_warps(const int* starts, const int* places, const float* values, const float* x, float* y,
                                int n) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    float sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) sum += values[k] * x[places[k]];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) y[row] = sum;
}
__global__ void softmax(const float* in, float* out, int columns) {  // a block a row
    __shared__ float parts[kThreads];
    const float* row = in + static_cast<long long>(blockIdx.x) * columns;
    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += kThreads) sum += __expf(row[i]);
    parts[threadIdx.x] = sum;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (static_cast<int>(threadIdx.x) < half) parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
    for (int i = threadIdx.x; i < columns; i += kThreads)
        out[static_cast<long long>(blockIdx.x) * columns + i] = __expf(row[i]) / parts[0];
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
__global__ void shortest(float* d, int n, int k) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float through = d[y * n + k] + d[k * n + x];
    if (through < d[y * n + x]) d[y * n + x] = through;
}
struct Particle {
    float x, y, z, vx, vy, vz, mass, age;
};
__global__ void move(Particle* all, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    all[i].x += all[i].vx;
    all[i].y += all[i].vy;
    all[i].z += all[i].vz;
}
__global__ void prices(const float* s, const float* k, const float* t, float* call, float* put, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float root = sqrtf(t[i] + 1), d = (__logf(s[i] + 1) - __logf(k[i] + 1)) / root;
        call[i] = s[i] * d - k[i] * __expf(-t[i]);
        put[i] = k[i] * __expf(-t[i]) - s[i] * d;
    }
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
__global__ void filter_row(const float* in, float* out, int n, int radius) {  // a tile with its borders
    __shared__ float tile[kThreads + 64];
    const int i = blockIdx.x * kThreads + threadIdx.x;
    tile[threadIdx.x + radius] = in[i];
    if (static_cast<int>(threadIdx.x) < radius) {
        tile[threadIdx.x] = i >= radius ? in[i - radius] : 0;
        tile[threadIdx.x + radius + kThreads] = i + kThreads < n ? in[i + kThreads] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 2 * radius; ++k) sum += tile[threadIdx.x + k];
    out[i] = sum;
}
