// Tiles in shared memory with edges that do not fit, and the same with a tile that is loaded ahead.
#include "fourfold.cuh"

constexpr int kTile = 16;

__global__ void tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float as[kTile][kTile], bs[kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
    float sum = 0;
    for (int at = 0; at < n; at += kTile) {
        as[y][x] = row < n && at + x < n ? a[row * n + at + x] : 0;
        bs[y][x] = at + y < n && column < n ? b[(at + y) * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum += as[y][i] * bs[i][x];
        __syncthreads();
    }
    if (row < n && column < n) c[row * n + column] = sum;
}

__global__ void ahead(const float* a, const float* b, float* c, int n) {
    __shared__ float as[2][kTile][kTile], bs[2][kTile][kTile + 1];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
    const auto load = [&](int which, int at) {
        as[which][y][x] = row < n && at + x < n ? a[row * n + at + x] : 0;
        bs[which][y][x] = at + y < n && column < n ? b[(at + y) * n + column] : 0;
    };
    float sum = 0;
    load(0, 0);
    for (int at = 0, now = 0; at < n; at += kTile, now ^= 1) {
        __syncthreads();
        if (at + kTile < n) load(now ^ 1, at + kTile);
        for (int i = 0; i < kTile; ++i) sum += as[now][y][i] * bs[now][i][x];
    }
    if (row < n && column < n) c[row * n + column] = sum;
}

int main() {
    constexpr int n = 50, blocks = (n + kTile - 1) / kTile;
    const std::vector<float> a = numbers<float>(n * n, -1, 1), b = numbers<float>(n * n, -1, 1, 3);
    std::vector<float> expected(n * n);
    for (int i = 0; i < n * n; ++i)
        for (int k = 0; k < n; ++k) expected[i] += a[i / n * n + k] * b[k * n + i % n];
    const Buffer<float> da(a), db(b), c(n * n), d(n * n);
    tiled<<<dim3(blocks, blocks), dim3(kTile, kTile)>>>(da, db, c, n);
    ahead<<<dim3(blocks, blocks), dim3(kTile, kTile)>>>(da, db, d, n);
    return near("tiled", c.host(), expected) + near("ahead", d.host(), expected);
}
