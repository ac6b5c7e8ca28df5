// A matrix into a lower and an upper triangle, column by column with row pivots; then two triangular solves.
#include <cmath>
#include <utility>

#include "program.cuh"

// The row of the largest entry of a column at or below the diagonal; the first of equals. One block.
__global__ void find_pivot(const double* a, int n, int k, int* pivots, int* singular) {
    __shared__ double best[32];
    __shared__ int at[32];
    const int t = threadIdx.x;
    best[t] = -1.0, at[t] = n;
    for (int r = k + t; r < n; r += blockDim.x) {
        const double size = fabs(a[r * n + k]);
        if (size > best[t]) best[t] = size, at[t] = r;
    }
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        __syncthreads();
        if (t < half && (best[t + half] > best[t] || (best[t + half] == best[t] && at[t + half] < at[t])))
            best[t] = best[t + half], at[t] = at[t + half];
    }
    if (t == 0) {
        pivots[k] = at[0];
        if (best[0] == 0.0) *singular = k + 1;
    }
}
__global__ void swap_rows(double* a, int n, int k, const int* pivots) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, other = pivots[k];
    if (c >= n || other == k) return;
    const double held = a[k * n + c];
    a[k * n + c] = a[other * n + c];
    a[other * n + c] = held;
}
__global__ void scale_column(double* a, int n, int k) {
    const int r = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) a[r * n + k] /= a[k * n + k];
}
__global__ void update_rest(double* a, int n, int k) {
    __shared__ double column[8], row[16];
    const int c0 = k + 1 + blockIdx.x * 16, r0 = k + 1 + blockIdx.y * 8;
    const int c = c0 + threadIdx.x, r = r0 + threadIdx.y;
    if (threadIdx.y == 0 && c < n) row[threadIdx.x] = a[k * n + c];
    if (threadIdx.x == 0 && r < n) column[threadIdx.y] = a[r * n + k];
    __syncthreads();
    if (r < n && c < n) a[r * n + c] -= column[threadIdx.y] * row[threadIdx.x];
}
// Forward, then back, one block: an unknown a step, the others' right sides made less by its share.
__global__ void solve(const double* lu, int n, const int* pivots, double* x) {
    if (threadIdx.x == 0)
        for (int k = 0; k < n; ++k) {
            const double held = x[k];
            x[k] = x[pivots[k]], x[pivots[k]] = held;
        }
    for (int k = 0; k < n; ++k) {
        __syncthreads();
        for (int r = k + 1 + threadIdx.x; r < n; r += blockDim.x) x[r] -= lu[r * n + k] * x[k];
    }
    for (int k = n - 1; k >= 0; --k) {
        __syncthreads();
        if (threadIdx.x == 0) x[k] /= lu[k * n + k];
        __syncthreads();
        for (int r = threadIdx.x; r < k; r += blockDim.x) x[r] -= lu[r * n + k] * x[k];
    }
}

int main() {
    constexpr int n = 45;
    std::vector<double> matrix(n * n), right(n), wanted(n);
    for (unsigned i = 0; i < n * n; ++i) matrix[i] = static_cast<int>((i * 2654435761u) >> 16) % 2001 / 1000.0 - 1.0;
    for (int i = 0; i < n; i += 4) matrix[i * n + i] = 0.0;  // no elimination without pivots
    for (int i = 0; i < n; ++i) wanted[i] = 1.0 + 0.25 * (i % 7);
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c) right[r] += matrix[r * n + c] * wanted[c];

    double *a = to_device(matrix), *x = to_device(right);
    int *pivots = to_device(std::vector<int>(n, -1)), *singular = to_device(std::vector<int>(1, 0));
    for (int k = 0; k < n; ++k) {
        find_pivot<<<1, 32>>>(a, n, k, pivots, singular);
        swap_rows<<<(n + 31) / 32, 32>>>(a, n, k, pivots);
        if (const int rest = n - k - 1; rest > 0) {
            scale_column<<<(rest + 31) / 32, 32>>>(a, n, k);
            update_rest<<<dim3((rest + 15) / 16, (rest + 7) / 8), dim3(16, 8)>>>(a, n, k);
        }
        CHECK(cudaGetLastError());
    }
    solve<<<1, 64>>>(a, n, pivots, x);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const std::vector<double> lu = to_host(a, n * n), found = to_host(x, n);
    const std::vector<int> order = to_host(pivots, n);

    bool in_range = to_host(singular, 1)[0] == 0, moved = false, bounded = true, factored = true, solved = true;
    std::vector<double> permuted = matrix;
    for (int k = 0; k < n && in_range; ++k) {
        in_range = order[k] >= k && order[k] < n;
        moved |= order[k] != k;
        for (int c = 0; c < n && in_range; ++c) std::swap(permuted[k * n + c], permuted[order[k] * n + c]);
    }
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c) {
            double sum = r <= c ? lu[r * n + c] : 0.0;  // the lower triangle's diagonal is 1
            for (int k = 0; k < r && k <= c; ++k) sum += lu[r * n + k] * lu[k * n + c];
            factored &= std::abs(sum - permuted[r * n + c]) < 1e-12;
            if (c < r) bounded &= std::abs(lu[r * n + c]) <= 1.0;
        }
        solved &= std::abs(found[r] - wanted[r]) < 1e-9;
    }
    for (void* p : {(void*)a, (void*)x, (void*)pivots, (void*)singular}) CHECK(cudaFree(p));
    return verdict("rows were exchanged", in_range && moved) | verdict("factors are at most 1", bounded) |
           verdict("lower times upper is the matrix", factored) | verdict("equations are solved", solved);
}
