// The clock of the caches' replay knows what computes beside them.
#include <gtest/gtest.h>

#include <cstdint>
#include <span>

#include "scope/session/session.h"
#include "tests/session/with_caches.h"

namespace tilescope::test {
namespace {

// Warp 0 of block 0 computes for `turns` turns, without an access, before it stores; every other warp for one.
constexpr const char* kUneven = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 to, .param .u64 chain, .param .u64 turns)
{
.reg .pred %p<4>; .reg .b32 %r<10>; .reg .b64 %d<10>; .reg .f32 %f<4>;
ld.param.u64 %d1, [to]; ld.param.u64 %d6, [turns]; ld.param.u64 %d7, [chain];
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
mad.lo.u32 %r4, %r1, %r2, %r3;
setp.lt.u32 %p1, %r4, 32;
selp.b64 %d6, %d6, 1, %p1;
mov.f32 %f1, 0f3F800000;
again:
fma.rn.f32 %f1, %f1, %f1, %f1;
fma.rn.f32 %f1, %f1, %f1, %f1;
fma.rn.f32 %f1, %f1, %f1, %f1;
fma.rn.f32 %f1, %f1, %f1, %f1;
sub.u64 %d6, %d6, 1;
setp.ne.u64 %p2, %d6, 0;
@%p2 bra again;
mul.wide.u32 %d3, %r4, 4; add.u64 %d5, %d1, %d3;
st.global.f32 [%d5], %f1;
ret;
}
)";

ReplayClock run_uneven(std::uint64_t turns, unsigned jobs = 1) {
    constexpr std::uint64_t kThreads = 128, kUnevenBlocks = 300;
    auto session = Session::create(with_caches(jobs));
    EXPECT_TRUE(session);
    const auto module = (*session)->load_module(kUneven, "test.ptx");
    EXPECT_TRUE(module) << render(module.errors());
    const std::uint64_t parameters[] = {reinterpret_cast<std::uint64_t>((*session)->memory().allocate(
                                            kUnevenBlocks * kThreads * 4, machine::AllocationKind::kDevice)),
                                        0, turns};
    LaunchRequest request;
    request.kernel = *(*session)->find_kernel(*module, "k");
    request.grid = {kUnevenBlocks, 1, 1};
    request.block = {kThreads, 1, 1};
    request.parameters = std::as_bytes(std::span(parameters));
    EXPECT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
    return (*session)->profile().launches.back().replay.value_or(ReplayClock{});
}

// A loop without an access takes its time on the replay's clock all the same: that of the warp which runs it.
TEST(Caches, AWarpThatComputesAloneIsWaitedFor) {
    constexpr double kChain = 4 * 4;  // cycles of a turn: four multiply-adds, each of which needs the one before
    const ReplayClock even = run_uneven(1), uneven = run_uneven(1000);
    EXPECT_GT(even.cycles, 100);
    EXPECT_GT(uneven.longest_warp, 999 * kChain);
    EXPECT_LT(uneven.longest_warp, 3 * 999 * kChain);
    EXPECT_GT(uneven.cycles, even.cycles + 900 * kChain);
    // The others are done long before.
    EXPECT_LT(uneven.busy_cycles, even.busy_cycles + 0.05 * uneven.cycles);
    EXPECT_EQ(run_uneven(1000, 3), uneven);
}

// 300 blocks of 4 warps on 132 SMs, each of which could hold them all at once.
TEST(Caches, TheClockKnowsWhatEachSmHasToDo) {
    const ReplayClock even = run_uneven(1);
    EXPECT_EQ(even.sms, 132u);
    EXPECT_EQ(even.busy_sms, 132u);
    EXPECT_EQ(even.least_blocks, 2u);
    EXPECT_EQ(even.most_blocks, 3u);
    EXPECT_LE(even.most_active_cycles, even.cycles);
    EXPECT_LE(even.least_active_cycles * 132, even.active_cycles);
    EXPECT_GE(even.most_active_cycles * 132, even.active_cycles);
    // Each warp is there as long as its block, which is no shorter than its own life; 12 of an SM at most.
    EXPECT_GE(even.resident_cycles, even.warp_cycles);
    EXPECT_LE(even.resident_cycles, 12 * even.active_cycles);
    // One SM has a block that is long: it alone is busy for longer, with that block's four warps and those that wait
    // for its schedulers.
    const ReplayClock uneven = run_uneven(1000);
    EXPECT_GT(uneven.most_active_cycles, uneven.longest_warp * 0.99);
    EXPECT_LT(uneven.least_active_cycles, 0.1 * uneven.most_active_cycles);
    const double more = uneven.resident_cycles - even.resident_cycles, longer = uneven.longest_warp - even.longest_warp;
    EXPECT_GT(more, 4 * longer * 0.99);
    EXPECT_LT(more, 12 * longer * 1.05);
}

}  // namespace
}  // namespace tilescope::test
