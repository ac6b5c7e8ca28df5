// Cholesky's triangle of a positive matrix by tiles: the diagonal tile, the tiles below it, then all that is left.
#include <cmath>

#include "program.cuh"

constexpr int kTile = 16;

struct Tile {
    float at[kTile][kTile + 1];
    __device__ void load(const float* a, int n, int row, int column) {
        const int r = row * kTile + threadIdx.y, c = column * kTile + threadIdx.x;
        // Behind the matrix's end: the identity, which changes nothing.
        at[threadIdx.y][threadIdx.x] = r < n && c < n ? a[r * n + c] : r == c ? 1.0f : 0.0f;
    }
    __device__ void store(float* a, int n, int row, int column) const {
        const int r = row * kTile + threadIdx.y, c = column * kTile + threadIdx.x;
        if (r < n && c < n) a[r * n + c] = at[threadIdx.y][threadIdx.x];
    }
};
__global__ void factor_diagonal(float* a, int n, int k, int* not_positive) {
    __shared__ Tile tile;
    const int x = threadIdx.x, y = threadIdx.y;
    tile.load(a, n, k, k);
    __syncthreads();
    for (int j = 0; j < kTile; ++j) {
        if (x == j && y == j) {
            if (!(tile.at[j][j] > 0.0f)) atomicCAS(not_positive, 0, k * kTile + j + 1);
            tile.at[j][j] = sqrtf(tile.at[j][j]);
        }
        __syncthreads();
        if (x == j && y > j) tile.at[y][j] /= tile.at[j][j];
        __syncthreads();
        if (x > j && y >= x) tile.at[y][x] -= tile.at[y][j] * tile.at[x][j];
        __syncthreads();
    }
    if (x > y) tile.at[y][x] = 0.0f;
    tile.store(a, n, k, k);
}
// X times the diagonal tile's transpose is the tile below it: a column a step.
__global__ void solve_below(float* a, int n, int k) {
    __shared__ Tile diagonal, own;
    const int x = threadIdx.x, y = threadIdx.y, row = k + 1 + blockIdx.x;
    diagonal.load(a, n, k, k);
    own.load(a, n, row, k);
    for (int j = 0; j < kTile; ++j) {
        __syncthreads();
        if (x == j) own.at[y][j] /= diagonal.at[j][j];
        __syncthreads();
        if (x > j) own.at[y][x] -= own.at[y][j] * diagonal.at[x][j];
    }
    __syncthreads();
    own.store(a, n, row, k);
}
__global__ void update_rest(float* a, int n, int k) {
    const int row = k + 1 + blockIdx.y, column = k + 1 + blockIdx.x;
    if (column > row) return;  // the whole block
    __shared__ Tile left, right;
    left.load(a, n, row, k);
    right.load(a, n, column, k);
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int j = 0; j < kTile; ++j) sum = fmaf(left.at[threadIdx.y][j], right.at[threadIdx.x][j], sum);
    const int r = row * kTile + threadIdx.y, c = column * kTile + threadIdx.x;
    if (r < n && c < n) a[r * n + c] -= sum;
}

int factor(float* a, int n) {  // 0, or one more than the first column without a positive pivot
    const int tiles = (n + kTile - 1) / kTile;
    int *flag = to_device(std::vector<int>(1, 0)), found = 0;
    const dim3 block(kTile, kTile);
    for (int k = 0; k < tiles; ++k) {
        factor_diagonal<<<1, block>>>(a, n, k, flag);
        if (const int rest = tiles - k - 1) {
            solve_below<<<rest, block>>>(a, n, k);
            update_rest<<<dim3(rest, rest), block>>>(a, n, k);
        }
    }
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&found, flag, sizeof found, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(flag));
    return found;
}

int main() {
    constexpr int n = 75;  // not a multiple of the tile
    std::vector<float> matrix(n * n);
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c)
            matrix[r * n + c] = 10.0f * std::exp(-0.01f * (r - c) * (r - c)) + (r == c ? 1.0f + r % 3 : 0.0f);
    float* a = to_device(matrix);
    const bool positive = factor(a, n) == 0;
    const std::vector<float> lower = to_host(a, n * n);
    bool close = true, triangle = true, host = true;
    std::vector<double> expected(n * n);
    for (int r = 0; r < n; ++r)
        for (int c = 0; c <= r; ++c) {
            double sum = 0, rest = matrix[r * n + c];
            for (int k = 0; k <= c; ++k) sum += static_cast<double>(lower[r * n + k]) * lower[c * n + k];
            for (int k = 0; k < c; ++k) rest -= expected[r * n + k] * expected[c * n + k];
            expected[r * n + c] = r == c ? std::sqrt(rest) : rest / expected[c * n + c];
            close &= std::abs(sum - matrix[r * n + c]) < 1e-4;
            host &= std::abs(lower[r * n + c] - expected[r * n + c]) < 1e-3;
            triangle &= r == c ? lower[r * n + c] > 0 : r / kTile != c / kTile || lower[c * n + r] == 0;
        }
    matrix[40 * n + 40] = -5.0f;
    CHECK(cudaMemcpy(a, matrix.data(), matrix.size() * sizeof(float), cudaMemcpyHostToDevice));
    const int refused = factor(a, n);
    CHECK(cudaFree(a));
    return verdict("lower times its transpose is the matrix", positive && close) | verdict("as on the host", host) |
           verdict("diagonal positive, nothing above it in its tile", triangle) |
           verdict("a matrix that is not positive is told", refused == 41);
}
