// Register-tiled matrix products in the ways people index them: what the assembler makes of plain scalar shared accesses.
#include "truth.h"

// One-dimensional arrays, A as it lies in memory: a column of results a thread.
template <int BM, int BN, int BK, int TM>
__global__ void column_1d(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float As[BM * BK], Bs[BK * BN];
    const unsigned row0 = blockIdx.y, col0 = blockIdx.x;
    const int thread_col = threadIdx.x % BN, thread_row = threadIdx.x / BN;
    A += row0 * BM * K;
    B += col0 * BN;
    C += row0 * BM * N + col0 * BN;
    const unsigned a_col = threadIdx.x % BK, a_row = threadIdx.x / BK;
    const unsigned b_col = threadIdx.x % BN, b_row = threadIdx.x / BN;
    float results[TM] = {0.0f};
    for (unsigned k0 = 0; k0 < K; k0 += BK) {
        As[a_row * BK + a_col] = A[a_row * K + a_col];
        Bs[b_row * BN + b_col] = B[b_row * N + b_col];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (unsigned k = 0; k < BK; ++k) {
            float b = Bs[k * BN + thread_col];
            for (unsigned i = 0; i < TM; ++i) results[i] += As[(thread_row * TM + i) * BK + k] * b;
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < TM; ++i) C[(thread_row * TM + i) * N + thread_col] = results[i];
}

// One-dimensional arrays, A as it lies in memory, TM x TN results, scalar fills in a loop.
template <int BM, int BN, int BK, int TM, int TN>
__global__ void block_1d(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float As[BM * BK], Bs[BK * BN];
    const unsigned row0 = blockIdx.y, col0 = blockIdx.x;
    constexpr unsigned kThreads = BM * BN / (TM * TN);
    const int thread_col = threadIdx.x % (BN / TN), thread_row = threadIdx.x / (BN / TN);
    A += row0 * BM * K;
    B += col0 * BN;
    C += row0 * BM * N + col0 * BN;
    const unsigned a_row = threadIdx.x / BK, a_col = threadIdx.x % BK, a_stride = kThreads / BK;
    const unsigned b_row = threadIdx.x / BN, b_col = threadIdx.x % BN, b_stride = kThreads / BN;
    float results[TM * TN] = {0.0f}, a[TM], b[TN];
    for (unsigned k0 = 0; k0 < K; k0 += BK) {
        for (unsigned o = 0; o < BM; o += a_stride) As[(a_row + o) * BK + a_col] = A[(a_row + o) * K + a_col];
        for (unsigned o = 0; o < BK; o += b_stride) Bs[(b_row + o) * BN + b_col] = B[(b_row + o) * N + b_col];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (unsigned k = 0; k < BK; ++k) {
            for (unsigned i = 0; i < TM; ++i) a[i] = As[(thread_row * TM + i) * BK + k];
            for (unsigned j = 0; j < TN; ++j) b[j] = Bs[k * BN + thread_col * TN + j];
            for (unsigned i = 0; i < TM; ++i)
                for (unsigned j = 0; j < TN; ++j) results[i * TN + j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < TM; ++i)
        for (unsigned j = 0; j < TN; ++j) C[(thread_row * TM + i) * N + thread_col * TN + j] = results[i * TN + j];
}

// One-dimensional arrays, A stored transposed, float4 fills, plain scalar reads, float4 results.
template <int BM, int BN, int BK, int TM, int TN>
__global__ void transposed_1d(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float As[BM * BK], Bs[BK * BN];
    const unsigned row0 = blockIdx.y, col0 = blockIdx.x;
    const int thread_col = threadIdx.x % (BN / TN), thread_row = threadIdx.x / (BN / TN);
    A += row0 * BM * K;
    B += col0 * BN;
    C += row0 * BM * N + col0 * BN;
    const unsigned a_row = threadIdx.x / (BK / 4), a_col = threadIdx.x % (BK / 4);
    const unsigned b_row = threadIdx.x / (BN / 4), b_col = threadIdx.x % (BN / 4);
    constexpr unsigned kThreads = BM * BN / (TM * TN), kRowsA = kThreads / (BK / 4), kRowsB = kThreads / (BN / 4);
    float results[TM * TN] = {0.0f}, a[TM], b[TN];
    for (unsigned k0 = 0; k0 < K; k0 += BK) {
        for (unsigned o = 0; o < BM; o += kRowsA) {
            float4 v = reinterpret_cast<const float4*>(&A[(a_row + o) * K + a_col * 4])[0];
            As[(a_col * 4 + 0) * BM + a_row + o] = v.x;
            As[(a_col * 4 + 1) * BM + a_row + o] = v.y;
            As[(a_col * 4 + 2) * BM + a_row + o] = v.z;
            As[(a_col * 4 + 3) * BM + a_row + o] = v.w;
        }
        for (unsigned o = 0; o < BK; o += kRowsB)
            reinterpret_cast<float4*>(&Bs[(b_row + o) * BN + b_col * 4])[0] =
                reinterpret_cast<const float4*>(&B[(b_row + o) * N + b_col * 4])[0];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (unsigned k = 0; k < BK; ++k) {
            for (unsigned i = 0; i < TM; ++i) a[i] = As[k * BM + thread_row * TM + i];
            for (unsigned j = 0; j < TN; ++j) b[j] = Bs[k * BN + thread_col * TN + j];
            for (unsigned i = 0; i < TM; ++i)
                for (unsigned j = 0; j < TN; ++j) results[i * TN + j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < TM; ++i)
        for (unsigned j = 0; j < TN; j += 4)
            reinterpret_cast<float4*>(&C[(thread_row * TM + i) * N + thread_col * TN + j])[0] =
                make_float4(results[i * TN + j], results[i * TN + j + 1], results[i * TN + j + 2], results[i * TN + j + 3]);
}

// Two-dimensional arrays and a two-dimensional block, A transposed; PAD floats behind every row.
template <int BM, int BN, int BK, int TM, int TN, int PAD>
__global__ void block_2d(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float As[BK][BM + PAD], Bs[BK][BN + PAD];
    const int tx = threadIdx.x, ty = threadIdx.y, t = ty * blockDim.x + tx;
    const int row = blockIdx.y * BM + ty * TM, col = blockIdx.x * BN + tx * TN;
    const int threads = blockDim.x * blockDim.y;
    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = t; i < BM * BK; i += threads) As[i % BK][i / BK] = A[(blockIdx.y * BM + i / BK) * K + k0 + i % BK];
        for (int i = t; i < BN * BK; i += threads) Bs[i / BN][i % BN] = B[(k0 + i / BN) * N + blockIdx.x * BN + i % BN];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i) a[i] = As[k][ty * TM + i];
#pragma unroll
            for (int j = 0; j < TN; ++j) b[j] = Bs[k][tx * TN + j];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) C[(row + i) * N + col + j] = sum[i][j];
}

// The same with the loop over k kept a loop, and with columns that lie apart.
template <int BM, int BN, int BK, int TM, int TN>
__global__ void rolled_2d(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float As[BK][BM], Bs[BK][BN];
    const int tx = threadIdx.x % (BN / TN), ty = threadIdx.x / (BN / TN), t = threadIdx.x;
    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = t; i < BM * BK; i += blockDim.x) As[i % BK][i / BK] = A[(blockIdx.y * BM + i / BK) * K + k0 + i % BK];
        for (int i = t; i < BN * BK; i += blockDim.x) Bs[i / BN][i % BN] = B[(k0 + i / BN) * N + blockIdx.x * BN + i % BN];
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) sum[i][j] += As[k][ty * TM + i] * Bs[k][tx + j * (BN / TN)];
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            C[(blockIdx.y * BM + ty * TM + i) * N + blockIdx.x * BN + tx + j * (BN / TN)] = sum[i][j];
}

// Tiles of warps: a warp owns WM x WN results, its lanes TM x TN of each of the pieces; indices by / and % of the lane.
template <int BM, int BN, int BK, int WM, int WN, int TM, int TN>
__global__ void warp_tiled(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float As[BM * BK], Bs[BK * BN];
    constexpr int kThreads = BM / WM * (BN / WN) * 32, SM = TM * 4, SN = TN * 8;
    constexpr int PM = WM / SM, PN = WN / SN;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int warp_col = warp % (BN / WN), warp_row = warp / (BN / WN);
    const int lane_col = lane % 8, lane_row = lane / 8;
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += (blockIdx.y * BM + warp_row * WM) * N + blockIdx.x * BN + warp_col * WN;
    const int a_row = threadIdx.x / (BK / 4), a_col = threadIdx.x % (BK / 4), a_rows = kThreads / (BK / 4);
    const int b_row = threadIdx.x / (BN / 4), b_col = threadIdx.x % (BN / 4), b_rows = kThreads / (BN / 4);
    float results[PM * TM * PN * TN] = {0.0f}, a[PM * TM], b[PN * TN];
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int o = 0; o + a_rows <= BM; o += a_rows) {
            const float4 v = reinterpret_cast<const float4*>(&A[(a_row + o) * K + a_col * 4])[0];
            As[(a_col * 4 + 0) * BM + a_row + o] = v.x;
            As[(a_col * 4 + 1) * BM + a_row + o] = v.y;
            As[(a_col * 4 + 2) * BM + a_row + o] = v.z;
            As[(a_col * 4 + 3) * BM + a_row + o] = v.w;
        }
        for (int o = 0; o + b_rows <= BK; o += b_rows)
            reinterpret_cast<float4*>(&Bs[(b_row + o) * BN + b_col * 4])[0] =
                reinterpret_cast<const float4*>(&B[(b_row + o) * N + b_col * 4])[0];
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            for (int p = 0; p < PM; ++p)
                for (int i = 0; i < TM; ++i) a[p * TM + i] = As[k * BM + warp_row * WM + p * SM + lane_row * TM + i];
            for (int p = 0; p < PN; ++p)
                for (int j = 0; j < TN; ++j) b[p * TN + j] = Bs[k * BN + warp_col * WN + p * SN + lane_col * TN + j];
            for (int p = 0; p < PM; ++p)
                for (int q = 0; q < PN; ++q)
                    for (int i = 0; i < TM; ++i)
                        for (int j = 0; j < TN; ++j)
                            results[(p * TM + i) * (PN * TN) + q * TN + j] += a[p * TM + i] * b[q * TN + j];
        }
        A += BK;
        B += BK * N;
        __syncthreads();
    }
    for (int p = 0; p < PM; ++p)
        for (int q = 0; q < PN; ++q)
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    C[(p * SM + lane_row * TM + i) * N + q * SN + lane_col * TN + j] = results[(p * TM + i) * (PN * TN) + q * TN + j];
}

// Dynamic shared memory, both tiles behind one pointer, double-buffered by exclusive or of an offset.
template <int BM, int BN, int BK, int TM, int TN>
__global__ void buffered_dynamic(const float* A, const float* B, float* C, int M, int N, int K) {
    extern __shared__ float cells[];
    constexpr int kTile = BK * (BM + BN), kThreads = BM * BN / (TM * TN);
    const int t = threadIdx.x, tx = t % (BN / TN), ty = t / (BN / TN);
    float sum[TM][TN] = {};
    int at = 0;
    auto fill = [&](int k0, float* to) {
        for (int i = t; i < BM * BK; i += kThreads) to[i % BK * BM + i / BK] = A[(blockIdx.y * BM + i / BK) * K + k0 + i % BK];
        for (int i = t; i < BN * BK; i += kThreads) to[BK * BM + i] = B[(k0 + i / BN) * N + blockIdx.x * BN + i % BN];
    };
    fill(0, cells);
    __syncthreads();
    for (int k0 = 0; k0 < K; k0 += BK) {
        if (k0 + BK < K) fill(k0 + BK, cells + (at ^ kTile));
        const float *As = cells + at, *Bs = As + BK * BM;
#pragma unroll
        for (int k = 0; k < BK; ++k)
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j) sum[i][j] += As[k * BM + ty * TM + i] * Bs[k * BN + tx * TN + j];
        __syncthreads();
        at ^= kTile;
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) C[(blockIdx.y * BM + ty * TM + i) * N + blockIdx.x * BN + tx * TN + j] = sum[i][j];
}

// Results collected in shared memory before they go out, in doubles: neighbouring stores.
template <int BM, int BK, int TM>
__global__ void doubles_staged(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ double As[BK][BM], Bs[BK][BM], Cs[BM][BM / 4];
    const int t = threadIdx.x, tx = t % (BM / TM), ty = t / (BM / TM), threads = BM / TM * (BM / TM);
    double sum[TM][TM] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = t; i < BM * BK; i += threads) {
            As[i % BK][i / BK] = A[(blockIdx.y * BM + i / BK) * K + k0 + i % BK];
            Bs[i / BM][i % BM] = B[(k0 + i / BM) * N + blockIdx.x * BM + i % BM];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k)
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TM; ++j) sum[i][j] += As[k][ty * TM + i] * Bs[k][tx * TM + j];
        __syncthreads();
    }
    for (int quarter = 0; quarter < 4; ++quarter) {
        if (tx / (BM / TM / 4) == quarter)
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TM; ++j) Cs[ty * TM + i][tx % (BM / TM / 4) * TM + j] = sum[i][j];
        __syncthreads();
        for (int i = t; i < BM * BM / 4; i += threads)
            C[(blockIdx.y * BM + i / (BM / 4)) * N + blockIdx.x * BM + quarter * (BM / 4) + i % (BM / 4)] =
                static_cast<float>(Cs[i / (BM / 4)][i % (BM / 4)]);
        __syncthreads();
    }
}

int main() {
    const int W = 256;
    float *A = floats(W * W), *B = floats(W * W), *C = floats(W * W);
    dim3 g64(W / 64, W / 64), g128(W / 128, W / 128);
    CASE("column_1d_64", C, W * W, (column_1d<64, 64, 8, 8><<<g64, 512>>>(A, B, C, W, W, W)));
    CASE("block_1d_64", C, W * W, (block_1d<64, 64, 8, 4, 4><<<g64, 256>>>(A, B, C, W, W, W)));
    CASE("block_1d_128", C, W * W, (block_1d<128, 128, 8, 8, 8><<<g128, 256>>>(A, B, C, W, W, W)));
    CASE("transposed_1d_64", C, W * W, (transposed_1d<64, 64, 16, 4, 4><<<g64, 256>>>(A, B, C, W, W, W)));
    CASE("transposed_1d_128", C, W * W, (transposed_1d<128, 128, 8, 8, 8><<<g128, 256>>>(A, B, C, W, W, W)));
    CASE("transposed_1d_64_8x4", C, W * W, (transposed_1d<64, 64, 8, 8, 4><<<g64, 128>>>(A, B, C, W, W, W)));
    CASE("block_2d_64_pad0", C, W * W, (block_2d<64, 64, 16, 4, 4, 0><<<g64, dim3(16, 16)>>>(A, B, C, W, W, W)));
    CASE("block_2d_64_pad1", C, W * W, (block_2d<64, 64, 16, 4, 4, 1><<<g64, dim3(16, 16)>>>(A, B, C, W, W, W)));
    CASE("block_2d_64_pad2", C, W * W, (block_2d<64, 64, 16, 4, 4, 2><<<g64, dim3(16, 16)>>>(A, B, C, W, W, W)));
    CASE("block_2d_64_pad4", C, W * W, (block_2d<64, 64, 16, 4, 4, 4><<<g64, dim3(16, 16)>>>(A, B, C, W, W, W)));
    CASE("block_2d_128", C, W * W, (block_2d<128, 128, 8, 8, 8, 0><<<g128, dim3(16, 16)>>>(A, B, C, W, W, W)));
    CASE("block_2d_96_6x6", C, 192 * W, (block_2d<96, 96, 8, 6, 6, 0><<<dim3(2, 2), dim3(16, 16)>>>(A, B, C, W, W, W)));
    CASE("rolled_2d_64", C, W * W, (rolled_2d<64, 64, 16, 4, 4><<<g64, 256>>>(A, B, C, W, W, W)));
    CASE("rolled_2d_128", C, W * W, (rolled_2d<128, 128, 8, 8, 8><<<g128, 256>>>(A, B, C, W, W, W)));
    CASE("warp_tiled_128", C, W * W, (warp_tiled<128, 128, 16, 64, 64, 8, 4><<<g128, 128>>>(A, B, C, W, W, W)));
    CASE("warp_tiled_64", C, W * W, (warp_tiled<64, 64, 16, 32, 32, 4, 4><<<g64, 128>>>(A, B, C, W, W, W)));
    CASE("buffered_dynamic_64", C, W * W, (buffered_dynamic<64, 64, 8, 4, 4><<<g64, 256, 2 * 8 * 128 * 4>>>(A, B, C, W, W, W)));
    CASE("doubles_staged_32", C, W * W, (doubles_staged<32, 8, 4><<<dim3(8, 8), 64>>>(A, B, C, W, W, W)));
    return 0;
}
