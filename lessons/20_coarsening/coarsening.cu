// One idea at two levels: what a block needs twice lies in shared memory, what a thread needs twice in registers.
//
//   coarsening         one result a thread, then 4 x 1, 4 x 4 and 8 x 8
//
// Build it alone: nvcc -std=c++17 coarsening.cu
#include "../lesson.h"

constexpr int kWidth = 256, kDepth = 8, kSide = 16;  // blocks of 16 x 16 threads

// A block makes a square of kSide * kRows by kSide * kColumns results, a thread kRows x kColumns of them, 16 apart. In
// each step of k it reads kRows + kColumns floats from shared memory and makes kRows * kColumns multiply-adds of them.
template <int kRows, int kColumns>
__device__ void multiply(const float* M, const float* N, float* P) {
    constexpr int kHigh = kSide * kRows, kWide = kSide * kColumns, kThreads = kSide * kSide;
    __shared__ float m_tile[kDepth][kHigh + 4], n_tile[kDepth][kWide];
    const int x = threadIdx.x, y = threadIdx.y, thread = y * kSide + x;
    const int first_row = blockIdx.y * kHigh, first_column = blockIdx.x * kWide;
    float sums[kRows][kColumns] = {};
    for (int first_k = 0; first_k < kWidth; first_k += kDepth) {
        for (int i = thread; i < kHigh * kDepth; i += kThreads)
            m_tile[i % kDepth][i / kDepth] = M[(first_row + i / kDepth) * kWidth + first_k + i % kDepth];  // [fetch]
        for (int i = thread; i < kDepth * kWide; i += kThreads)
            n_tile[i / kWide][i % kWide] = N[(first_k + i / kWide) * kWidth + first_column + i % kWide];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            float row[kRows], column[kColumns];
#pragma unroll
            for (int i = 0; i < kRows; ++i) row[i] = m_tile[k][y + kSide * i];  // [row]
#pragma unroll
            for (int j = 0; j < kColumns; ++j) column[j] = n_tile[k][x + kSide * j];  // [column]
#pragma unroll
            for (int i = 0; i < kRows; ++i)
#pragma unroll
                for (int j = 0; j < kColumns; ++j) sums[i][j] += row[i] * column[j];  // [multiply]
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i)
#pragma unroll
        for (int j = 0; j < kColumns; ++j)
            P[(first_row + y + kSide * i) * kWidth + first_column + x + kSide * j] = sums[i][j];
}
__global__ void one_by_one(const float* M, const float* N, float* P) { multiply<1, 1>(M, N, P); }
__global__ void four_by_one(const float* M, const float* N, float* P) { multiply<4, 1>(M, N, P); }
__global__ void four_by_four(const float* M, const float* N, float* P) { multiply<4, 4>(M, N, P); }
__global__ void eight_by_eight(const float* M, const float* N, float* P) { multiply<8, 8>(M, N, P); }

int main() {
    const std::vector<float> M = eighths(kWidth * kWidth, 1), N = eighths(kWidth * kWidth, 2);
    std::vector<float> want(kWidth * kWidth);
    for (int row = 0; row < kWidth; ++row)
        for (int k = 0; k < kWidth; ++k)
            for (int column = 0; column < kWidth; ++column)
                want[row * kWidth + column] += M[row * kWidth + k] * N[k * kWidth + column];
    const float *d_M = to_device(M), *d_N = to_device(N);
    Verdict verdict;
    const auto run = [&](const char* name, void (*kernel)(const float*, const float*, float*), int rows, int columns) {
        float* d_P = device_buffer<float>(want.size());
        const dim3 block(kSide, kSide), grid(kWidth / kSide / columns, kWidth / kSide / rows);
        launch(name, [&] { kernel<<<grid, block>>>(d_M, d_N, d_P); });
        verdict.equal(name, to_host(d_P, want.size()), want);
    };
    run("1 x 1", one_by_one, 1, 1);
    run("4 x 1", four_by_one, 4, 1);
    run("4 x 4", four_by_four, 4, 4);
    run("8 x 8", eight_by_eight, 8, 8);
    return verdict.status();
}
