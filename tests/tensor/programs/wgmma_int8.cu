// int8 by wgmma: unsigned activations times signed weights, sums that stop at the ends, and back to bytes.
#include "group_product.h"
#include "product_check.h"

constexpr int kM = 64, kN = 64, kK = 128;

__global__ void __launch_bounds__(128)
    layer(const std::uint8_t* a, const std::int8_t* b, std::uint8_t* c, float scale) {
    __shared__ __align__(1024) char left[64 * kK];
    __shared__ __align__(1024) char right[64 * kK];
    for (int i = threadIdx.x; i < 64 * 8; i += 128) {
        const int row = i / 8, piece = i % 8;
        const uint4 of_a = *reinterpret_cast<const uint4*>(a + row * kK + piece * 16);
        const uint4 of_b = *reinterpret_cast<const uint4*>(b + row * kK + piece * 16);
        *reinterpret_cast<uint4*>(left + swizzled_place(row, piece)) = of_a;
        *reinterpret_cast<uint4*>(right + swizzled_place(row, piece)) = of_b;
    }
    publish();
    __syncthreads();
    int sums[32] = {};
    products_begin();
    for (int k = 0; k < kK / 32; ++k)
        GROUP_PRODUCT("k32.s32.u8.s8.satfinite", "", BOTH_WAYS_R, sums, swizzled(shared_address(left) + k * 32),
                      swizzled(shared_address(right) + k * 32), 1);
    products_end();
    for (int n = 0; n < 32; ++n) {
        const float scaled = rintf(static_cast<float>(sums[n]) * scale);
        c[row_of(n) * kN + column_of(n)] = static_cast<std::uint8_t>(fminf(fmaxf(scaled, 0.0f), 255.0f));
    }
}

int main() {
    std::vector<std::uint8_t> a(kM * kK);
    std::vector<std::int8_t> b(kN * kK);
    Random random{1};
    for (auto& x : a) x = static_cast<std::uint8_t>(random.bits());
    for (auto& x : b) x = static_cast<std::int8_t>(random.bits());
    std::uint8_t* const c = to_device(std::vector<std::uint8_t>(kM * kN));
    const float scale = 0.0009765625f;
    layer<<<1, 128>>>(to_device(a), to_device(b), c, scale);
    return judge(
        to_host(c, kM * kN),
        [&](std::size_t i) {
            int sum = 0;
            for (int k = 0; k < kK; ++k) sum += a[i / kN * kK + k] * b[i % kN * kK + k];
            const double scaled = std::nearbyint(static_cast<double>(sum) * scale);
            return scaled < 0 ? 0 : scaled > 255 ? 255 : scaled;
        },
        0);
}
