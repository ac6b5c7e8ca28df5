// L1 and shared memory are one: what a program prefers as the one is not the other.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>

#include "scope/session/session.h"
#include "tests/session/with_caches.h"

namespace tilescope::test {
namespace {

// One warp reads 64 KB, a word of each line, and then once more; each load is waited for before the next.
constexpr const char* kRing = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 from)
{
.reg .pred %p<3>; .reg .b64 %d<5>; .reg .f32 %f<4>; .reg .b32 %r<6>;
ld.param.u64 %d1, [from];
mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 128; add.u64 %d1, %d1, %d2;
mov.u32 %r2, 0; mov.f32 %f1, 0f00000000;
round:
mov.u64 %d3, %d1; mov.u32 %r3, 0;
next: .pragma "nounroll";
ld.global.f32 %f2, [%d3]; add.f32 %f1, %f1, %f2;
add.u64 %d3, %d3, 4096; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 16;
@%p1 bra next;
add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 2;
@%p2 bra round;
st.global.f32 [%d1], %f1;
ret;
}
)";

struct Ring {
    std::uint64_t hits = 0;
    std::uint64_t shared_bytes = 0;  // of the SM, by its occupancy
};

Ring run_ring(std::optional<unsigned> carveout_percent, std::uint32_t dynamic_bytes = 0) {
    auto session = Session::create(with_caches());
    EXPECT_TRUE(session);
    const auto module = (*session)->load_module(kRing, "test.ptx");
    EXPECT_TRUE(module) << render(module.errors());
    const std::uint64_t from =
        reinterpret_cast<std::uint64_t>((*session)->memory().allocate(64 << 10, machine::AllocationKind::kDevice));
    LaunchRequest request;
    request.kernel = *(*session)->find_kernel(*module, "k");
    request.grid = {1, 1, 1};
    request.block = {32, 1, 1};
    request.dynamic_shared_bytes = dynamic_bytes;
    request.max_dynamic_shared_bytes = 227 << 10;
    request.carveout_percent = carveout_percent;
    request.parameters = std::as_bytes(std::span(&from, 1));
    const LaunchResult result = (*session)->launch(request);
    if (result.status != LaunchStatus::kOk) {
        ADD_FAILURE() << result.reason;
        return {};
    }
    const LaunchProfile& launch = (*session)->profile().launches.back();
    return {launch.counters[Counter::kGlobalLoadL1HitSectors], launch.occupancy_profile->shared_bytes_per_sm};
}

// What a program prefers as shared memory is no L1: 228 KB of an H200's 256 leave less than 28, 132 leave more than 64.
TEST(Caches, L1IsWhatThePreferredCarveoutLeaves) {
    constexpr std::uint64_t kLines = 512;  // of 64 KB
    EXPECT_EQ(run_ring({}).hits, kLines);
    EXPECT_EQ(run_ring(0).hits, kLines);
    EXPECT_EQ(run_ring(50).hits, kLines);
    const Ring all = run_ring(100);
    EXPECT_EQ(all.shared_bytes, 228u << 10);
    EXPECT_LT(all.hits, kLines / 8);
    // A preference is no limit: the smallest carve-out that holds a block of 200 KB leaves no more than 28 KB, either.
    EXPECT_LT(run_ring(0, 200 << 10).hits, kLines / 8);
}

}  // namespace
}  // namespace tilescope::test
