// Products on tensor cores as people write them: wmma from global and from shared memory, mma.sync fed by cp.async and
// ldmatrix in three layouts and five types, integers, bits, doubles, attention, convolutions, wgmma. Written when the
// rules of tensor cores stood; each case is one launch.
#include <cstdint>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <mma.h>

#include "truth.h"

#define TILES_ASSUME_SM90A
#include "tests/tensor/programs/group_product.h"
#include "tiles/src/wgmma_copies.cuh"

using namespace nvcuda;
using bf16 = __nv_bfloat16;

// ---- wmma ---- A warp for a tile of 16 x 16 straight from global memory: the tutorial's first version.
template <class T, class Sum, int kDepth>
__global__ void wmma_global(const T* a, const T* b, Sum* c, int n, int k) {
    using Factor = std::conditional_t<std::is_same_v<T, float>, wmma::precision::tf32, T>;
    const int warp = threadIdx.x / 32, row = (blockIdx.y * 2 + warp / 2) * 16, column = (blockIdx.x * 2 + warp % 2) * 16;
    wmma::fragment<wmma::accumulator, 16, 16, kDepth, Sum> sum;
    wmma::fill_fragment(sum, Sum(0));
    for (int at = 0; at < k; at += kDepth) {
        wmma::fragment<wmma::matrix_a, 16, 16, kDepth, Factor, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, 16, 16, kDepth, Factor, wmma::row_major> right;
        wmma::load_matrix_sync(left, a + row * k + at, k);
        wmma::load_matrix_sync(right, b + at * n + column, n);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}
__global__ void wmma_doubles(const double* a, const double* b, double* c, int n, int k) {
    const int warp = threadIdx.x / 32, row = (blockIdx.y * 2 + warp / 2) * 8, column = (blockIdx.x * 2 + warp % 2) * 8;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
    wmma::fill_fragment(sum, 0.0);
    for (int at = 0; at < k; at += 4) {
        wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> right;
        wmma::load_matrix_sync(left, a + row * k + at, k);
        wmma::load_matrix_sync(right, b + column * k + at, k);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}
// 64 x 64 of a block through shared memory, a warp for 32 x 32.
template <int kPad>
__global__ void wmma_shared(const half* a, const half* b, float* c, int n, int k) {
    __shared__ __align__(32) half tile_a[64][32 + kPad], tile_b[32][64 + kPad];
    const int warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 32, m0 = blockIdx.y * 64, n0 = blockIdx.x * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
    for (auto& line : sum)
        for (auto& one : line) wmma::fill_fragment(one, 0.0f);
    for (int at = 0; at < k; at += 32) {
        for (int i = threadIdx.x; i < 64 * 32 / 8; i += 128) {
            *reinterpret_cast<uint4*>(&tile_a[i / 4][i % 4 * 8]) = *reinterpret_cast<const uint4*>(a + (m0 + i / 4) * k + at + i % 4 * 8);
            *reinterpret_cast<uint4*>(&tile_b[i / 8][i % 8 * 8]) = *reinterpret_cast<const uint4*>(b + (at + i / 8) * n + n0 + i % 8 * 8);
        }
        __syncthreads();
        for (int step = 0; step < 32; step += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right[2];
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(left[i], &tile_a[row + i * 16][step], 32 + kPad);
                wmma::load_matrix_sync(right[i], &tile_b[step][column + i * 16], 64 + kPad);
            }
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], left[i], right[j], sum[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::store_matrix_sync(c + (m0 + row + i * 16) * n + n0 + column + j * 16, sum[i][j], n, wmma::mem_row_major);
}
// Many small products, one a warp.
__global__ void wmma_batched(const half* a, const half* b, float* c) {
    const int one = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    a += one * 1024, b += one * 1024, c += one * 1024;
    for (int tile = 0; tile < 4; ++tile) {
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
        wmma::fill_fragment(sum, 0.0f);
        for (int at = 0; at < 32; at += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
            wmma::load_matrix_sync(left, a + tile / 2 * 512 + at, 32);
            wmma::load_matrix_sync(right, b + tile % 2 * 512 + at, 32);
            wmma::mma_sync(sum, left, right, sum);
        }
        wmma::store_matrix_sync(c + tile / 2 * 512 + tile % 2 * 16, sum, 32, wmma::mem_row_major);
    }
}
// k cut into parts, whose sums meet by atomics.
__global__ void wmma_split_k(const half* a, const half* b, float* c, int n, int k, int part) {
    __shared__ float sums[4][256];
    const int warp = threadIdx.x / 32, row = blockIdx.y * 32 + warp / 2 * 16, column = blockIdx.x * 32 + warp % 2 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int at = blockIdx.z * part; at < (blockIdx.z + 1) * part; at += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
        wmma::load_matrix_sync(left, a + row * k + at, k);
        wmma::load_matrix_sync(right, b + column * k + at, k);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(sums[warp], sum, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x % 32; i < 256; i += 32) atomicAdd(c + (row + i / 16) * n + column + i % 16, sums[warp][i]);
}

// ---- mma.sync ---- 16 rows of 32 bytes times 8 columns of 32 bytes, whatever the type.
#define PRODUCT(text, way, d, a, b)                                                                                    \
    asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                     \
                 : way(d[0]), way(d[1]), way(d[2]), way(d[3])                                                          \
                 : "r"((a)[0]), "r"((a)[1]), "r"((a)[2]), "r"((a)[3]), "r"((b)[0]), "r"((b)[1]))
template <class T> struct Form;
#define FORM(T, Total, text, way)                                                                                      \
    template <> struct Form<T> {                                                                                       \
        using Sum = Total;                                                                                             \
        static __device__ void run(Sum* d, const unsigned* a, const unsigned* b) { PRODUCT(text, way, d, a, b); }      \
    };
FORM(half, float, "m16n8k16.row.col.f32.f16.f16.f32", "+f")
FORM(bf16, float, "m16n8k16.row.col.f32.bf16.bf16.f32", "+f")
FORM(float, float, "m16n8k8.row.col.f32.tf32.tf32.f32", "+f")
FORM(int8_t, int, "m16n8k32.row.col.s32.s8.s8.s32", "+r")
FORM(__nv_fp8_e4m3, float, "m16n8k32.row.col.f32.e4m3.e4m3.f32", "+f")
struct Halves; struct Bits;
FORM(Halves, int, "m16n8k64.row.col.s32.s4.s4.s32", "+r")
FORM(Bits, int, "m16n8k256.row.col.s32.b1.b1.s32.and.popc", "+r")

__device__ void load_four(unsigned* to, unsigned from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from) : "memory");
}
__device__ void load_four_turned(unsigned* to, unsigned from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from) : "memory");
}
enum Layout { kPlain, kPadded, kSwizzled };
// Where a piece of 16 bytes of a row of 64 lies.
template <int kLayout> __device__ unsigned piece_at(int row, int piece) {
    if (kLayout == kPadded) return row * 80 + piece * 16;
    return row * 64 + (kLayout == kSwizzled ? piece ^ (row / 2 % 4) : piece) * 16;
}
// A as [m][k], B as [n][k]; rows of 64 bytes by cp.async in stages, a warp for 32 x kN / 2.
template <class T, int kM, int kN, int kStages, int kLayout>
__global__ void mma_tiles(const T* a, const T* b, typename Form<T>::Sum* c, int n, int k_bytes) {
    constexpr int kPitch = kLayout == kPadded ? 80 : 64, kThreads = kM / 32 * 2 * 32, kColumns = kN / 2;
    __shared__ __align__(128) char left[kStages][kM * kPitch], right[kStages][kN * kPitch];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32, row = warp / 2 * 32, column = warp % 2 * kColumns;
    const char* const from_a = reinterpret_cast<const char*>(a) + int64_t{1} * blockIdx.y * kM * k_bytes;
    const char* const from_b = reinterpret_cast<const char*>(b) + int64_t{1} * blockIdx.x * kN * k_bytes;
    const int steps = k_bytes / 64;
    const auto fetch = [&](int step) {
        if (step < steps) {
            for (int i = thread; i < kM * 4; i += kThreads)
                fetch_piece(shared_address(left[step % kStages]) + piece_at<kLayout>(i / 4, i % 4), from_a + i / 4 * k_bytes + step * 64 + i % 4 * 16);
            for (int i = thread; i < kN * 4; i += kThreads)
                fetch_piece(shared_address(right[step % kStages]) + piece_at<kLayout>(i / 4, i % 4), from_b + i / 4 * k_bytes + step * 64 + i % 4 * 16);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    typename Form<T>::Sum sums[2][kColumns / 8][4] = {};
    for (int step = 0; step < kStages - 1; ++step) fetch(step);
    for (int step = 0; step < steps; ++step) {
        asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
        __syncthreads();
        fetch(step + kStages - 1);
        const unsigned at_a = shared_address(left[step % kStages]), at_b = shared_address(right[step % kStages]);
#pragma unroll
        for (int part = 0; part < 2; ++part) {
            unsigned of_a[2][4], of_b[kColumns / 8][2];
            for (int i = 0; i < 2; ++i) load_four(of_a[i], at_a + piece_at<kLayout>(row + i * 16 + lane % 16, part * 2 + lane / 16));
            for (int j = 0; j < kColumns / 8; j += 2) {
                unsigned four[4];
                load_four(four, at_b + piece_at<kLayout>(column + j * 8 + lane / 16 * 8 + lane % 8, part * 2 + lane / 8 % 2));
                of_b[j][0] = four[0], of_b[j][1] = four[1], of_b[j + 1][0] = four[2], of_b[j + 1][1] = four[3];
            }
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < kColumns / 8; ++j) Form<T>::run(sums[i][j], of_a[i], of_b[j]);
        }
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < kColumns / 8; ++j)
            for (int e = 0; e < 4; ++e)
                c[(blockIdx.y * kM + row + i * 16 + lane / 4 + e / 2 * 8) * n + blockIdx.x * kN + column + j * 8 + lane % 4 * 2 + e % 2] = sums[i][j][e];
}
// B as [k][n]: turned over by ldmatrix. Results as f16, by stmatrix and rows of 16 bytes.
template <int kPad>
__global__ void mma_rows(const half* a, const half* b, half* c, int n, int k) {
    __shared__ __align__(16) half tile_a[64][32 + kPad], tile_b[32][64 + kPad], out[64][64 + kPad];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32, row = warp / 2 * 32, column = warp % 2 * 32;
    const int m0 = blockIdx.y * 64, n0 = blockIdx.x * 64;
    float sums[2][4][4] = {};
    for (int at = 0; at < k; at += 32) {
        for (int i = thread; i < 256; i += 128) {
            fetch_piece(shared_address(&tile_a[i / 4][i % 4 * 8]), a + (m0 + i / 4) * k + at + i % 4 * 8);
            fetch_piece(shared_address(&tile_b[i / 8][i % 8 * 8]), b + (at + i / 8) * n + n0 + i % 8 * 8);
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        for (int step = 0; step < 32; step += 16) {
            unsigned left[2][4], right[4][2];
            for (int i = 0; i < 2; ++i) load_four(left[i], shared_address(&tile_a[row + i * 16 + lane % 16][step + lane / 16 * 8]));
            for (int j = 0; j < 4; j += 2) {
                unsigned four[4];
                load_four_turned(four, shared_address(&tile_b[step + lane % 16][column + j * 8 + lane / 16 * 8]));
                right[j][0] = four[0], right[j][1] = four[1], right[j + 1][0] = four[2], right[j + 1][1] = four[3];
            }
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j) Form<half>::run(sums[i][j], left[i], right[j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
            const half2 low = __floats2half2_rn(sums[i][j][0], sums[i][j][1]), high = __floats2half2_rn(sums[i][j][2], sums[i][j][3]);
            const unsigned to = shared_address(&out[row + i * 16 + lane % 16][column + j * 8]);
            asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%2};" ::"r"(to), "r"(*reinterpret_cast<const unsigned*>(&low)), "r"(*reinterpret_cast<const unsigned*>(&high)) : "memory");
        }
    __syncthreads();
    for (int i = thread; i < 512; i += 128)
        *reinterpret_cast<uint4*>(c + (m0 + i / 8) * n + n0 + i % 8 * 8) = *reinterpret_cast<const uint4*>(&out[i / 8][i % 8 * 8]);
}
// Factors straight from global memory to registers, a warp for 32 x 32.
template <class F>
__global__ void mma_direct(const char* a, const char* b, int* c, int n, int k_bytes) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    const int row0 = blockIdx.y * 64 + warp / 2 * 32, column0 = blockIdx.x * 64 + warp % 2 * 32;
    int sums[2][4][4] = {};
    for (int k = 0; k < k_bytes; k += 32) {
        unsigned left[2][4], right[4][2];
        for (int i = 0; i < 2; ++i)
            for (int r = 0; r < 4; ++r) left[i][r] = *reinterpret_cast<const unsigned*>(a + (row0 + i * 16 + g + r % 2 * 8) * k_bytes + k + t * 4 + r / 2 * 16);
        for (int j = 0; j < 4; ++j)
            for (int r = 0; r < 2; ++r) right[j][r] = *reinterpret_cast<const unsigned*>(b + (column0 + j * 8 + g) * k_bytes + k + t * 4 + r * 16);
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 4; ++j) Form<F>::run(sums[i][j], left[i], right[j]);
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            for (int e = 0; e < 4; ++e) c[(row0 + i * 16 + g + e / 2 * 8) * n + column0 + j * 8 + t * 2 + e % 2] = sums[i][j][e];
}
// fp32 by three products of tf32.
__global__ void mma_three_tf32(const float* a, const float* b, float* c, int n, int k) {
    __shared__ float tile_a[64][20], tile_b[64][20];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4, row = warp / 2 * 32, column = warp % 2 * 32;
    float sums[2][4][4] = {};
    const auto split = [](float x, unsigned& large, unsigned& small) {
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(large) : "f"(x));
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(small) : "f"(x - __uint_as_float(large)));
    };
    for (int at = 0; at < k; at += 16) {
        for (int i = threadIdx.x; i < 64 * 4; i += 128) {
            *reinterpret_cast<float4*>(&tile_a[i / 4][i % 4 * 4]) = *reinterpret_cast<const float4*>(a + (blockIdx.y * 64 + i / 4) * k + at + i % 4 * 4);
            *reinterpret_cast<float4*>(&tile_b[i / 4][i % 4 * 4]) = *reinterpret_cast<const float4*>(b + (blockIdx.x * 64 + i / 4) * k + at + i % 4 * 4);
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 16; step += 8) {
            unsigned left[2][2][4], right[2][4][2];
            for (int i = 0; i < 2; ++i)
                for (int r = 0; r < 4; ++r) split(tile_a[row + i * 16 + g + r % 2 * 8][step + t + r / 2 * 4], left[0][i][r], left[1][i][r]);
            for (int j = 0; j < 4; ++j)
                for (int r = 0; r < 2; ++r) split(tile_b[column + j * 8 + g][step + t + r * 4], right[0][j][r], right[1][j][r]);
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j) {
                    Form<float>::run(sums[i][j], left[0][i], right[1][j]);
                    Form<float>::run(sums[i][j], left[1][i], right[0][j]);
                    Form<float>::run(sums[i][j], left[0][i], right[0][j]);
                }
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            for (int e = 0; e < 4; ++e) c[(blockIdx.y * 64 + row + i * 16 + g + e / 2 * 8) * n + blockIdx.x * 64 + column + j * 8 + t * 2 + e % 2] = sums[i][j][e];
}
__global__ void mma_doubles(const double* a, const double* b, double* c, int n, int k) {
    __shared__ double tile_a[64][20], tile_b[64][20];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4, row = warp / 2 * 32, column = warp % 2 * 32;
    double sums[2][4][4] = {};
    for (int at = 0; at < k; at += 16) {
        for (int i = threadIdx.x; i < 64 * 8; i += 128) {
            *reinterpret_cast<double2*>(&tile_a[i / 8][i % 8 * 2]) = *reinterpret_cast<const double2*>(a + (blockIdx.y * 64 + i / 8) * k + at + i % 8 * 2);
            *reinterpret_cast<double2*>(&tile_b[i / 8][i % 8 * 2]) = *reinterpret_cast<const double2*>(b + (blockIdx.x * 64 + i / 8) * k + at + i % 8 * 2);
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 16; step += 8) {
            double left[2][4], right[4][2];
            for (int i = 0; i < 2; ++i)
                for (int r = 0; r < 4; ++r) left[i][r] = tile_a[row + i * 16 + g + r % 2 * 8][step + t + r / 2 * 4];
            for (int j = 0; j < 4; ++j)
                for (int r = 0; r < 2; ++r) right[j][r] = tile_b[column + j * 8 + g][step + t + r * 4];
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j) {
                    double* const d = sums[i][j];
                    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                                 : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                                 : "d"(left[i][0]), "d"(left[i][1]), "d"(left[i][2]), "d"(left[i][3]), "d"(right[j][0]), "d"(right[j][1]));
                }
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            for (int e = 0; e < 4; ++e) c[(blockIdx.y * 64 + row + i * 16 + g + e / 2 * 8) * n + blockIdx.x * 64 + column + j * 8 + t * 2 + e % 2] = sums[i][j][e];
}
// 16 rows times a large matrix of weights, as a language model's next word asks: a warp for 8 columns.
__global__ void mma_skinny(const half* a, const half* weights, float* c, int n, int k) {
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4, column = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 8;
    float sums[4] = {};
    for (int at = 0; at < k; at += 64) {
        const uint4 of_b[2] = {*reinterpret_cast<const uint4*>(weights + (column + g) * k + at + t * 16), *reinterpret_cast<const uint4*>(weights + (column + g) * k + at + t * 16 + 8)};
        const uint4 low[2] = {*reinterpret_cast<const uint4*>(a + g * k + at + t * 16), *reinterpret_cast<const uint4*>(a + g * k + at + t * 16 + 8)};
        const uint4 high[2] = {*reinterpret_cast<const uint4*>(a + (g + 8) * k + at + t * 16), *reinterpret_cast<const uint4*>(a + (g + 8) * k + at + t * 16 + 8)};
        // Any order of k serves that is the same in both factors.
        for (int i = 0; i < 2; ++i) {
            const unsigned first[4] = {low[i].x, high[i].x, low[i].y, high[i].y}, second[4] = {low[i].z, high[i].z, low[i].w, high[i].w};
            const unsigned one[2] = {of_b[i].x, of_b[i].y}, two[2] = {of_b[i].z, of_b[i].w};
            Form<half>::run(sums, first, one), Form<half>::run(sums, second, two);
        }
    }
    for (int e = 0; e < 4; ++e) c[(g + e / 2 * 8) * n + column + t * 2 + e % 2] = sums[e];
}
// Sums of rows: a product with ones.
__global__ void mma_row_sums(const half* in, float* out, int width) {
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 16;
    const unsigned ones[2] = {0x3c003c00u, 0x3c003c00u};
    float sums[4] = {};
    for (int at = 0; at < width; at += 32) {
        const uint4 low = *reinterpret_cast<const uint4*>(in + (row + g) * width + at + t * 8), high = *reinterpret_cast<const uint4*>(in + (row + g + 8) * width + at + t * 8);
        const unsigned first[4] = {low.x, high.x, low.y, high.y}, second[4] = {low.z, high.z, low.w, high.w};
        Form<half>::run(sums, first, ones), Form<half>::run(sums, second, ones);
    }
    if (t == 0) out[row + g] = sums[0], out[row + g + 8] = sums[2];
}
// A convolution of 3 x 3 as a product that is never written down; 64 filters, a warp for 16 pixels of a row.
__global__ void mma_convolution(const half* image, const half* filters, const float* bias, float* out, int height, int width) {
    constexpr int kChannels = 32, kFilters = 64;
    __shared__ __align__(16) half patch[4][3][18][kChannels + 8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4, y = blockIdx.y, x0 = (blockIdx.x * 4 + warp) * 16;
    for (int i = lane; i < 3 * 18 * 4; i += 32) {
        const int from_y = y + i / 72 - 1, pixel = i / 4 % 18, from_x = x0 + pixel - 1;
        const bool inside = from_y >= 0 && from_y < height && from_x >= 0 && from_x < width;
        *reinterpret_cast<uint4*>(&patch[warp][i / 72][pixel][i % 4 * 8]) = inside ? *reinterpret_cast<const uint4*>(image + (from_y * width + from_x) * kChannels + i % 4 * 8) : uint4{0, 0, 0, 0};
    }
    __syncwarp();
    float sums[kFilters / 8][4] = {};
    for (int tap = 0; tap < 9; ++tap)
        for (int step = 0; step < kChannels; step += 16) {
            unsigned left[4];
            load_four(left, shared_address(&patch[warp][tap / 3][lane % 16 + tap % 3][step + lane / 16 * 8]));
            for (int j = 0; j < kFilters / 8; ++j) {
                const half* const from = filters + ((j * 8 + g) * 9 + tap) * kChannels + step + t * 2;
                const unsigned right[2] = {*reinterpret_cast<const unsigned*>(from), *reinterpret_cast<const unsigned*>(from + 8)};
                Form<half>::run(sums[j], left, right);
            }
        }
    for (int j = 0; j < kFilters / 8; ++j)
        for (int e = 0; e < 4; ++e) {
            const int filter = j * 8 + t * 2 + e % 2;
            out[(y * width + x0 + g + e / 2 * 8) * kFilters + filter] = fmaxf(sums[j][e] + bias[filter], 0.0f);
        }
}
// ---- Attention ---- Forward, 64 queries a block, keys in tiles of 64 by cp.async.
__device__ unsigned packed(float low, float high) {
    const half2 both = __floats2half2_rn(low, high);
    return *reinterpret_cast<const unsigned*>(&both);
}
template <int kDepth, bool kCausal>
__global__ void attention(const half* q, const half* k, const half* v, float* out, int length) {
    constexpr int kPitch = kDepth + 8;
    __shared__ __align__(16) half of_k[64][kPitch], of_v[64][kPitch];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    const int64_t head = int64_t{1} * blockIdx.y * length * kDepth;
    const int row = blockIdx.x * 64 + warp * 16 + g;
    unsigned left[kDepth / 16][4];
    for (int step = 0; step < kDepth / 16; ++step)
        for (int r = 0; r < 4; ++r) left[step][r] = *reinterpret_cast<const unsigned*>(q + head + (row + r % 2 * 8) * kDepth + step * 16 + t * 2 + r / 2 * 8);
    float sums[kDepth / 8][4] = {}, largest[2] = {-1e30f, -1e30f}, total[2] = {};
    const float scale = rsqrtf(static_cast<float>(kDepth));
    const int end = kCausal ? (blockIdx.x + 1) * 64 : length;
    for (int from = 0; from < end; from += 64) {
        __syncthreads();
        for (int i = threadIdx.x; i < 64 * kDepth / 8; i += 128) {
            const int y = i / (kDepth / 8), x = i % (kDepth / 8) * 8;
            fetch_piece(shared_address(&of_k[y][x]), k + head + (from + y) * kDepth + x);
            fetch_piece(shared_address(&of_v[y][x]), v + head + (from + y) * kDepth + x);
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        float scores[8][4] = {};
        for (int j = 0; j < 8; ++j)
            for (int step = 0; step < kDepth / 16; step += 2) {
                unsigned four[4];
                load_four(four, shared_address(&of_k[j * 8 + lane % 8][step * 16 + lane / 8 * 8]));
                Form<half>::run(scores[j], left[step], four), Form<half>::run(scores[j], left[step + 1], four + 2);
            }
        for (int j = 0; j < 8; ++j)
            for (int e = 0; e < 4; ++e) scores[j][e] = kCausal && from + j * 8 + t * 2 + e % 2 > row + e / 2 * 8 ? -1e30f : scores[j][e] * scale;
        for (int h = 0; h < 2; ++h) {
            float most = largest[h];
            for (int j = 0; j < 8; ++j) most = fmaxf(most, fmaxf(scores[j][h * 2], scores[j][h * 2 + 1]));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
            const float less = __expf(largest[h] - most);
            largest[h] = most, total[h] *= less;
            for (int j = 0; j < kDepth / 8; ++j) sums[j][h * 2] *= less, sums[j][h * 2 + 1] *= less;
            for (int j = 0; j < 8; ++j)
                for (int e = 0; e < 2; ++e) total[h] += scores[j][h * 2 + e] = __expf(scores[j][h * 2 + e] - most);
        }
        for (int step = 0; step < 4; ++step) {
            const float(&low)[4] = scores[step * 2], (&high)[4] = scores[step * 2 + 1];
            const unsigned weights[4] = {packed(low[0], low[1]), packed(low[2], low[3]), packed(high[0], high[1]), packed(high[2], high[3])};
            for (int j = 0; j < kDepth / 8; j += 2) {
                unsigned four[4];
                load_four_turned(four, shared_address(&of_v[step * 16 + lane % 16][j * 8 + lane / 16 * 8]));
                Form<half>::run(sums[j], weights, four), Form<half>::run(sums[j + 1], weights, four + 2);
            }
        }
    }
    for (int h = 0; h < 2; ++h) {
        total[h] += __shfl_xor_sync(~0u, total[h], 1);
        total[h] += __shfl_xor_sync(~0u, total[h], 2);
        for (int j = 0; j < kDepth / 8; ++j)
            for (int e = 0; e < 2; ++e) out[head + (row + h * 8) * kDepth + j * 8 + t * 2 + e] = sums[j][h * 2 + e] / total[h];
    }
}
// ---- wgmma ---- 64 x 64 of a group of warps, rows of 128 bytes, one stage.
template <class T> struct Group;
#define GROUP(T, Total, types, tail, way)                                                                              \
    template <> struct Group<T> {                                                                                      \
        using Sum = Total;                                                                                             \
        static __device__ void run(Sum* d, uint64_t a, uint64_t b) { GROUP_PRODUCT(types, tail, way, d, a, b, 1); }    \
    };
GROUP(half, float, "k16.f32.f16.f16", ", 1, 1, 0, 0", BOTH_WAYS_F)
GROUP(float, float, "k8.f32.tf32.tf32", ", 1, 1", BOTH_WAYS_F)
GROUP(int8_t, int, "k32.s32.s8.s8", "", BOTH_WAYS_R)
GROUP(__nv_fp8_e4m3, float, "k32.f32.e4m3.e4m3", ", 1, 1", BOTH_WAYS_F)
template <class T, int kStages>
__global__ void __launch_bounds__(128) group_tiles(const T* a, const T* b, typename Group<T>::Sum* c, int n, int k_bytes) {
    __shared__ __align__(1024) char left[kStages][8192], right[kStages][8192];
    const char* const from_a = reinterpret_cast<const char*>(a) + int64_t{1} * blockIdx.y * 64 * k_bytes;
    const char* const from_b = reinterpret_cast<const char*>(b) + int64_t{1} * blockIdx.x * 64 * k_bytes;
    const int steps = k_bytes / 128;
    const auto fetch = [&](int step) {
        if (step < steps)
            for (int i = threadIdx.x; i < 512; i += 128) {
                fetch_piece(shared_address(left[step % kStages]) + swizzled_place(i / 8, i % 8), from_a + i / 8 * k_bytes + step * 128 + i % 8 * 16);
                fetch_piece(shared_address(right[step % kStages]) + swizzled_place(i / 8, i % 8), from_b + i / 8 * k_bytes + step * 128 + i % 8 * 16);
            }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    typename Group<T>::Sum sums[32] = {};
    for (int step = 0; step < kStages - 1; ++step) fetch(step);
    for (int step = 0; step < steps; ++step) {
        if (kStages == 1) fetch(step);
        asm volatile("cp.async.wait_group %0;" ::"n"(kStages == 1 ? 0 : kStages - 2) : "memory");
        publish();
        __syncthreads();
        products_begin();
#pragma unroll
        for (int part = 0; part < 4; ++part) Group<T>::run(sums, swizzled(shared_address(left[step % kStages]) + part * 32), swizzled(shared_address(right[step % kStages]) + part * 32));
        if (kStages > 1) fetch(step + kStages - 1);
        products_end();
        __syncthreads();
    }
    for (int i = 0; i < 32; ++i) c[(blockIdx.y * 64 + row_of(i)) * n + blockIdx.x * 64 + column_of(i)] = sums[i];
}
// A from registers, as a layer that dequantises its weights has it.
__global__ void __launch_bounds__(128) group_dequantised(const int8_t* a, const half* b, float* c, int n, int k, float scale) {
    __shared__ __align__(1024) char right[8192];
    const int lane = threadIdx.x % 32, row = blockIdx.y * 64 + threadIdx.x / 32 * 16 + lane / 4;
    float sums[32] = {};
    for (int at = 0; at < k; at += 64) {
        for (int i = threadIdx.x; i < 512; i += 128) fetch_piece(shared_address(right) + swizzled_place(i / 8, i % 8), b + (blockIdx.x * 64 + i / 8) * k + at + i % 8 * 8);
        asm volatile("cp.async.wait_all;" ::: "memory");
        unsigned left[4][4];
        for (int part = 0; part < 4; ++part)
            for (int r = 0; r < 4; ++r) {
                const char2 two = *reinterpret_cast<const char2*>(a + (row + r % 2 * 8) * k + at + part * 16 + lane % 4 * 2 + r / 2 * 8);
                left[part][r] = packed(two.x * scale, two.y * scale);
            }
        publish();
        __syncthreads();
        products_begin();
#pragma unroll
        for (int part = 0; part < 4; ++part)
            GROUP_PRODUCT_OF_REGISTERS("k16.f32.f16.f16", ", 1, 1, 0", BOTH_WAYS_F, sums, left[part], swizzled(shared_address(right) + part * 32), 1);
        products_end();
        __syncthreads();
    }
    for (int i = 0; i < 32; ++i) c[(blockIdx.y * 64 + row_of(i)) * n + blockIdx.x * 64 + column_of(i)] = sums[i];
}

// ---- The cases ----
template <class T> T* numbers(size_t n, unsigned seed) { return device_buffer<T>(n, [=](size_t i) { return static_cast<T>(value(i + seed) - 0.5f); }); }
template <> int8_t* numbers(size_t n, unsigned seed) { return device_buffer<int8_t>(n, [=](size_t i) { return static_cast<int8_t>(static_cast<int>(value(i + seed) * 256) - 128); }); }
template <class T> T* blank(size_t n) { T* to = nullptr; CHECK(cudaMalloc(&to, n * sizeof(T))); return to; }
template <class T> double sum_of(const T* device, size_t n) {
    std::vector<T> host(n);
    CHECK(cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += static_cast<double>(static_cast<float>(host[i])) * static_cast<double>(i % 7 + 1);
    return sum;
}
#define TENSOR_CASE(name, out, n, ...)                     \
    do {                                                   \
        __VA_ARGS__;                                       \
        CHECK(cudaGetLastError());                         \
        CHECK(cudaDeviceSynchronize());                    \
        std::printf("%s %.9g\n", name, sum_of(out, n));    \
        std::fflush(stdout);                               \
    } while (0)

template <class T, class Sum, int kDepth> void wmma_case(const char* name, int side, int k) {
    const T *a = numbers<T>(side * k, 1), *b = numbers<T>(k * side, 2);
    Sum* c = blank<Sum>(side * side);
    TENSOR_CASE(name, c, side * side, wmma_global<T, Sum, kDepth><<<dim3(side / 32, side / 32), 128>>>(a, b, c, side, k));
    cudaFree(const_cast<T*>(a)), cudaFree(const_cast<T*>(b)), cudaFree(c);
}
template <class T, int kM, int kN, int kStages, int kLayout> void mma_case(const char* name, int m, int n, int k_bytes) {
    const int k = k_bytes / static_cast<int>(sizeof(T));
    const T *a = numbers<T>(m * k, 3), *b = numbers<T>(n * k, 4);
    auto* c = blank<typename Form<T>::Sum>(m * n);
    TENSOR_CASE(name, c, m * n, mma_tiles<T, kM, kN, kStages, kLayout><<<dim3(n / kN, m / kM), kM * 2>>>(a, b, c, n, k_bytes));
    cudaFree(const_cast<T*>(a)), cudaFree(const_cast<T*>(b)), cudaFree(c);
}
template <class F> void direct_case(const char* name, int side, int k_bytes) {
    const char *a = reinterpret_cast<char*>(numbers<int8_t>(side * k_bytes, 5)), *b = reinterpret_cast<char*>(numbers<int8_t>(side * k_bytes, 6));
    int* c = blank<int>(side * side);
    TENSOR_CASE(name, c, side * side, mma_direct<F><<<dim3(side / 64, side / 64), 128>>>(a, b, c, side, k_bytes));
}
template <int kDepth, bool kCausal> void attention_case(const char* name, int length, int heads) {
    const int n = length * heads * kDepth;
    const half *q = numbers<half>(n, 7), *k = numbers<half>(n, 8), *v = numbers<half>(n, 9);
    float* out = blank<float>(n);
    TENSOR_CASE(name, out, n, attention<kDepth, kCausal><<<dim3(length / 64, heads), 128>>>(q, k, v, out, length));
}
template <class T, int kStages> void group_case(const char* name, int m, int n, int k_bytes) {
    const int k = k_bytes / static_cast<int>(sizeof(T));
    const T *a = numbers<T>(m * k, 10), *b = numbers<T>(n * k, 11);
    auto* c = blank<typename Group<T>::Sum>(m * n);
    TENSOR_CASE(name, c, m * n, group_tiles<T, kStages><<<dim3(n / 64, m / 64), 128>>>(a, b, c, n, k_bytes));
}
template <class T> void rung_case(const char* name, int64_t m, int64_t n, int64_t k) {
    const auto kernel = tiles::wgmma_copies::gemm<T, T, false, false>;
    CHECK(tiles::wgmma_copies::allow_shared(kernel));
    tiles::wgmma_copies::Arguments<T, T> g{};
    T* c = blank<T>(m * n);
    g.a = numbers<T>(m * k, 12), g.b = numbers<T>(n * k, 13), g.c = c, g.m = m, g.n = n, g.k = k, g.lda = g.ldb = k, g.ldc = n, g.alpha = 1;
    TENSOR_CASE(name, c, m * n, CHECK(tiles::wgmma_copies::start(kernel, g, 1, nullptr)));
}

int main() {
    wmma_case<half, float, 16>("wmma f16", 1024, 512);
    wmma_case<half, half, 16>("wmma f16, sums f16", 1024, 512);
    wmma_case<bf16, float, 16>("wmma bf16", 768, 768);
    wmma_case<float, float, 8>("wmma tf32", 768, 512);
    wmma_case<int8_t, int, 16>("wmma s8", 1024, 512);
    {
        const double *a = numbers<double>(512 * 256, 1), *b = numbers<double>(512 * 256, 2);
        double* c = blank<double>(512 * 512);
        TENSOR_CASE("wmma f64", c, 512 * 512, wmma_doubles<<<dim3(32, 32), 128>>>(a, b, c, 512, 256));
    }
    const half *a = numbers<half>(1 << 22, 20), *b = numbers<half>(1 << 22, 21);
    float* c = blank<float>(1 << 22);
    TENSOR_CASE("wmma shared", c, 1 << 20, wmma_shared<0><<<dim3(16, 16), 128>>>(a, b, c, 1024, 1024));
    TENSOR_CASE("wmma shared, padded", c, 1 << 20, wmma_shared<8><<<dim3(16, 16), 128>>>(a, b, c, 1024, 1024));
    TENSOR_CASE("wmma batched", c, 1 << 22, wmma_batched<<<1024, 128>>>(a, b, c));
    CHECK(cudaMemset(c, 0, 4 << 16));
    TENSOR_CASE("wmma split k", c, 1 << 16, wmma_split_k<<<dim3(8, 8, 16), 128>>>(a, b, c, 256, 4096, 256));

    mma_case<half, 64, 64, 2, kPlain>("mma f16 64x64 plain", 1024, 1024, 2048);
    mma_case<half, 64, 64, 2, kPadded>("mma f16 64x64 padded", 1024, 1024, 2048);
    mma_case<half, 64, 64, 2, kSwizzled>("mma f16 64x64 swizzled", 1024, 1024, 2048);
    mma_case<bf16, 128, 128, 3, kSwizzled>("mma bf16 128x128, 3 stages", 2048, 2048, 1024);
    mma_case<half, 128, 64, 4, kSwizzled>("mma f16 128x64, 4 stages", 1152, 1408, 1536);
    mma_case<bf16, 128, 128, 2, kPlain>("mma bf16 128x128 plain", 1024, 2048, 1024);
    mma_case<int8_t, 64, 64, 2, kSwizzled>("mma s8 64x64", 1024, 1024, 1024);
    mma_case<int8_t, 128, 128, 3, kSwizzled>("mma s8 128x128", 2048, 1024, 1024);
    mma_case<__nv_fp8_e4m3, 64, 64, 2, kSwizzled>("mma e4m3 64x64", 1024, 1024, 1024);
    mma_case<float, 64, 64, 2, kSwizzled>("mma tf32 64x64", 1024, 1024, 2048);
    half* narrow = blank<half>(1 << 20);
    TENSOR_CASE("mma turned, stmatrix, plain", narrow, 1 << 20, mma_rows<0><<<dim3(16, 16), 128>>>(a, b, narrow, 1024, 1024));
    TENSOR_CASE("mma turned, stmatrix, padded", narrow, 1 << 20, mma_rows<8><<<dim3(16, 16), 128>>>(a, b, narrow, 1024, 1024));
    direct_case<int8_t>("mma s8 direct", 1024, 1024);
    direct_case<Halves>("mma s4 direct", 512, 256);
    direct_case<Bits>("mma b1 direct", 1024, 1024);
    const float *single_a = numbers<float>(1 << 19, 22), *single_b = numbers<float>(1 << 19, 23);
    TENSOR_CASE("mma 3xtf32", c, 1024 * 1024, mma_three_tf32<<<dim3(16, 16), 128>>>(single_a, single_b, c, 1024, 512));
    const double *double_a = numbers<double>(1 << 19, 24), *double_b = numbers<double>(1 << 19, 25);
    double* double_c = blank<double>(1 << 20);
    TENSOR_CASE("mma f64", double_c, 1 << 20, mma_doubles<<<dim3(16, 16), 128>>>(double_a, double_b, double_c, 1024, 512));
    TENSOR_CASE("mma skinny", c, 16 * 4096, mma_skinny<<<128, 128>>>(a, b, c, 4096, 1024));
    TENSOR_CASE("mma row sums", c, 4096, mma_row_sums<<<64, 128>>>(a, c, 1024));
    const float* bias = numbers<float>(64, 26);
    TENSOR_CASE("mma convolution", c, 128 * 128 * 64, mma_convolution<<<dim3(2, 128), 128>>>(a, b, bias, c, 128, 128));

    attention_case<64, false>("attention 64", 1024, 16);
    attention_case<64, true>("attention 64, causal", 1024, 16);
    attention_case<128, false>("attention 128", 512, 16);

    group_case<half, 1>("wgmma f16 64x64", 1024, 1024, 2048);
    group_case<half, 3>("wgmma f16 64x64, 3 stages", 1024, 2048, 2048);
    group_case<int8_t, 2>("wgmma s8 64x64, 2 stages", 1024, 1024, 2048);
    group_case<__nv_fp8_e4m3, 2>("wgmma e4m3 64x64, 2 stages", 1024, 1024, 2048);
    group_case<float, 2>("wgmma tf32 64x64, 2 stages", 1024, 1024, 4096);
    {
        const int8_t* weights = numbers<int8_t>(1 << 20, 27);
        TENSOR_CASE("wgmma dequantised", c, 1 << 20, group_dequantised<<<dim3(16, 16), 128>>>(weights, b, c, 1024, 1024, 0.01f));
    }
    rung_case<bf16>("wgmma rung bf16", 2048, 2048, 1024);
    rung_case<half>("wgmma rung f16, edges", 1500, 2000, 1032);
    return 0;
}
