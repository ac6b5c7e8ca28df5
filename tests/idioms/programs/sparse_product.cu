// A sparse matrix times a vector three ways: a thread a compressed row, a warp a compressed row, and padded rows (ELL).
#include <algorithm>
#include <cmath>

#include "program.cuh"

template <typename T>
__global__ void thread_a_row(int rows, const int* __restrict__ starts, const int* __restrict__ columns,
                             const T* __restrict__ values, const T* __restrict__ x, T* __restrict__ y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    T sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * __ldg(&x[columns[k]]);
    y[row] = sum;
}
template <typename T>
__global__ void warp_a_row(int rows, const int* __restrict__ starts, const int* __restrict__ columns,
                           const T* __restrict__ values, const T* __restrict__ x, T* __restrict__ y) {
    const int lane = threadIdx.x & (warpSize - 1);
    const int warps = gridDim.x * blockDim.x / warpSize;
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize; row < rows; row += warps) {
        T sum = 0;
        for (int k = starts[row] + lane; k < starts[row + 1]; k += warpSize) sum += values[k] * x[columns[k]];
#pragma unroll
        for (int m = 16; m > 0; m >>= 1) sum += __shfl_down_sync(0xffffffff, sum, m);
        if (lane == 0) y[row] = sum;
    }
}
// Entry k of every row lies together, so that neighbouring threads read neighbouring words; column -1 pads.
template <typename T>
__global__ void padded_rows(int rows, int width, const int* __restrict__ columns, const T* __restrict__ values,
                            const T* __restrict__ x, T* __restrict__ y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    T sum = 0;
    for (int k = 0; k < width; ++k) {
        const int column = columns[k * rows + row];
        if (column < 0) break;
        sum += values[k * rows + row] * x[column];
    }
    y[row] = sum;
}

template <typename T>
int products(const char* by_threads, const char* by_warps, const char* padded, double tolerance) {
    constexpr int rows = 700, width_of_matrix = 500;
    std::vector<int> starts = {0}, columns;
    std::vector<T> values, x(width_of_matrix);
    int widest = 0;
    for (int r = 0; r < rows; ++r) {
        const int count = r % 11 == 5 ? 0 : r % 97 == 3 ? 80 : 3 + r * 7 % 13;  // rows without entries, rows with many
        for (int k = 0; k < count; ++k) {
            columns.push_back((r * 31 + k * 6) % width_of_matrix);
            values.push_back(static_cast<T>(std::sin(r * 0.37 + k)));
        }
        starts.push_back(static_cast<int>(columns.size()));
        widest = std::max(widest, count);
    }
    for (int c = 0; c < width_of_matrix; ++c) x[c] = static_cast<T>(std::cos(c * 0.11));
    std::vector<double> expected(rows);
    std::vector<int> ell_columns(static_cast<size_t>(widest) * rows, -1);
    std::vector<T> ell_values(ell_columns.size());
    for (int r = 0; r < rows; ++r)
        for (int k = starts[r]; k < starts[r + 1]; ++k) {
            expected[r] += static_cast<double>(values[k]) * x[columns[k]];
            ell_columns[(k - starts[r]) * rows + r] = columns[k];
            ell_values[(k - starts[r]) * rows + r] = values[k];
        }

    int *s = to_device(starts), *c = to_device(columns), *ec = to_device(ell_columns);
    T *v = to_device(values), *ev = to_device(ell_values), *in = to_device(x), *out;
    CHECK(cudaMalloc(&out, rows * sizeof(T)));
    const auto near = [&](const char* what) {
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        const std::vector<T> found = to_host(out, rows);
        bool close = true;
        for (int r = 0; r < rows; ++r) close &= std::abs(found[r] - expected[r]) <= tolerance;
        CHECK(cudaMemset(out, 0xff, rows * sizeof(T)));  // not a number, for the next
        return verdict(what, close);
    };
    thread_a_row<T><<<(rows + 127) / 128, 128>>>(rows, s, c, v, in, out);
    int status = near(by_threads);
    warp_a_row<T><<<20, 128>>>(rows, s, c, v, in, out);
    status |= near(by_warps);
    padded_rows<T><<<(rows + 127) / 128, 128>>>(rows, widest, ec, ev, in, out);
    status |= near(padded);
    for (int* p : {s, c, ec}) CHECK(cudaFree(p));
    for (T* p : {v, ev, in, out}) CHECK(cudaFree(p));
    return status;
}

int main() {
    return products<float>("float, a thread a row", "float, a warp a row", "float, padded rows", 1e-5) |
           products<double>("double, a thread a row", "double, a warp a row", "double, padded rows", 1e-12);
}
