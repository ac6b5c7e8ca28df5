// Constants go through caches of their own: counts and times as an H200 had them.
#include <gtest/gtest.h>

#include <cstdint>
#include <span>

#include "scope/session/session.h"
#include "tests/session/with_caches.h"

namespace tilescope::test {
namespace {

// A warp a block walks through constants, a line at a time, its lanes at one address or a line apart.
constexpr const char* kWalk = R"(.version 8.0
.target sm_90
.address_size 64
.const .align 4 .b8 cells[65280];
.visible .entry k(.param .u64 to, .param .u32 bytes, .param .u32 apart, .param .u32 rounds)
{
.reg .pred %p<3>; .reg .b64 %d<6>; .reg .b32 %r<10>;
ld.param.u64 %d1, [to]; ld.param.u32 %r2, [bytes]; ld.param.u32 %r3, [rounds]; ld.param.u32 %r7, [apart];
mov.u32 %r1, %tid.x; mul.lo.u32 %r7, %r7, %r1;
mov.u64 %d2, cells; mov.u32 %r6, 0;
round:
mov.u32 %r4, 0;
next:
add.u32 %r5, %r4, %r7; rem.u32 %r5, %r5, %r2; cvt.u64.u32 %d3, %r5; add.u64 %d4, %d2, %d3;
ld.const.u32 %r8, [%d4];
add.u32 %r6, %r6, %r8;
add.u32 %r4, %r4, 64; setp.lt.u32 %p1, %r4, %r2;
@%p1 bra next;
sub.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0;
@%p2 bra round;
st.global.u32 [%d1], %r6;
ret;
}
)";

LaunchProfile walk(std::uint32_t bytes, std::uint32_t apart, std::uint32_t blocks = 1, std::uint32_t rounds = 4,
                   unsigned jobs = 1, std::uint32_t threads = 32) {
    auto session = Session::create(with_caches(jobs));
    EXPECT_TRUE(session);
    const auto module = (*session)->load_module(kWalk, "test.ptx");
    EXPECT_TRUE(module) << render(module.errors());
    struct {
        std::uint64_t to;
        std::uint32_t bytes, apart, rounds;
    } parameters{reinterpret_cast<std::uint64_t>((*session)->memory().allocate(256, machine::AllocationKind::kDevice)),
                 bytes, apart, rounds};
    LaunchRequest request;
    request.kernel = *(*session)->find_kernel(*module, "k");
    request.grid = {blocks, 1, 1};
    request.block = {threads, 1, 1};
    request.parameters = std::as_bytes(std::span(&parameters, 1));
    EXPECT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
    return (*session)->profile().launches.back();
}

// What an H200 counted for the same walks (bench/hardware/constant_passes.cu, November 2026), which has some six
// lookups of its own for each launch.
TEST(Caches, ConstantsGoThroughTheirOwn) {
    struct Measured {
        std::uint32_t bytes, apart;
        std::uint64_t lookups, misses;
    };
    constexpr std::uint64_t kOwn = 6;
    for (const Measured& row :
         {Measured{65280, 0, 4086, 4085}, Measured{65280, 64, 130566, 5096}, Measured{16384, 0, 1030, 1029},
          Measured{16384, 64, 32774, 1080}, Measured{4096, 0, 262, 261}, Measured{4096, 64, 8198, 312},
          Measured{2048, 64, 4102, 50}, Measured{1024, 0, 70, 18}, Measured{1024, 64, 1030, 18}}) {
        const CounterSet counters = walk(row.bytes, row.apart).counters;
        const std::uint64_t misses = counters[Counter::kConstantL1Misses];
        EXPECT_EQ(counters[Counter::kConstantL1Hits] + misses, row.lookups - kOwn) << row.bytes << ' ' << row.apart;
        // Where parameters and the set want the same four places, they drive each other out.
        EXPECT_NEAR(static_cast<double>(misses), static_cast<double>(row.misses), row.bytes == 2048 ? 18 : 32)
            << row.bytes << ' ' << row.apart;
        // Each 256 bytes once.
        EXPECT_EQ(counters[Counter::kConstantSecondMisses], row.bytes / 256);
        EXPECT_EQ(counters[Counter::kConstantSecondHits], misses - row.bytes / 256);
        EXPECT_EQ(counters[Counter::kConstantL2Sectors], row.bytes / 32);
        EXPECT_EQ(counters[Counter::kDramReadBytes], row.bytes + kOfTheLaunch * 32);
        EXPECT_EQ(counters[Counter::kL2ReadSectors], 0u);
    }
    // 132 SMs of eight GPCs.
    const LaunchProfile all = walk(65280, 0, 132);
    EXPECT_EQ(all.counters[Counter::kConstantL2Sectors], 8u * 65280 / 32);
    EXPECT_EQ(all.counters[Counter::kConstantL1Misses], 132u * 4080);
    ASSERT_FALSE(all.cached_buffers.empty());
    EXPECT_EQ(all.cached_buffers.back().name, "cells");
    EXPECT_EQ(all.cached_buffers.back().counters[Counter::kDramReadBytes], 65280u);
    // What is under way is missed: 32 warps that begin together each miss each of the 32 lines once (1,023 an SM).
    const LaunchProfile together = walk(2048, 0, 132 * 4, 16, 1, 256);
    EXPECT_NEAR(static_cast<double>(together.counters[Counter::kConstantL1Misses]), 135090, 0.1 * 135090);
    EXPECT_EQ(together.counters[Counter::kConstantL1Hits] + together.counters[Counter::kConstantL1Misses],
              132u * 4 * 8 * 512);
    for (const unsigned jobs : {2u, 3u})
        for (const std::uint32_t bytes : {65280u, 1024u})
            EXPECT_EQ(walk(bytes, 0, 132, 4, jobs).counters.values, walk(bytes, 0, 132).counters.values);
}

// A walk that misses takes 66 cycles more a step than one that hits, as long.
TEST(Caches, WhatConstantsMissIsWaitedFor) {
    const LaunchProfile hits = walk(1024, 0, 1, 255), misses = walk(65280, 0, 1, 4);
    ASSERT_TRUE(hits.replay && misses.replay);
    EXPECT_EQ(hits.counters[Counter::kConstantL1Hits], 4080u - 16);
    constexpr double kStep = 66;
    EXPECT_GT(misses.replay->cycles, hits.replay->cycles + 4000 * kStep);
    constexpr double kFirstTouch = 800;  // of 256 bytes, in device memory
    EXPECT_LT(misses.replay->cycles, hits.replay->cycles + 4080 * kStep + 255 * kFirstTouch);
    EXPECT_GT(misses.time->microseconds, hits.time->microseconds);
}

}  // namespace
}  // namespace tilescope::test
