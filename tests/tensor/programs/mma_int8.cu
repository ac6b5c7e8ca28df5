// int8 by mma.sync m16n8k32: each warp a tile of 32 x 32, factors straight from global memory, sums scaled to float.
#include "product_check.h"

constexpr int kM = 64, kN = 64, kK = 128;

__global__ void product(const std::int8_t* a, const std::int8_t* b, float* c, float scale) {  // b: column by column
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    const int row0 = warp / 2 * 32, column0 = warp % 2 * 32;
    int sums[2][4][4] = {};
    for (int k = 0; k < kK; k += 32) {
        unsigned left[2][4], right[4][2];
        for (int i = 0; i < 2; ++i)
            for (int r = 0; r < 4; ++r)
                left[i][r] = *reinterpret_cast<const unsigned*>(a + (row0 + i * 16 + g + r % 2 * 8) * kK + k + t * 4 +
                                                                r / 2 * 16);
        for (int j = 0; j < 4; ++j)
            for (int r = 0; r < 2; ++r)
                right[j][r] = *reinterpret_cast<const unsigned*>(b + (column0 + j * 8 + g) * kK + k + t * 4 + r * 16);
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 4; ++j) {
                int* const d = sums[i][j];
                asm volatile(
                    "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
                    "{%8,%9}, {%0,%1,%2,%3};"
                    : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                    : "r"(left[i][0]), "r"(left[i][1]), "r"(left[i][2]), "r"(left[i][3]), "r"(right[j][0]),
                      "r"(right[j][1]));
            }
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            for (int e = 0; e < 4; ++e)
                c[(row0 + i * 16 + g + e / 2 * 8) * kN + column0 + j * 8 + t * 2 + e % 2] =
                    static_cast<float>(sums[i][j][e]) * scale;
}

int main() {
    std::vector<std::int8_t> a(kM * kK), b(kN * kK);
    Random random{1};
    for (auto& x : a) x = static_cast<std::int8_t>(random.bits());
    for (auto& x : b) x = static_cast<std::int8_t>(random.bits());
    float* const c = to_device(std::vector<float>(kM * kN));
    product<<<1, 128>>>(to_device(a), to_device(b), c, 0.5f);
    return judge(
        to_host(c, kM * kN),
        [&](std::size_t i) {
            int sum = 0;
            for (int k = 0; k < kK; ++k) sum += a[i / kN * kK + k] * b[i % kN * kK + k];
            return sum * 0.5;
        },
        0);
}
