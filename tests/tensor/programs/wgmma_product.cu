// bf16 by wgmma: tiles of 64 x 64 come by cp.async in three stages, swizzled as the descriptors say.
#include <cuda_bf16.h>

#include "group_product.h"
#include "product_check.h"

constexpr int kM = 128, kN = 128, kK = 256, kDeep = 64, kStages = 3, kTile = 64 * 128;

__global__ void __launch_bounds__(128) product(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
    extern __shared__ __align__(1024) char stages[];
    const int thread = threadIdx.x, row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    const unsigned base = shared_address(stages);
    const auto fetch = [&](int step) {
        const unsigned left = base + step % kStages * 2 * kTile, right = left + kTile;
        for (int i = thread; i < 64 * 8; i += 128) {
            const int row = i / 8, piece = i % 8, at = step * kDeep + piece * 8;
            fetch_piece(left + swizzled_place(row, piece), a + (row0 + row) * kK + at);
            fetch_piece(right + swizzled_place(row, piece), b + (column0 + row) * kK + at);
        }
    };
    float sums[32];
    for (int step = 0; step < kStages - 1; ++step) {
        fetch(step);
        asm volatile("cp.async.commit_group;");
    }
    for (int step = 0; step < kK / kDeep; ++step) {
        asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2));
        publish();
        __syncthreads();
        const unsigned left = base + step % kStages * 2 * kTile, right = left + kTile;
        products_begin();
        for (int k = 0; k < kDeep / 16; ++k)
            GROUP_PRODUCT("k16.f32.bf16.bf16", ", 1, 1, 0, 0", BOTH_WAYS_F, sums, swizzled(left + k * 32),
                          swizzled(right + k * 32), step + k);
        products_end();
        // The stage before this one is free: every warp has waited for its products of it.
        if (step + kStages - 1 < kK / kDeep) fetch(step + kStages - 1);
        asm volatile("cp.async.commit_group;");
    }
    for (int n = 0; n < 32; ++n) c[(row0 + row_of(n)) * kN + column0 + column_of(n)] = sums[n];
}

int main() {
    std::vector<__nv_bfloat16> a(kM * kK), b(kN * kK);
    Random random{1};
    for (auto& x : a) x = __float2bfloat16(random.between_halves());
    for (auto& x : b) x = __float2bfloat16(random.between_halves());
    float* const c = to_device(std::vector<float>(kM * kN));
    const int bytes = kStages * 2 * kTile;
    cudaFuncSetAttribute(product, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    product<<<dim3(kN / 64, kM / 64), 128, bytes>>>(to_device(a), to_device(b), c);
    return judge(
        to_host(c, kM * kN),
        [&](std::size_t i) {
            double sum = 0;
            for (int k = 0; k < kK; ++k)
                sum += double{__bfloat162float(a[i / kN * kK + k])} * __bfloat162float(b[i % kN * kK + k]);
            return sum;
        },
        1e-5);
}
