// From register tiles to tensor cores: the same product by multiply-adds of single numbers, and by those of matrices.
//
//   tensor_cores registers     fp32, 4 x 4 results a thread, out of shared memory
//   tensor_cores plain         f16 on tensor cores, rows of 64 bytes in shared memory
//   tensor_cores padded        ... of 80 bytes
//   tensor_cores swizzled      ... of 64 bytes, whose pieces change places
//   tensor_cores wide          the same, but a warp makes 64 x 64 results instead of 32 x 32
//   tensor_cores bits          what a sum keeps, and what it drops
//
// Build it alone: nvcc -std=c++17 -arch=sm_80 tensor_cores.cu
#include <cuda_fp16.h>

#include "../lesson.h"

constexpr int kSize = 256, kTile = 64, kDepth = 32;  // of C, and how deep a tile is
enum Layout { kPlain, kPadded, kSwizzled };

// C = A B, B by columns: both factors have k along their rows.
__global__ void registers(const float* a, const float* b, float* c) {
    __shared__ float a_tile[kDepth][kTile + 1], b_tile[kDepth][kTile + 1];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    a += blockIdx.y * kTile * kSize, b += blockIdx.x * kTile * kSize;
    float sums[4][4] = {};
    for (int k = 0; k < kSize; k += kDepth) {
        for (int i = threadIdx.x; i < kTile * kDepth; i += blockDim.x) {
            a_tile[i % kDepth][i / kDepth] = a[i / kDepth * kSize + k + i % kDepth];
            b_tile[i % kDepth][i / kDepth] = b[i / kDepth * kSize + k + i % kDepth];
        }
        __syncthreads();
        for (int p = 0; p < kDepth; ++p) {
            float row[4], column[4];
            for (int i = 0; i < 4; ++i) row[i] = a_tile[p][y + 16 * i];
            for (int j = 0; j < 4; ++j) column[j] = b_tile[p][x + 16 * j];
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) sums[i][j] += row[i] * column[j];  // [multiply]
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            c[(blockIdx.y * kTile + y + 16 * i) * kSize + blockIdx.x * kTile + x + 16 * j] = sums[i][j];
}

// 16 rows times 8 columns, 16 deep: of A four registers a lane, of B two, of the sums four.
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"  // [mma]
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Four matrices of 8 x 8: lane l says where row l % 8 of matrix l / 8 lies.
__device__ void load(unsigned (&to)[4], const half* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"  // [load]
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
                 : "memory");
}

// Where eight numbers of a row, its piece, lie in a tile.
template <int kLayout>
__device__ int place(int row, int piece) {
    if (kLayout == kPadded) return row * (kDepth + 8) + piece * 8;
    if (kLayout == kSwizzled) piece ^= row / 2 % 4;  // [swizzle]
    return row * kDepth + piece * 8;
}

// A warp makes kWarp x kWarp results; 64 x 64 of them a block.
template <int kLayout, int kWarp>
__global__ void tensor(const half* a, const half* b, float* c) {
    constexpr int kPitch = kDepth + (kLayout == kPadded ? 8 : 0);
    __shared__ __align__(16) half a_tile[kTile * kPitch], b_tile[kTile * kPitch];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int y = warp / (kTile / kWarp) * kWarp, x = warp % (kTile / kWarp) * kWarp;
    a += blockIdx.y * kTile * kSize, b += blockIdx.x * kTile * kSize;
    float sums[kWarp / 16][kWarp / 8][4] = {};
    for (int k = 0; k < kSize; k += kDepth) {
        for (int i = threadIdx.x; i < kTile * kDepth / 8; i += blockDim.x) {
            const int row = i / 4, piece = i % 4, at = place<kLayout>(row, piece);
            *reinterpret_cast<uint4*>(&a_tile[at]) = *reinterpret_cast<const uint4*>(&a[row * kSize + k + piece * 8]);
            *reinterpret_cast<uint4*>(&b_tile[at]) = *reinterpret_cast<const uint4*>(&b[row * kSize + k + piece * 8]);
        }
        __syncthreads();
        for (int p = 0; p < kDepth / 8; p += 2) {
            unsigned rows[kWarp / 16][4];
            for (int i = 0; i < kWarp / 16; ++i)
                load(rows[i], &a_tile[place<kLayout>(y + 16 * i + lane % 16, p + lane / 16)]);
            for (int j = 0; j < kWarp / 16; ++j) {
                unsigned columns[4];
                load(columns, &b_tile[place<kLayout>(x + 16 * j + lane % 16, p + lane / 16)]);
                for (int i = 0; i < kWarp / 16; ++i) {
                    multiply(sums[i][2 * j], rows[i], columns[0], columns[2]);
                    multiply(sums[i][2 * j + 1], rows[i], columns[1], columns[3]);
                }
            }
        }
        __syncthreads();
    }
    const int row = blockIdx.y * kTile + y + lane / 4, column = blockIdx.x * kTile + x + lane % 4 * 2;
    for (int i = 0; i < kWarp / 16; ++i)
        for (int j = 0; j < kWarp / 8; ++j)
            for (int e = 0; e < 4; ++e) c[(row + 16 * i + e / 2 * 8) * kSize + column + 8 * j + e % 2] = sums[i][j][e];
}

// sum + 16 products x y, or one alone.
__global__ void one_sum(float x, float y, bool alone, float sum, float* out) {
    const half2 xs = __float2half2_rn(x),
                ys = alone ? __floats2half2_rn(threadIdx.x % 4 == 0 ? y : 0, 0) : __float2half2_rn(y);
    const unsigned a = *reinterpret_cast<const unsigned*>(&xs), b = *reinterpret_cast<const unsigned*>(&ys);
    float d[4] = {sum, sum, sum, sum};
    multiply(d, {a, a, a, a}, b, alone ? 0 : b);
    *out = d[0];
}
// x times 1, as tf32.
__global__ void one_tf32(float x, float* out) {
    const unsigned a = __float_as_uint(x), b = threadIdx.x % 4 == 0 ? __float_as_uint(1.0f) : 0, zero = 0;
    float d[4] = {};
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%6}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a), "r"(b), "r"(zero));
    *out = d[0];
}

int bits() {
    float* out = device_buffer<float>(1);
    const auto above_one = [&](float x, float y, bool alone) {
        one_sum<<<1, 32>>>(x, y, alone, 1.0f, out);
        return to_host(out, 1)[0] - 1.0f;
    };
    figure("16 products of 2^-25 above 1", above_one(std::ldexp(1.0f, -12), std::ldexp(1.0f, -13), false));
    figure("16 products of 2^-26 above 1", above_one(std::ldexp(1.0f, -13), std::ldexp(1.0f, -13), false));
    figure("3/4 of the last bit above 1", above_one(std::ldexp(3.0f, -12), std::ldexp(1.0f, -13), true));
    figure("the same by fmaf", std::fma(std::ldexp(3.0f, -12), std::ldexp(1.0f, -13), 1.0f) - 1.0f);
    one_tf32<<<1, 32>>>(1 + std::ldexp(1.0f, -10), out);
    figure("tf32 of 1 + 2^-10, less 1", to_host(out, 1)[0] - 1.0f);
    one_tf32<<<1, 32>>>(1 + std::ldexp(1.0f, -11), out);
    figure("tf32 of 1 + 2^-11, less 1", to_host(out, 1)[0] - 1.0f);
    return 0;
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "swizzled";
    if (is(variant, "bits")) return bits();
    void (*kernel)(const half*, const half*, float*) = nullptr;
    if (is(variant, "plain")) kernel = tensor<kPlain, 32>;
    if (is(variant, "padded")) kernel = tensor<kPadded, 32>;
    if (is(variant, "swizzled")) kernel = tensor<kSwizzled, 32>;
    if (is(variant, "wide")) kernel = tensor<kSwizzled, 64>;
    if (!kernel && !is(variant, "registers")) {
        std::fprintf(stderr, "usage: %s [registers|plain|padded|swizzled|wide|bits]\n", argv[0]);
        return 1;
    }
    const std::vector<float> a = eighths(kSize * kSize, 1), b = eighths(kSize * kSize, 2);
    std::vector<float> want(kSize * kSize);
    for (int row = 0; row < kSize; ++row)
        for (int column = 0; column < kSize; ++column)
            for (int k = 0; k < kSize; ++k) want[row * kSize + column] += a[row * kSize + k] * b[column * kSize + k];
    const std::vector<half> a_halves(a.begin(), a.end()), b_halves(b.begin(), b.end());
    const float *d_a = to_device(a), *d_b = to_device(b);
    const half *d_a_halves = to_device(a_halves), *d_b_halves = to_device(b_halves);
    float* d_c = device_buffer<float>(kSize * kSize);
    const dim3 grid(kSize / kTile, kSize / kTile);
    launch(variant, [&] {
        if (kernel)
            kernel<<<grid, is(variant, "wide") ? 32 : 128>>>(d_a_halves, d_b_halves, d_c);
        else
            registers<<<grid, 256>>>(d_a, d_b, d_c);
    });
    Verdict verdict;
    verdict.equal(variant, to_host(d_c, kSize * kSize), want);
    return verdict.status();
}
