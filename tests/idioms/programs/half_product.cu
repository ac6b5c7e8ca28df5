// Products of matrices of halves: one at a time summed in floats, two at a time in __half2, and a vector of pairs.
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>

#include "program.cuh"

constexpr int tile = 16;

__global__ void to_halves(const float* in, __half* out, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        out[i] = __float2half_rn(in[i]);
}

// c = a * b, tiles in shared memory, summed in floats.
__global__ void multiply(const __half* a, const __half* b, float* c, int m, int n, int k) {
    __shared__ __half as[tile][tile + 2], bs[tile][tile + 2];
    const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < k; first += tile) {
        const int ax = first + threadIdx.x, by = first + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < m && ax < k ? a[row * k + ax] : __float2half(0.0f);
        bs[threadIdx.y][threadIdx.x] = by < k && column < n ? b[by * n + column] : __float2half(0.0f);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < tile; ++i) sum += __half2float(as[threadIdx.y][i]) * __half2float(bs[i][threadIdx.x]);
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

// Two columns a thread, summed in halves: n is even.
__global__ void multiply_pairs(const __half* a, const __half* b, __half* c, int m, int n, int k) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || 2 * pair >= n) return;
    const __half2* pairs = reinterpret_cast<const __half2*>(b);
    __half2 sum = __float2half2_rn(0.0f);
    for (int i = 0; i < k; ++i) sum = __hfma2(__half2half2(a[row * k + i]), pairs[(i * n) / 2 + pair], sum);
    reinterpret_cast<__half2*>(c)[(row * n) / 2 + pair] = sum;
}

// y = relu(a * x + bias): a warp a row, with operators, shuffles of __half2 and comparisons.
__global__ void rows_times_vector(const half2* a, const half2* x, const half* bias, half* y, int pairs) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    half2 sum = make_half2(half(0.0f), half(0.0f));
    for (int i = threadIdx.x; i < pairs; i += 32) sum += a[row * pairs + i] * x[i];
    for (int d = 16; d > 0; d >>= 1) sum = __hadd2(sum, __shfl_down_sync(0xffffffffu, sum, d));
    if (threadIdx.x == 0) {
        const half total = __low2half(sum) + __high2half(sum) + bias[row];
        y[row] = __hgt(total, __ushort_as_half(0)) ? total : __ushort_as_half(0);
    }
}

std::vector<__half> rounded(const std::vector<float>& values) {
    std::vector<__half> result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) result[i] = __float2half(values[i]);
    return result;
}

int main() {
    constexpr int m = 45, n = 38, k = 52;
    std::vector<float> a(m * k), b(k * n), bias(48);
    for (int i = 0; i < m * k; ++i) a[i] = std::sin(i * 0.61f);
    for (int i = 0; i < k * n; ++i) b[i] = std::cos(i * 0.23f) * 0.5f;
    for (int i = 0; i < 48; ++i) bias[i] = (i % 9 - 4) * 0.25f;
    const std::vector<__half> ha = rounded(a), hb = rounded(b), hbias = rounded(bias);
    std::vector<double> expected(m * n);
    for (int r = 0; r < m; ++r)
        for (int c = 0; c < n; ++c)
            for (int i = 0; i < k; ++i)
                expected[r * n + c] += static_cast<double>(__half2float(ha[r * k + i])) * __half2float(hb[i * n + c]);

    float *fa = to_device(a), *fb = to_device(b), *fc;
    __half *da, *db, *dc, *dbias = to_device(hbias), *y;
    CHECK(cudaMalloc(&da, m * k * sizeof(__half)));
    CHECK(cudaMalloc(&db, k * n * sizeof(__half)));
    CHECK(cudaMalloc(&dc, m * n * sizeof(__half)));
    CHECK(cudaMalloc(&fc, m * n * sizeof(float)));
    CHECK(cudaMalloc(&y, 48 * sizeof(__half)));
    to_halves<<<4, 128>>>(fa, da, m * k);
    to_halves<<<4, 128>>>(fb, db, k * n);
    multiply<<<dim3((n + tile - 1) / tile, (m + tile - 1) / tile), dim3(tile, tile)>>>(da, db, fc, m, n, k);
    multiply_pairs<<<dim3((n / 2 + 7) / 8, (m + 7) / 8), dim3(8, 8)>>>(da, db, dc, m, n, k);
    // The first 44 rows of a, and a vector from b's first k elements.
    rows_times_vector<<<11, dim3(32, 4)>>>(reinterpret_cast<half2*>(da), reinterpret_cast<half2*>(db), dbias, y, k / 2);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    double worst = 0, worst_pairs = 0, worst_rows = 0;
    const std::vector<float> c = to_host(fc, m * n);
    const std::vector<__half> pairs = to_host(dc, m * n), rows = to_host(y, 44);
    for (int i = 0; i < m * n; ++i) {
        worst = std::max(worst, std::abs(c[i] - expected[i]));
        worst_pairs = std::max(worst_pairs, std::abs(__half2float(pairs[i]) - expected[i]));
    }
    for (int r = 0; r < 44; ++r) {
        double sum = __half2float(hbias[r]);
        for (int i = 0; i < k; ++i) sum += static_cast<double>(__half2float(ha[r * k + i])) * __half2float(hb[i]);
        worst_rows = std::max(worst_rows, std::abs(__half2float(rows[r]) - std::max(sum, 0.0)));
    }
    int bad = verdict("halves summed in floats", worst < 1e-5);
    bad += verdict("pairs of halves", worst_pairs < 0.05);
    bad += verdict("rows times a vector", worst_rows < 0.05);
    for (float* p : {fa, fb, fc}) CHECK(cudaFree(p));
    for (__half* p : {da, db, dc, dbias, y}) CHECK(cudaFree(p));
    return bad;
}
