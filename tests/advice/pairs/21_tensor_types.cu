// Products of short types by ordinary arithmetic, and by tensor cores: f16 and bf16 as they are and made float, bytes
// by dp4a. All are 2048 x 2048 x 512, of factors so small that every sum is exact in every type.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "pairs.h"

using namespace pairs;
using namespace nvcuda;

using Half = half;
using Brain = __nv_bfloat16;

// What comes to the tile of a block of 256 threads: 8 rows of B and 128 columns, A turned.
constexpr int kTile = 128, kDepth = 8, kPadded = kTile + 8;

template <class To, class T>
__device__ To made(T value) {
    return static_cast<To>(value);
}
// Four elements each; what is kept may be another type.
template <class T, class Kept>
__device__ void bring_tile(Kept (&left)[kDepth][kPadded], Kept (&right)[kDepth][kPadded], const T* a, const T* b, int n,
                           int k, int at) {
    const int row = threadIdx.x / 2, piece = threadIdx.x % 2 * 4, line = threadIdx.x / 32,
              column = threadIdx.x % 32 * 4;
    const uint2 of_a = *reinterpret_cast<const uint2*>(a + (blockIdx.y * kTile + row) * k + at + piece);
    const uint2 of_b = *reinterpret_cast<const uint2*>(b + (at + line) * n + blockIdx.x * kTile + column);
    __syncthreads();
    for (int e = 0; e < 4; ++e) left[piece + e][row] = made<Kept>(reinterpret_cast<const T*>(&of_a)[e]);
    for (int e = 0; e < 4; ++e) right[line][column + e] = made<Kept>(reinterpret_cast<const T*>(&of_b)[e]);
    __syncthreads();
}
// Four results that lie side by side.
__device__ void put(float* to, const float* from) {
    *reinterpret_cast<float4*>(to) = {from[0], from[1], from[2], from[3]};
}

// As they are, in pairs: 8 x 4 pairs a thread.
__device__ __half2 both(Half value) { return __half2half2(value); }
__device__ __nv_bfloat162 both(Brain value) { return __bfloat162bfloat162(value); }
__global__ void tensor_half2_before(const Half* a, const Half* b, Half* c, int n, int k) {
    __shared__ __align__(16) Half left[kDepth][kPadded], right[kDepth][kPadded];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    __half2 sums[8][4];
    for (auto& line : sums)
        for (auto& one : line) one = both(Half(0));
    for (int at = 0; at < k; at += kDepth) {
        bring_tile(left, right, a, b, n, k, at);
#pragma unroll
        for (int p = 0; p < kDepth; ++p) {
            __half2 column[4];
            *reinterpret_cast<uint4*>(column) = *reinterpret_cast<const uint4*>(&right[p][x * 8]);
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 4; ++j)
                    sums[i][j] = __hfma2(both(left[p][y * 8 + i]), column[j], sums[i][j]);  // fault: tensor_half2
        }
    }
    for (int i = 0; i < 8; ++i)
        *reinterpret_cast<uint4*>(c + (blockIdx.y * kTile + y * 8 + i) * n + blockIdx.x * kTile + x * 8) =
            *reinterpret_cast<const uint4*>(sums[i]);
}
__global__ void tensor_bf162_before(const Brain* a, const Brain* b, Brain* c, int n, int k) {
    __shared__ __align__(16) Brain left[kDepth][kPadded], right[kDepth][kPadded];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    __nv_bfloat162 sums[8][4];
    for (auto& line : sums)
        for (auto& one : line) one = both(Brain(0.0f));
    for (int at = 0; at < k; at += kDepth) {
        bring_tile(left, right, a, b, n, k, at);
#pragma unroll
        for (int p = 0; p < kDepth; ++p) {
            __nv_bfloat162 column[4];
            *reinterpret_cast<uint4*>(column) = *reinterpret_cast<const uint4*>(&right[p][x * 8]);
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 4; ++j)
                    sums[i][j] = __hfma2(both(left[p][y * 8 + i]), column[j], sums[i][j]);  // fault: tensor_bf162
        }
    }
    for (int i = 0; i < 8; ++i)
        *reinterpret_cast<uint4*>(c + (blockIdx.y * kTile + y * 8 + i) * n + blockIdx.x * kTile + x * 8) =
            *reinterpret_cast<const uint4*>(sums[i]);
}

// Made float at each multiply-add, as one writes it first.
__global__ void tensor_half_before(const Half* a, const Half* b, float* c, int n, int k) {
    __shared__ __align__(16) Half left[kDepth][kPadded], right[kDepth][kPadded];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    float sums[8][8] = {};
    for (int at = 0; at < k; at += kDepth) {
        bring_tile(left, right, a, b, n, k, at);
#pragma unroll
        for (int p = 0; p < kDepth; ++p) {
            Half row[8], column[8];
            *reinterpret_cast<uint4*>(row) = *reinterpret_cast<const uint4*>(&left[p][y * 8]);
            *reinterpret_cast<uint4*>(column) = *reinterpret_cast<const uint4*>(&right[p][x * 8]);
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j)
                    sums[i][j] += __half2float(row[i]) * __half2float(column[j]);  // fault: tensor_half
        }
    }
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; j += 4)
            put(c + (blockIdx.y * kTile + y * 8 + i) * n + blockIdx.x * kTile + x * 8 + j, &sums[i][j]);
}
// Made float once, on the way to the tile.
__global__ void tensor_bf16_before(const Brain* a, const Brain* b, float* c, int n, int k) {
    __shared__ __align__(16) float left[kDepth][kPadded], right[kDepth][kPadded];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    float sums[8][8] = {};
    for (int at = 0; at < k; at += kDepth) {
        bring_tile(left, right, a, b, n, k, at);
#pragma unroll
        for (int p = 0; p < kDepth; ++p) {
            float row[8], column[8];
            for (int i = 0; i < 8; i += 4) put(row + i, &left[p][y * 4 + i * 16]);
            for (int j = 0; j < 8; j += 4) put(column + j, &right[p][x * 4 + j * 16]);
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j) sums[i][j] += row[i] * column[j];  // fault: tensor_bf16
        }
    }
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; j += 4)
            put(c + (blockIdx.y * kTile + y * 4 + i / 4 * 64 + i % 4) * n + blockIdx.x * kTile + x * 4 + j * 16,
                &sums[i][j]);
}
// By wmma: 8 warps of 32 x 64 results, out of tiles of 128 x 32 and 32 x 128.
constexpr int kSlice = 32, kRowOfLeft = kSlice + 8, kRowOfRight = kTile + 8;
template <class T, class Sum>
struct WmmaTile {
    wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> sums[2][4];
    int row, column;

    __device__ void multiply(const T* a, const T* b, int n, int k) {
        __shared__ __align__(32) T left[kTile][kRowOfLeft], right[kSlice][kRowOfRight];
        const int warp = threadIdx.x / 32;
        row = warp / 2 * 32, column = warp % 2 * 64;
        for (auto& line : sums)
            for (auto& one : line) wmma::fill_fragment(one, Sum(0.0f));
        for (int at = 0; at < k; at += kSlice) {
            __syncthreads();
            for (int i = threadIdx.x; i < kTile * kSlice / 8; i += 256) {
                *reinterpret_cast<uint4*>(&left[i / 4][i % 4 * 8]) =
                    *reinterpret_cast<const uint4*>(a + (blockIdx.y * kTile + i / 4) * k + at + i % 4 * 8);
                *reinterpret_cast<uint4*>(&right[i / 16][i % 16 * 8]) =
                    *reinterpret_cast<const uint4*>(b + (at + i / 16) * n + blockIdx.x * kTile + i % 16 * 8);
            }
            __syncthreads();
            for (int step = 0; step < kSlice; step += 16) {
                wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> rows[2];
                wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major> columns[4];
                for (int i = 0; i < 2; ++i) wmma::load_matrix_sync(rows[i], &left[row + i * 16][step], kRowOfLeft);
                for (int j = 0; j < 4; ++j)
                    wmma::load_matrix_sync(columns[j], &right[step][column + j * 16], kRowOfRight);
                for (int i = 0; i < 2; ++i)
                    for (int j = 0; j < 4; ++j) wmma::mma_sync(sums[i][j], rows[i], columns[j], sums[i][j]);
            }
        }
    }
    __device__ void store(Sum* c, int n) {
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 4; ++j)
                wmma::store_matrix_sync(
                    c + (blockIdx.y * kTile + row + i * 16) * n + blockIdx.x * kTile + column + j * 16, sums[i][j], n,
                    wmma::mem_row_major);
    }
};
__global__ void tensor_half2_after(const Half* a, const Half* b, Half* c, int n, int k) {
    WmmaTile<Half, Half> tile;
    tile.multiply(a, b, n, k);
    tile.store(c, n);
}
__global__ void tensor_half_after(const Half* a, const Half* b, float* c, int n, int k) {
    WmmaTile<Half, float> tile;
    tile.multiply(a, b, n, k);
    tile.store(c, n);
}
__global__ void tensor_bf16_after(const Brain* a, const Brain* b, float* c, int n, int k) {
    WmmaTile<Brain, float> tile;
    tile.multiply(a, b, n, k);
    tile.store(c, n);
}
// Sums of bf16 are floats; a warp's sixteen rows become bf16 by way of shared memory.
__global__ void tensor_bf162_after(const Brain* a, const Brain* b, Brain* c, int n, int k) {
    __shared__ __align__(32) float sums[8][16][20];
    WmmaTile<Brain, float> tile;
    tile.multiply(a, b, n, k);
    auto& of_warp = sums[threadIdx.x / 32];
    const int lane = threadIdx.x % 32, line = lane / 2, piece = lane % 2 * 8;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
            wmma::store_matrix_sync(of_warp[0], tile.sums[i][j], 20, wmma::mem_row_major);
            __syncwarp();
            __align__(16) Brain short_sums[8];
            for (int e = 0; e < 8; ++e) short_sums[e] = __float2bfloat16(of_warp[line][piece + e]);
            *reinterpret_cast<uint4*>(c + (blockIdx.y * kTile + tile.row + i * 16 + line) * n + blockIdx.x * kTile +
                                      tile.column + j * 16 + piece) = *reinterpret_cast<const uint4*>(short_sums);
            __syncwarp();
        }
}

// Bytes, B by columns: words of four along k. 8 x 8 results a thread.
constexpr int kWords = 8;
__global__ void tensor_bytes_before(const int* a, const int* b, int* c, int n, int k) {
    __shared__ __align__(16) int left[kWords][kTile + 4], right[kWords][kTile + 4];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16, row = threadIdx.x / 2, piece = threadIdx.x % 2 * 4;
    int sums[8][8] = {};
    for (int at = 0; at < k / 4; at += kWords) {
        const int4 of_a = *reinterpret_cast<const int4*>(a + (blockIdx.y * kTile + row) * (k / 4) + at + piece);
        const int4 of_b = *reinterpret_cast<const int4*>(b + (blockIdx.x * kTile + row) * (k / 4) + at + piece);
        __syncthreads();
        for (int e = 0; e < 4; ++e) left[piece + e][row] = (&of_a.x)[e], right[piece + e][row] = (&of_b.x)[e];
        __syncthreads();
#pragma unroll
        for (int p = 0; p < kWords; ++p) {
            int rows[8], columns[8];
            for (int i = 0; i < 8; i += 4)
                *reinterpret_cast<int4*>(rows + i) = *reinterpret_cast<const int4*>(&left[p][y * 4 + i * 16]);
            for (int j = 0; j < 8; j += 4)
                *reinterpret_cast<int4*>(columns + j) = *reinterpret_cast<const int4*>(&right[p][x * 4 + j * 16]);
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j)
                    sums[i][j] = __dp4a(rows[i], columns[j], sums[i][j]);  // fault: tensor_bytes
        }
    }
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; j += 4)
            *reinterpret_cast<int4*>(c + (blockIdx.y * kTile + y * 4 + i / 4 * 64 + i % 4) * n + blockIdx.x * kTile +
                                     x * 4 + j * 16) = {sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]};
}
__global__ void tensor_bytes_after(const int* a, const int* b, int* c, int n, int k) {
    constexpr int kBytes = 64, kRow = kBytes + 16;
    __shared__ __align__(32) signed char left[kTile][kRow], right[kTile][kRow];
    const int warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sums[2][4];
    for (auto& line : sums)
        for (auto& one : line) wmma::fill_fragment(one, 0);
    for (int at = 0; at < k; at += kBytes) {
        __syncthreads();
        for (int i = threadIdx.x; i < kTile * kBytes / 16; i += 256) {
            *reinterpret_cast<int4*>(&left[i / 4][i % 4 * 16]) =
                *reinterpret_cast<const int4*>(a + (blockIdx.y * kTile + i / 4) * (k / 4) + at / 4 + i % 4 * 4);
            *reinterpret_cast<int4*>(&right[i / 4][i % 4 * 16]) =
                *reinterpret_cast<const int4*>(b + (blockIdx.x * kTile + i / 4) * (k / 4) + at / 4 + i % 4 * 4);
        }
        __syncthreads();
        for (int step = 0; step < kBytes; step += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> rows[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> columns[4];
            for (int i = 0; i < 2; ++i) wmma::load_matrix_sync(rows[i], &left[row + i * 16][step], kRow);
            for (int j = 0; j < 4; ++j) wmma::load_matrix_sync(columns[j], &right[column + j * 16][step], kRow);
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j) wmma::mma_sync(sums[i][j], rows[i], columns[j], sums[i][j]);
        }
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            wmma::store_matrix_sync(c + (blockIdx.y * kTile + row + i * 16) * n + blockIdx.x * kTile + column + j * 16,
                                    sums[i][j], n, wmma::mem_row_major);
}

// No product, though it multiplies and adds bytes as one does: a filter of 5 x 5 over an image of bytes, four pixels of
// a word at a time.
__constant__ int byte_weights[5][2];
__global__ void good_byte_filter(const int* in, int* out, int words, int height) {
    __shared__ int tile[20][36];
    for (int i = threadIdx.x; i < 20 * 34; i += 256) {
        const int x = blockIdx.x * 32 + i % 34, y = blockIdx.y * 16 + i / 34;
        tile[i / 34][i % 34] = x < words && y < height ? in[y * words + x] : 0;
    }
    __syncthreads();
    const int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
    for (int row = ty; row < 16; row += 8) {
        int sum = 0;
#pragma unroll
        for (int v = 0; v < 5; ++v)
            for (int u = 0; u < 2; ++u) sum = __dp4a(tile[row + v][tx + u], byte_weights[v][u], sum);
        out[(blockIdx.y * 16 + row) * words + blockIdx.x * 32 + tx] = sum;
    }
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    const int n = 2048, k = scaled(512);
    const auto small = [](int i) { return static_cast<float>(static_cast<int>(unit(i) * 3) - 1); };  // -1, 0, 1
    const auto other = [&](int i) { return small(i + 5); };
    const dim3 grid(n / kTile, n / kTile);
    const auto sum = [&](int i) {
        double all = 0;
        for (int p = 0; p < k; ++p) all += double{small(i / n * k + p)} * other(p * n + i % n);
        return all;
    };
    Array<float> c(n * n);
    {
        Array<Half> a(n * k, small), b(k * n, other), c2(n * n);
        suite.pair(
            "tensor_half2", c2, [&] { tensor_half2_before<<<grid, 256>>>(a, b, c2, n, k); },
            [&] { tensor_half2_after<<<grid, 256>>>(a, b, c2, n, k); }, sum);
        suite.pair(
            "tensor_half", c, [&] { tensor_half_before<<<grid, 256>>>(a, b, c, n, k); },
            [&] { tensor_half_after<<<grid, 256>>>(a, b, c, n, k); }, sum);
    }
    {
        Array<Brain> a(n * k, small), b(k * n, other), c2(n * n);
        suite.pair(
            "tensor_bf162", c2, [&] { tensor_bf162_before<<<grid, 256>>>(a, b, c2, n, k); },
            [&] { tensor_bf162_after<<<grid, 256>>>(a, b, c2, n, k); }, sum);
        suite.pair(
            "tensor_bf16", c, [&] { tensor_bf16_before<<<grid, 256>>>(a, b, c, n, k); },
            [&] { tensor_bf16_after<<<grid, 256>>>(a, b, c, n, k); }, sum);
    }
    {
        Array<signed char> a(n * k, small), b(n * k, other);
        Array<int> c4(n * n);
        suite.pair(
            "tensor_bytes", c4,
            [&] { tensor_bytes_before<<<grid, 256>>>(a.as<const int>(), b.as<const int>(), c4, n, k); },
            [&] { tensor_bytes_after<<<grid, 256>>>(a.as<const int>(), b.as<const int>(), c4, n, k); },
            [&](int i) {
                int all = 0;
                for (int p = 0; p < k; ++p) all += a.at(i / n * k + p) * b.at(i % n * k + p);
                return all;
            });
    }
    const int words = scaled(512), height = scaled(2048);
    std::vector<int> weights(10);
    for (int i = 0; i < 10; ++i) weights[i] = i % 2 == 0 ? 0x01020201 + i : 0x01;
    PAIRS_CHECK(cudaMemcpyToSymbol(byte_weights, weights.data(), 40));
    Array<signed char> image(4 * words * height, [](int i) { return static_cast<int>(unit(i) * 255) - 127; });
    Array<int> filtered(words * height);
    suite.good(
        "good_byte_filter", filtered,
        [&] {
            good_byte_filter<<<dim3(words / 32, height / 16), 256>>>(image.as<const int>(), filtered, words, height);
        },
        [&](int i) {
            int sum = 0;
            for (int v = 0; v < 5; ++v)
                for (int e = 0; e < 8; ++e) {
                    const int x = i % words * 4 + e, y = i / words + v;
                    if (x >= words * 4 || y >= height) continue;
                    sum += image.at(y * words * 4 + x) *
                           static_cast<signed char>(weights[v * 2 + e / 4] >> (e % 4 * 8) & 255);
                }
            return sum;
        });
    return suite.status();
}
