// Blocks that ask memory for the same values many times over: a tile in shared memory holds them.
#include "pairs.h"

using namespace pairs;

// C = A * B with M = N, every element asked for by as many threads as the other matrix has rows or columns.
__global__ void tile_product_before(const float* a, const float* b, float* c, int n, int depth) {
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < depth; ++k) sum += a[row * depth + k] * b[k * n + column];  // fault: tile_product
    c[row * n + column] = sum;
}
__global__ void tile_product_after(const float* a, const float* b, float* c, int n, int depth) {
    __shared__ float left[32][32], right[32][32];
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int start = 0; start < depth; start += 32) {
        left[threadIdx.y][threadIdx.x] = a[row * depth + start + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < 32; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
void product(Suite& suite) {
    const int n = 512, depth = scaled(256);
    Array<float> a(n * depth, unit), b(depth * n, [](int i) { return unit(i + 99); }), c(n * n);
    dim3 grid(n / 32, n / 32), block(32, 32);
    suite.pair(
        "tile_product", c, [&] { tile_product_before<<<grid, block>>>(a, b, c, n, depth); },
        [&] { tile_product_after<<<grid, block>>>(a, b, c, n, depth); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < depth; ++k) sum += a.at(i / n * depth + k) * b.at(k * n + i % n);
            return sum;
        });
}

// Products of all rows with all rows: lanes walk along rows of their own, and every row is asked for n times.
__global__ void tile_gram_before(const float* x, float* out, int n, int depth) {
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < depth; ++k) sum += x[row * depth + k] * x[column * depth + k];  // fault: tile_gram
    out[row * n + column] = sum;
}
__global__ void tile_gram_after(const float* x, float* out, int n, int depth) {
    __shared__ float left[32][33], right[32][33];
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    int other = blockIdx.x * 32 + threadIdx.y;
    float sum = 0;
    for (int start = 0; start < depth; start += 32) {
        left[threadIdx.y][threadIdx.x] = x[row * depth + start + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = x[other * depth + start + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 32; ++k) sum += left[threadIdx.y][k] * right[threadIdx.x][k];
        __syncthreads();
    }
    out[row * n + column] = sum;
}
void gram(Suite& suite) {
    const int n = 512, depth = scaled(128);
    Array<float> x(n * depth, unit), out(n * n);
    dim3 grid(n / 32, n / 32), block(32, 32);
    suite.pair(
        "tile_gram", out, [&] { tile_gram_before<<<grid, block>>>(x, out, n, depth); },
        [&] { tile_gram_after<<<grid, block>>>(x, out, n, depth); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < depth; ++k) sum += x.at(i / n * depth + k) * x.at(i % n * depth + k);
            return sum;
        });
}

// A filter of 13 x 13: 169 loads for each pixel, which neighbours share. The picture has a border of 6.
constexpr int kRadius = 6, kSide = 2 * kRadius + 1;
__constant__ float filter_weights[kSide * kSide];
__global__ void tile_filter_before(const float* in, float* out, int width) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, pitch = width + 2 * kRadius;
    float sum = 0;
#pragma unroll
    for (int dy = 0; dy < kSide; ++dy) {
#pragma unroll
        for (int dx = 0; dx < kSide; ++dx) {
            sum += filter_weights[dy * kSide + dx] * in[(y + dy) * pitch + x + dx];  // fault: tile_filter
        }
    }
    out[y * width + x] = sum;
}
__global__ void tile_filter_after(const float* in, float* out, int width) {
    __shared__ float tile[8 + 2 * kRadius][32 + 2 * kRadius];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, pitch = width + 2 * kRadius;
    for (int dy = threadIdx.y; dy < 8 + 2 * kRadius; dy += 8) {
        for (int dx = threadIdx.x; dx < 32 + 2 * kRadius; dx += 32) {
            tile[dy][dx] = in[(blockIdx.y * 8 + dy) * pitch + blockIdx.x * 32 + dx];
        }
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int dy = 0; dy < kSide; ++dy) {
#pragma unroll
        for (int dx = 0; dx < kSide; ++dx) {
            sum += filter_weights[dy * kSide + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
        }
    }
    out[y * width + x] = sum;
}
void filter(Suite& suite) {
    const int width = 1024, height = scaled(512), pitch = width + 2 * kRadius;
    Array<float> in(pitch * (height + 2 * kRadius), unit), out(width * height);
    std::vector<float> weights(kSide * kSide);
    for (int i = 0; i < kSide * kSide; ++i) weights[i] = unit(i + 5) / 64;
    PAIRS_CHECK(cudaMemcpyToSymbol(filter_weights, weights.data(), weights.size() * sizeof(float)));
    dim3 grid(width / 32, height / 8), block(32, 8);
    suite.pair(
        "tile_filter", out, [&] { tile_filter_before<<<grid, block>>>(in, out, width); },
        [&] { tile_filter_after<<<grid, block>>>(in, out, width); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < kSide * kSide; ++k) {
                sum += weights[k] * in.at((i / width + k / kSide) * pitch + i % width + k % kSide);
            }
            return sum;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    product(suite);
    gram(suite);
    filter(suite);
    return suite.status();
}
