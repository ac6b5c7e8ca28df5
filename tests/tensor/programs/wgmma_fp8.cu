// 8-bit floats by wgmma. Its sums keep few bits, so those of 128 products at a time are added up as fp32.
#include <cuda_fp8.h>

#include "group_product.h"
#include "product_check.h"

constexpr int kM = 64, kN = 64, kK = 512, kDeep = 128;

__global__ void __launch_bounds__(128) product(const char* a, const char* b, float* c) {
    __shared__ __align__(1024) char left[64 * kDeep];
    __shared__ __align__(1024) char right[64 * kDeep];
    float totals[32] = {};
    for (int from = 0; from < kK; from += kDeep) {
        __syncthreads();
        for (int i = threadIdx.x; i < 64 * 8; i += 128) {
            const int row = i / 8, piece = i % 8;
            fetch_piece(shared_address(left) + swizzled_place(row, piece), a + row * kK + from + piece * 16);
            fetch_piece(shared_address(right) + swizzled_place(row, piece), b + row * kK + from + piece * 16);
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        publish();
        __syncthreads();
        float sums[32];
        products_begin();
        for (int k = 0; k < kDeep / 32; ++k)
            GROUP_PRODUCT("k32.f32.e4m3.e5m2", ", 1, 1", BOTH_WAYS_F, sums, swizzled(shared_address(left) + k * 32),
                          swizzled(shared_address(right) + k * 32), k);
        products_end();
        for (int n = 0; n < 32; ++n) totals[n] += sums[n];
    }
    for (int n = 0; n < 32; ++n) c[row_of(n) * kN + column_of(n)] = totals[n];
}

int main() {
    std::vector<char> a(kM * kK), b(kN * kK);
    std::vector<float> exact_a, exact_b;
    Random random{1};
    for (auto& x : a) {
        __nv_fp8_e4m3 value(random.between_halves());
        std::memcpy(&x, &value, 1);
        exact_a.push_back(static_cast<float>(value));
    }
    for (auto& x : b) {
        __nv_fp8_e5m2 value(random.between_halves());
        std::memcpy(&x, &value, 1);
        exact_b.push_back(static_cast<float>(value));
    }
    float* const c = to_device(std::vector<float>(kM * kN));
    product<<<1, 128>>>(to_device(a), to_device(b), c);
    return judge(
        to_host(c, kM * kN),
        [&](std::size_t i) {
            double sum = 0;
            for (int k = 0; k < kK; ++k) sum += double{exact_a[i / kN * kK + k]} * exact_b[i % kN * kK + k];
            return sum;
        },
        0.01);
}
