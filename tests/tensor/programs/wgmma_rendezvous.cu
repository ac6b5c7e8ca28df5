// The four warps of a warpgroup wait for each other at wgmma on an H200, so no __syncthreads stands between the stores
// of each warp and the product that reads them. One warp is late. PTX doesn't guarantee this.
#include <cuda_fp16.h>

#include "group_product.h"
#include "product_check.h"

constexpr int kM = 64, kN = 64, kK = 64, kRounds = 5, kRowBytes = kK * 2;

// Warp `late` of four comes `cycles` late to every product.
__global__ void __launch_bounds__(128)
    multiply(const __half* a, const __half* b, float* c, unsigned late, long long cycles) {
    __shared__ __align__(1024) char left[kM * kRowBytes];
    __shared__ __align__(1024) char right[2][kN * kRowBytes];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (unsigned i = threadIdx.x; i < kM * 8; i += 128)
        *reinterpret_cast<uint4*>(left + swizzled_place(i / 8, i % 8)) = reinterpret_cast<const uint4*>(a)[i];
    __syncthreads();
    float sums[32] = {};
    for (int round = 0; round < kRounds; ++round) {
        if (warp == late)
            for (const long long end = clock64() + cycles; clock64() < end;) {
            }
        char* const tile = right[round % 2];
        for (unsigned i = lane; i < kN / 4 * 8; i += 32) {
            const unsigned row = warp * (kN / 4) + i / 8;
            __half piece[8];
            for (unsigned k = 0; k < 8; ++k)
                piece[k] = __float2half(__half2float(b[row * kK + i % 8 * 8 + k]) + static_cast<float>(round));
            memcpy(tile + swizzled_place(row, i % 8), piece, sizeof piece);
        }
        publish();
        products_begin();
        for (int k = 0; k < kK / 16; ++k)
            GROUP_PRODUCT("k16.f32.f16.f16", ", 1, 1, 0, 0", BOTH_WAYS_F, sums, swizzled(shared_address(left) + k * 32),
                          swizzled(shared_address(tile) + k * 32), 1);
        products_end();
    }
    for (int n = 0; n < 32; ++n) c[row_of(n) * kN + column_of(n)] = sums[n];
}

int main() {
    std::vector<__half> a(kM * kK), b(kN * kK);
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = __float2half(static_cast<float>(static_cast<int>(i * 7 % 13) - 6));
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = __float2half(static_cast<float>(static_cast<int>(i * 5 % 11) - 5));
    const __half* const on_device[] = {to_device(a), to_device(b)};
    int status = 0;
    for (unsigned late = 0; late <= 4; ++late) {  // 4: none is
        float* const c = to_device(std::vector<float>(kM * kN));
        multiply<<<1, 128>>>(on_device[0], on_device[1], c, late, 20000);
        status |= judge(
            to_host(c, kM * kN),
            [&](std::size_t i) {
                double sum = 0;
                for (int round = 0; round < kRounds; ++round)
                    for (int k = 0; k < kK; ++k)
                        sum += static_cast<double>(__half2float(a[i / kN * kK + k])) *
                               (static_cast<double>(__half2float(b[i % kN * kK + k])) + round);
                return sum;
            },
            0);
    }
    return status;
}
