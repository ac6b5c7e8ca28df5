// In which order a warp's accesses come to the caches, and what of its time stands behind the last of them.
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "tests/session/with_caches.h"

namespace tilescope::test {
namespace {

// Bytes: a sector for each thread, and rows of them.
constexpr std::uint64_t kElement = 32, kThreads = 64 * 128, kRow = kThreads * kElement, kRows = 4;

// Each thread has `lines` run with %d1 and %d2 at its own 32 bytes of two buffers, and %r4 with a parameter.
LaunchProfile run_lines(const std::string& lines, std::uint32_t number = 0) {
    const std::string ptx =
        ".version 8.4\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 one, .param .u64 other, .param .u32 number)\n{\n"
        ".reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %d<12>; .reg .f32 %f<12>;\n"
        "ld.param.u64 %d1, [one]; ld.param.u64 %d2, [other]; ld.param.u32 %r4, [number]; mov.u32 %r1, %ctaid.x;\n"
        "mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r3, %r1, %r2, %r3; mul.wide.u32 %d3, %r3, 32;\n"
        "add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3; mov.f32 %f9, 0f3F800000;\n" +
        lines + "\nret;\n}\n";
    auto session = Session::create(with_caches());
    EXPECT_TRUE(session);
    const auto module = (*session)->load_module(ptx, "test.ptx");
    EXPECT_TRUE(module) << lines;
    const auto buffer = [&] {
        return reinterpret_cast<std::uint64_t>(
            (*session)->memory().allocate(kRows * kRow, machine::AllocationKind::kDevice));
    };
    const std::uint64_t parameters[] = {buffer(), buffer(), number};
    LaunchRequest request;
    request.kernel = *(*session)->find_kernel(*module, "k");
    request.grid = {64, 1, 1};
    request.block = {128, 1, 1};
    request.parameters = std::as_bytes(std::span(parameters)).first(20);
    EXPECT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
    return (*session)->profile().launches.back();
}

constexpr const char* kMember = "ld.global.f32 %f1, [%d1]; add.f32 %f1, %f1, %f9; st.global.f32 [%d1], %f1;";

TEST(RequestOrder, LoadsOfOneStructureComeBeforeStoresToIt) {
    const CounterSet counters =
        run_lines(std::string(kMember) +
                  "ld.global.f32 %f2, [%d1+4]; add.f32 %f2, %f2, %f9; st.global.f32 [%d1+4], %f2;"
                  "ld.global.f32 %f3, [%d1+8]; add.f32 %f3, %f3, %f9; st.global.f32 [%d1+8], %f3;")
            .counters;
    EXPECT_EQ(counters[Counter::kL1MissFirstTouch], 64u * 128);
    EXPECT_EQ(counters[Counter::kL1MissPartWritten], 0u);
    EXPECT_EQ(counters[Counter::kGlobalLoadL1HitSectors], 2u * 64 * 128);
}

// Else the store, to what is not there, has left its own bytes of the sector alone.
TEST(RequestOrder, LoadsThatMayReadWhatIsStoredDoNot) {
    const auto again = [](const std::string& between, const std::string& load) {
        return run_lines("st.global.f32 [%d1], %f9;" + between + load + " st.global.f32 [%d2], %f2;")
            .counters[Counter::kL1MissPartWritten];
    };
    constexpr std::uint64_t kAll = 64 * 128;
    EXPECT_EQ(again("", "ld.global.f32 %f2, [%d1+4];"), 0u);
    // Half of what is stored, and a little more.
    EXPECT_EQ(again("", "ld.global.u16 %r5, [%d1+2]; ld.global.f32 %f2, [%d1+4];"), 0u);
    EXPECT_EQ(again("add.u64 %d1, %d1, 4;", "ld.global.f32 %f2, [%d1];"), kAll);  // another register's value
    EXPECT_EQ(again("add.u64 %d4, %d1, 4;", "ld.global.f32 %f2, [%d4];"), kAll);
    EXPECT_EQ(again("membar.cta;", "ld.global.f32 %f2, [%d1+4];"), kAll);
    EXPECT_EQ(again("bar.sync 0;", "ld.global.f32 %f2, [%d1+4];"), kAll);
    EXPECT_EQ(again("st.global.f32 [%d2+8], %f9;", "ld.global.f32 %f2, [%d1+4];"), kAll);  // or what is stored here
    EXPECT_EQ(again("", "ld.volatile.global.f32 %f2, [%d1+4];"), 0u);                      // which never asks L1
}

// Each of the four sums needs the load before it, and no load may pass the store before it.
TEST(RequestOrder, EachLoadOfAStretchIsWaitedForWhereItIsUsed) {
    std::string steps, loads, sums;
    for (std::uint64_t row = 0; row < kRows; ++row) {
        const std::string f = "%f" + std::to_string(row + 1), at = "[%d1+" + std::to_string(row * kRow) + "];";
        const std::string sum = "add.f32 %f9, %f9, " + f + "; st.global.f32 [%d2], %f9; add.u64 %d2, %d2, 4;";
        loads += "ld.global.f32 " + f + ", " + at;
        sums += sum;
        steps += "ld.global.f32 " + f + ", " + at + sum;
    }
    const auto cycles = [&](const std::string& lines) {
        const auto replay = run_lines(lines).replay;
        EXPECT_TRUE(replay);
        return replay ? replay->cycles : 0;
    };
    constexpr double kDeviceMemory = 659;  // latency_dram of the H200
    const double one_by_one = cycles(steps);
    EXPECT_GT(one_by_one, 4 * kDeviceMemory);
    EXPECT_LT(cycles(loads + sums), 0.6 * one_by_one);
}

TEST(RequestOrder, WhatComesBehindTheLastAccessTakesItsTime) {
    const std::string loop =
        "again:\nfma.rn.f32 %f9, %f9, %f9, %f9; sub.u32 %r4, %r4, 1; setp.ne.u32 %p1, %r4, 0;\n@%p1 bra again;\n"
        "setp.eq.f32 %p2, %f9, 0f00000000;\n@%p2 st.global.f32 [%d1], %f9;";
    const auto microseconds = [&](const std::string& lines, std::uint32_t turns) {
        const auto time = run_lines(lines, turns).time;
        EXPECT_TRUE(time);
        return time ? time->microseconds : 0;
    };
    // One warp on each scheduler: a turn takes its chain, of one or two instructions of 4 cycles.
    const double turn = (microseconds(loop, 20001) - microseconds(loop, 10001)) / 10000;
    EXPECT_GT(turn, 4 / 1980.0 * 0.95);
    EXPECT_LT(turn, 8 / 1980.0 * 1.05);
    // As long as with a store at the end of it, or a load before.
    EXPECT_NEAR(microseconds(loop, 10001) / microseconds(loop + " st.global.f32 [%d1], %f9;", 10001), 1, 0.02);
    EXPECT_NEAR(microseconds(loop, 10001) / microseconds("ld.global.f32 %f9, [%d1];\n" + loop, 10001), 1, 0.1);
}

}  // namespace
}  // namespace tilescope::test
