// 8-bit floats by mma.sync m16n8k32: rows of A and columns of B quantised with a scale each, as inference does.
#include <cuda_fp8.h>

#include "product_check.h"

constexpr int kM = 32, kN = 32, kK = 256;

// A row's largest magnitude becomes the largest of e4m3.
__global__ void quantise(const float* from, __nv_fp8_storage_t* to, float* scales, int count) {
    const int row = blockIdx.x, lane = threadIdx.x;
    float largest = 0;
    for (int k = lane; k < count; k += 32) largest = fmaxf(largest, fabsf(from[row * count + k]));
    for (int step = 16; step > 0; step /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, step));
    const float scale = largest / 448.0f;
    for (int k = lane; k < count; k += 32)
        to[row * count + k] = __nv_cvt_float_to_fp8(from[row * count + k] / scale, __NV_SATFINITE, __NV_E4M3);
    if (lane == 0) scales[row] = scale;
}

__global__ void product(const std::uint8_t* a, const std::uint8_t* b, const float* of_a, const float* of_b, float* c) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    const int row = warp / 4 * 16 + g, column = warp % 4 * 8;
    float d[4] = {};
    for (int k = 0; k < kK; k += 32) {
        unsigned left[4], right[2];
        for (int r = 0; r < 4; ++r)
            left[r] = *reinterpret_cast<const unsigned*>(a + (row + r % 2 * 8) * kK + k + t * 4 + r / 2 * 16);
        for (int r = 0; r < 2; ++r)
            right[r] = *reinterpret_cast<const unsigned*>(b + (column + g) * kK + k + t * 4 + r * 16);
        asm volatile(
            "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
            "{%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
    }
    for (int e = 0; e < 4; ++e) {
        const int y = row + e / 2 * 8, x = column + t * 2 + e % 2;
        c[y * kN + x] = d[e] * of_a[y] * of_b[x];
    }
}

int main() {
    std::vector<float> a(kM * kK), b(kN * kK);
    Random random{7};
    for (auto& x : a) x = random.between_halves();
    for (auto& x : b) x = random.between_halves();
    const auto quantised = [](const std::vector<float>& from, int rows, float*& scales) {
        auto* const to = to_device(std::vector<__nv_fp8_storage_t>(from.size()));
        scales = to_device(std::vector<float>(rows));
        quantise<<<rows, 32>>>(to_device(from), to, scales, kK);
        return to;
    };
    float *of_a, *of_b, *const c = to_device(std::vector<float>(kM * kN));
    const std::uint8_t* const left = quantised(a, kM, of_a);
    const std::uint8_t* const right = quantised(b, kN, of_b);
    product<<<1, 256>>>(left, right, of_a, of_b, c);
    return judge(
        to_host(c, kM * kN),
        [&](std::size_t i) {
            double sum = 0;
            for (int k = 0; k < kK; ++k) sum += double{a[i / kN * kK + k]} * b[i % kN * kK + k];
            return sum;
        },
        0.2);
}
