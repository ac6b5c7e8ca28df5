// Tensor cores: matrices whose rows meet in the banks, and products that they would compute.
#include <cuda_fp16.h>
#include <mma.h>

#include "pairs.h"

using namespace pairs;
using namespace nvcuda;

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void load_four(unsigned (&to)[4], unsigned from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"  // fault: swizzle_rows
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from)
                 : "memory");
}
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// B by columns. Rows of 64 bytes in shared memory, of which kSwizzled moves the pieces.
template <bool kSwizzled>
__device__ unsigned piece_at(int row, int piece) {
    return static_cast<unsigned>(row * 64 + (kSwizzled ? piece ^ row / 2 % 4 : piece) * 16);
}
template <bool kSwizzled>
__device__ void product_by_ldmatrix(const half* a, const half* b, float* c, int n, int k) {
    __shared__ __align__(128) half left[64 * 32], right[64 * 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 32;
    a += blockIdx.y * 64 * k, b += blockIdx.x * 64 * k;
    float sums[2][4][4] = {};
    for (int at = 0; at < k; at += 32) {
        for (int i = threadIdx.x; i < 256; i += 128) {
            const unsigned to = piece_at<kSwizzled>(i / 4, i % 4) / 2;
            *reinterpret_cast<uint4*>(left + to) = *reinterpret_cast<const uint4*>(a + i / 4 * k + at + i % 4 * 8);
            *reinterpret_cast<uint4*>(right + to) = *reinterpret_cast<const uint4*>(b + i / 4 * k + at + i % 4 * 8);
        }
        __syncthreads();
#pragma unroll
        for (int part = 0; part < 4; part += 2) {
            unsigned rows[2][4], columns[2][4];
            for (int i = 0; i < 2; ++i) {
                const int line = i * 16 + lane % 16, piece = part + lane / 16;
                load_four(rows[i], shared_address(left) + piece_at<kSwizzled>(row + line, piece));
                load_four(columns[i], shared_address(right) + piece_at<kSwizzled>(column + line, piece));
            }
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j)
                    multiply(sums[i][j], rows[i], columns[j / 2][j % 2], columns[j / 2][j % 2 + 2]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            for (int h = 0; h < 2; ++h)
                *reinterpret_cast<float2*>(c + (blockIdx.y * 64 + row + i * 16 + lane / 4 + h * 8) * n +
                                           blockIdx.x * 64 + column + j * 8 +
                                           lane % 4 * 2) = {sums[i][j][h * 2], sums[i][j][h * 2 + 1]};
}
__global__ void swizzle_rows_before(const half* a, const half* b, float* c, int n, int k) {
    product_by_ldmatrix<false>(a, b, c, n, k);
}
__global__ void swizzle_rows_after(const half* a, const half* b, float* c, int n, int k) {
    product_by_ldmatrix<true>(a, b, c, n, k);
}

// wmma out of shared tiles whose rows lie 64 and 128 bytes apart, or 16 more.
template <int kPad>
__device__ void product_by_wmma(const half* a, const half* b, float* c, int n, int k) {
    __shared__ __align__(32) half left[64][32 + kPad], right[32][64 + kPad];
    const int warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (auto& line : sums)
        for (auto& one : line) wmma::fill_fragment(one, 0.0f);
    for (int at = 0; at < k; at += 32) {
        for (int i = threadIdx.x; i < 256; i += 128) {
            *reinterpret_cast<uint4*>(&left[i / 4][i % 4 * 8]) =
                *reinterpret_cast<const uint4*>(a + (blockIdx.y * 64 + i / 4) * k + at + i % 4 * 8);
            *reinterpret_cast<uint4*>(&right[i / 8][i % 8 * 8]) =
                *reinterpret_cast<const uint4*>(b + (at + i / 8) * n + blockIdx.x * 64 + i % 8 * 8);
        }
        __syncthreads();
        for (int step = 0; step < 32; step += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> rows[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> columns[2];
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(rows[i], &left[row + i * 16][step], 32 + kPad);
                wmma::load_matrix_sync(columns[i], &right[step][column + i * 16], 64 + kPad);  // fault: swizzle_wmma
            }
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], rows[i], columns[j], sums[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::store_matrix_sync(c + (blockIdx.y * 64 + row + i * 16) * n + blockIdx.x * 64 + column + j * 16,
                                    sums[i][j], n, wmma::mem_row_major);
}
__global__ void swizzle_wmma_before(const half* a, const half* b, float* c, int n, int k) {
    product_by_wmma<0>(a, b, c, n, k);
}
__global__ void swizzle_wmma_after(const half* a, const half* b, float* c, int n, int k) {
    product_by_wmma<8>(a, b, c, n, k);
}

void conflicts(Suite& suite) {
    const int n = 1024, k = scaled(1024);
    Array<half> a(n * k, [](int i) { return __float2half(unit(i) - 0.5f); });
    Array<half> b(k * n, [](int i) { return __float2half(unit(i + 7) - 0.5f); });
    Array<float> c(n * n);
    const auto sum = [&](int i, int by_k, int by_column) {
        double all = 0;
        for (int p = 0; p < k; ++p)
            all += double{__half2float(a.at(i / n * k + p))} * __half2float(b.at(p * by_k + i % n * by_column));
        return all;
    };
    const dim3 grid(n / 64, n / 64);
    suite.pair(
        "swizzle_rows", c, [&] { swizzle_rows_before<<<grid, 128>>>(a, b, c, n, k); },
        [&] { swizzle_rows_after<<<grid, 128>>>(a, b, c, n, k); }, [&](int i) { return sum(i, 1, k); }, 1e-3);
    suite.pair(
        "swizzle_wmma", c, [&] { swizzle_wmma_before<<<grid, 128>>>(a, b, c, n, k); },
        [&] { swizzle_wmma_after<<<grid, 128>>>(a, b, c, n, k); }, [&](int i) { return sum(i, n, 1); }, 1e-3);
}

// fp32, 8 x 8 results a thread out of a tile of 128 x 128.
__global__ void tensor_fp32_before(const float* a, const float* b, float* c, int n, int k) {
    __shared__ float left[8][132], right[8][132];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    float sums[8][8] = {};
    for (int at = 0; at < k; at += 8) {
        const float4 of_a =
            *reinterpret_cast<const float4*>(a + (blockIdx.y * 128 + threadIdx.x / 2) * k + at + threadIdx.x % 2 * 4);
        const float4 of_b =
            *reinterpret_cast<const float4*>(b + (at + threadIdx.x / 32) * n + blockIdx.x * 128 + threadIdx.x % 32 * 4);
        __syncthreads();
        for (int e = 0; e < 4; ++e) left[threadIdx.x % 2 * 4 + e][threadIdx.x / 2] = (&of_a.x)[e];
        *reinterpret_cast<float4*>(&right[threadIdx.x / 32][threadIdx.x % 32 * 4]) = of_b;
        __syncthreads();
#pragma unroll
        for (int p = 0; p < 8; ++p) {
            float row[8], column[8];
            for (int i = 0; i < 8; i += 4)
                *reinterpret_cast<float4*>(row + i) = *reinterpret_cast<const float4*>(&left[p][y * 4 + i * 16]);
            for (int j = 0; j < 8; j += 4)
                *reinterpret_cast<float4*>(column + j) = *reinterpret_cast<const float4*>(&right[p][x * 4 + j * 16]);
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j) sums[i][j] += row[i] * column[j];  // fault: tensor_fp32
        }
    }
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; j += 4)
            *reinterpret_cast<float4*>(c + (blockIdx.y * 128 + y * 4 + i / 4 * 64 + i % 4) * n + blockIdx.x * 128 +
                                       x * 4 + j * 16) = {sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]};
}
// The same by wmma of tf32: 8 warps of 32 x 64 results.
__global__ void tensor_fp32_after(const float* a, const float* b, float* c, int n, int k) {
    using Factor = wmma::precision::tf32;
    __shared__ __align__(32) float left[128][20], right[16][132];
    const int warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sums[2][4];
    for (auto& line : sums)
        for (auto& one : line) wmma::fill_fragment(one, 0.0f);
    for (int at = 0; at < k; at += 16) {
        __syncthreads();
        for (int i = threadIdx.x; i < 512; i += 256) {
            *reinterpret_cast<float4*>(&left[i / 4][i % 4 * 4]) =
                *reinterpret_cast<const float4*>(a + (blockIdx.y * 128 + i / 4) * k + at + i % 4 * 4);
            *reinterpret_cast<float4*>(&right[i / 32][i % 32 * 4]) =
                *reinterpret_cast<const float4*>(b + (at + i / 32) * n + blockIdx.x * 128 + i % 32 * 4);
        }
        __syncthreads();
        for (int step = 0; step < 16; step += 8) {
            wmma::fragment<wmma::matrix_a, 16, 16, 8, Factor, wmma::row_major> rows[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 8, Factor, wmma::row_major> columns[4];
            for (int i = 0; i < 2; ++i) wmma::load_matrix_sync(rows[i], &left[row + i * 16][step], 20);
            for (int j = 0; j < 4; ++j) wmma::load_matrix_sync(columns[j], &right[step][column + j * 16], 132);
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j) wmma::mma_sync(sums[i][j], rows[i], columns[j], sums[i][j]);
        }
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            wmma::store_matrix_sync(c + (blockIdx.y * 128 + row + i * 16) * n + blockIdx.x * 128 + column + j * 16,
                                    sums[i][j], n, wmma::mem_row_major);
}

// Not a product of matrices, though it multiplies and adds as much: a filter of 9 x 9 over an image, out of a tile.
__constant__ float filter_weights[81];
__global__ void good_filter(const float* in, float* out, int width, int height) {
    __shared__ float tile[24][24];
    const int x0 = blockIdx.x * 16 - 4, y0 = blockIdx.y * 16 - 4;
    for (int i = threadIdx.x; i < 24 * 24; i += 256) {
        const int x = x0 + i % 24, y = y0 + i / 24;
        tile[i / 24][i % 24] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
    }
    __syncthreads();
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float sum = 0;
#pragma unroll
    for (int v = 0; v < 9; ++v)
#pragma unroll
        for (int u = 0; u < 9; ++u) sum += filter_weights[v * 9 + u] * tile[ty + v][tx + u];
    out[(blockIdx.y * 16 + ty) * width + blockIdx.x * 16 + tx] = sum;
}

void products(Suite& suite) {
    const int n = 2048, k = scaled(512);
    // Multiples of an eighth: tf32 keeps them whole.
    Array<float> a(n * k, [](int i) { return static_cast<float>(static_cast<int>(unit(i) * 16) - 8) / 8; });
    Array<float> b(k * n, [](int i) { return static_cast<float>(static_cast<int>(unit(i + 5) * 16) - 8) / 8; });
    Array<float> c(n * n);
    const dim3 grid(n / 128, n / 128);
    suite.pair(
        "tensor_fp32", c, [&] { tensor_fp32_before<<<grid, 256>>>(a, b, c, n, k); },
        [&] { tensor_fp32_after<<<grid, 256>>>(a, b, c, n, k); },
        [&](int i) {
            double all = 0;
            for (int p = 0; p < k; ++p) all += double{a.at(i / n * k + p)} * b.at(p * n + i % n);
            return all;
        });
    const int side = scaled(1024);
    std::vector<float> weights(81);
    for (int i = 0; i < 81; ++i) weights[i] = unit(i + 3) / 81;
    PAIRS_CHECK(cudaMemcpyToSymbol(filter_weights, weights.data(), 81 * 4));
    Array<float> image(side * side, unit), out(side * side);
    suite.good(
        "good_filter", out, [&] { good_filter<<<dim3(side / 16, side / 16), 256>>>(image, out, side, side); },
        [&](int i) {
            double sum = 0;
            for (int t = 0; t < 81; ++t) {
                const int x = i % side + t % 9 - 4, y = i / side + t / 9 - 4;
                if (x >= 0 && x < side && y >= 0 && y < side) sum += double{weights[t]} * image.at(y * side + x);
            }
            return sum;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    conflicts(suite);
    products(suite);
    return suite.status();
}
