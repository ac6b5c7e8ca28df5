// At which instructions of wgmma the four warps of a warpgroup wait for each other: one warp comes 20,000 cycles late
// to each instruction in turn. Also whether a product sees what the late warp stores in front of it.
//
// usage: wgmma_meeting      for each instruction and late warp: cycles until each warp is past each instruction
//
// tests/golden/machine/warpgroups.ptx has what happens when a warp never comes.
#include <cstdint>
#include <cstdio>

#include "tensor_program.h"

namespace {

constexpr unsigned kGroup = 128, kTileWords = 2048, kOnes = 0x3c003c00;  // two halves of 1
constexpr long long kLate = 20000;

enum Step { kFence = 1, kProduct, kCommit, kWait, kSecondWait, kSteps };

__device__ long long now() {
    long long cycles;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
    return cycles;
}
__device__ void be_late(bool is_late) {
    if (!is_late) return;
    for (const long long end = now() + kLate; now() < end;) {
    }
}
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ void wait() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
__device__ void publish() { asm volatile("fence.proxy.async;" ::: "memory"); }
__device__ void multiply(float (&d)[4], const Word* tile) {
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    const std::uint64_t both = (address & 0x3ffff) >> 4 | 64ull << 16 | 64ull << 32 | 1ull << 62;
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %4, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(both)
                 : "memory");
}

template <int kStep>
__global__ void __launch_bounds__(kGroup) measure(unsigned late, long long* out) {
    __shared__ __align__(1024) Word tile[kTileWords];
    const unsigned warp = threadIdx.x / 32;
    for (unsigned i = threadIdx.x; i < kTileWords; i += kGroup) tile[i] = kOnes;
    publish();
    __syncthreads();
    float d[4] = {};
    long long at[kSteps];
    at[0] = now();
    be_late(kStep == kFence && warp == late);
    fence();
    at[kFence] = now();
    be_late(kStep == kProduct && warp == late);
    multiply(d, tile);
    at[kProduct] = now();
    be_late(kStep == kCommit && warp == late);
    commit();
    at[kCommit] = now();
    be_late(kStep == kWait && warp == late);
    wait();
    at[kWait] = now();
    be_late(kStep == kSecondWait && warp == late);
    wait();
    at[kSecondWait] = now();
    if (threadIdx.x % 32 == 0)
        for (int i = 0; i < kSteps; ++i) out[warp * kSteps + i] = at[i] - at[0];
    if (d[0] < 0) out[0] = 0;  // keeps the product
}

// Each warp stores its quarter of the tile, one of them late, with the fence of wgmma before or behind that.
template <bool kIsBehind>
__global__ void __launch_bounds__(kGroup) store_late(unsigned late, float* sums) {
    __shared__ __align__(1024) Word tile[kTileWords];
    const unsigned warp = threadIdx.x / 32;
    for (unsigned i = threadIdx.x; i < kTileWords; i += kGroup) tile[i] = 0;
    publish();
    __syncthreads();
    float d[4] = {};
    if (kIsBehind) fence();
    be_late(warp == late);
    for (unsigned i = threadIdx.x % 32; i < kTileWords / 4; i += 32) tile[warp * kTileWords / 4 + i] = kOnes;
    publish();
    if (!kIsBehind) fence();
    multiply(d, tile);
    commit();
    wait();
    sums[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

template <int kStep>
void tell_step(const char* name, long long* out) {
    for (unsigned late = 0; late < 4; late += 3) {
        measure<kStep><<<1, kGroup>>>(late, out);
        check(cudaDeviceSynchronize());
        std::printf("warp %u late at %s: fence product commit wait wait", late, name);
        for (unsigned warp = 0; warp < 4; ++warp) {
            std::printf(" | warp %u", warp);
            for (int i = 1; i < kSteps; ++i) std::printf(" %lld", out[warp * kSteps + i]);
        }
        std::printf("\n");
    }
}

template <bool kIsBehind>
void tell_stores(float* sums) {
    constexpr float kRight = 64;  // four sums of 16 products
    for (unsigned late = 0; late < 4; ++late) {
        store_late<kIsBehind><<<1, kGroup>>>(late, sums);
        check(cudaDeviceSynchronize());
        unsigned wrong = 0;
        for (unsigned i = 0; i < kGroup; ++i) wrong += sums[i] != kRight;
        std::printf("warp %u stores late %s the fence: %u of %u wrong\n", late, kIsBehind ? "behind" : "before", wrong,
                    kGroup);
    }
}

}  // namespace

int main() {
    long long* out = nullptr;
    float* sums = nullptr;
    check(cudaMallocManaged(&out, 4 * kSteps * sizeof *out));
    check(cudaMallocManaged(&sums, kGroup * sizeof *sums));
    tell_step<kFence>("fence", out);
    tell_step<kProduct>("product", out);
    tell_step<kCommit>("commit", out);
    tell_step<kWait>("wait", out);
    tell_step<kSecondWait>("second wait", out);
    tell_stores<false>(sums);
    tell_stores<true>(sums);
    return 0;
}
