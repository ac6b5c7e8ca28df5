// Warp-wide instructions that name lanes which are not there, and what is said of them (values alone:
// tests/golden/machine/missing_lanes.ptx). What is expected is what an H200 did with the same code.
#include <gtest/gtest.h>

#include "tests/session/kernel_runner.h"

namespace tilescope::test {
namespace {

// %r1 the lane, %r2 1000 + lane, %p1 for lanes 0 to 19, result %r3 (7777 before).
KernelRun run_lanes(const std::string& body, std::uint32_t threads = 32) {
    return run_kernel(ptx_kernel("mov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 1000;\nmov.u32 %r3, 7777;\n"
                                 "setp.lt.u32 %p1, %r1, 20;\n" +
                                 body +
                                 "\nstore:\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd1, %rd10, %rd1;\n"
                                 "st.global.u32 [%rd1], %r3;\nret;"),
                      "k", {Words(32)}, {.block = {threads, 1, 1}});
}

Words shuffled_down() {
    Words expected(32, 7777);
    for (std::uint32_t i = 0; i < 20; ++i) expected[i] = i < 12 ? 1008 + i : 0;
    return expected;
}

TEST(MissingLanes, EndedLanesAreNotWaitedForAndReadAsZero) {
    const KernelRun ran = run_lanes("@!%p1 exit;\nshfl.sync.down.b32 %r3, %r2, 8, 31, -1;");
    ASSERT_EQ(ran.problem + ran.fault, "");
    Words expected = shuffled_down();
    std::fill(expected.begin() + 20, expected.end(), 0);
    EXPECT_EQ(ran.buffers[0], expected);
    ASSERT_EQ(ran.hazards.size(), 1u);
    EXPECT_EQ(ran.hazards[0].kind, HazardKind::kUninitialized);
    EXPECT_EQ(ran.hazards[0].severity, Severity::kWarning);
    EXPECT_NE(ran.hazards[0].message.find("lane 12 reads from lane 20"), std::string::npos) << ran.hazards[0].message;
}

// A softmax whose last warp is partial: if (tid < n) { ... shfl.sync with the full mask ... }.
TEST(MissingLanes, LanesThatGoAnotherWayAndEndAreReported) {
    const KernelRun ran = run_lanes("@!%p1 bra store;\nshfl.sync.down.b32 %r3, %r2, 8, 31, -1;");
    ASSERT_EQ(ran.problem + ran.fault, "");
    EXPECT_EQ(ran.buffers[0], shuffled_down());
    ASSERT_EQ(ran.hazards.size(), 2u);
    EXPECT_EQ(ran.hazards[0].kind, HazardKind::kDivergentBarrier);
    EXPECT_EQ(ran.hazards[0].count, 1u);
    EXPECT_NE(ran.hazards[0].message.find("names lanes 20-31"), std::string::npos) << ran.hazards[0].message;
}

TEST(MissingLanes, AMaskThatLeavesItsOwnLaneOutIsReported) {
    const KernelRun together = run_lanes("vote.sync.ballot.b32 %r3, %p1, 0xff;");
    ASSERT_EQ(together.problem + together.fault, "");
    EXPECT_EQ(together.buffers[0][31], 0xfffffu);
    ASSERT_EQ(together.hazards.size(), 1u);
    EXPECT_NE(together.hazards[0].message.find("lane 8 is not named in its own"), std::string::npos);
    const KernelRun apart = run_lanes("@%p1 bra store;\nvote.sync.ballot.b32 %r3, %p1, 0xff;");
    EXPECT_EQ(apart.fault.substr(0, 20), "illegal-instruction ") << apart.fault;
}

// Of a block of 20 threads as well: lanes 20 to 31 would hold rows of the product.
TEST(MissingLanes, AProductWantsLanesThatTheBlockNeverHad) {
    const std::string product =
        "mov.u32 %r4, 0;\nmma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r3,%r4}, {%r1}, {%r2}, {%r4,%r4};";
    EXPECT_TRUE(run_lanes(product).hazards.empty());
    const KernelRun ran = run_lanes(product, 20);
    ASSERT_EQ(ran.problem + ran.fault, "");
    ASSERT_EQ(ran.hazards.size(), 1u);
    EXPECT_EQ(ran.hazards[0].kind, HazardKind::kDivergentBarrier);
    EXPECT_NE(ran.hazards[0].message.find("lanes 20-31"), std::string::npos) << ran.hazards[0].message;
    EXPECT_NE(ran.hazards[0].message.find("the block has no such threads"), std::string::npos);
    EXPECT_NE(ran.hazards[0].hint.find("blocks of whole warps"), std::string::npos) << ran.hazards[0].hint;
    // What else threads of a partial warp do together is theirs alone.
    EXPECT_TRUE(run_lanes("vote.sync.ballot.b32 %r3, %p1, 0xfffff;", 20).hazards.empty());
}

// Whoever gave the wrong leading dimension is told which one there is.
TEST(MissingLanes, AMatrixThatLiesOutsideIsToldByItsLayout) {
    const KernelRun ran = run_lanes(
        "mov.u32 %r5, 4194304;\nwmma.load.a.sync.aligned.row.m16n16k16.global.f16 "
        "{%r10,%r11,%r12,%r13,%r14,%r15,%r16,%r17}, [%rd10], %r5;");
    EXPECT_NE(ran.fault.find("a matrix in 16 runs of 16 elements, 4194304 elements apart (the leading dimension)"),
              std::string::npos)
        << ran.fault;
}

void expect_deadlock(const std::string& body, const std::string& part) {
    const KernelRun ran = run_lanes(body);
    EXPECT_EQ(ran.fault.substr(0, 9), "deadlock ") << body;
    EXPECT_NE(ran.fault.find(part), std::string::npos) << ran.fault;
}

TEST(MissingLanes, LivingLanesAreWaitedForForEver) {
    const std::string shuffle = "@!%p1 bra other;\nshfl.sync.down.b32 %r3, %r2, 8, 31, -1;\n";
    expect_deadlock(shuffle + "barrier.sync 0;\nbra store;\nother:\nbarrier.sync 0;",
                    "threads 20-31 wait at barrier 0");
    expect_deadlock(shuffle + "bra store;\nother:\nbar.warp.sync -1;", "threads 20-31 wait at line");
    expect_deadlock(shuffle + "bra store;\nother:\nvote.sync.ballot.b32 %r3, %p1, -1;", "threads 0-19 wait at line");
    // Lanes past a branch cannot come back for those inside.
    expect_deadlock(
        "@!%p1 bra both;\nshfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;\nboth:\nshfl.sync.idx.b32 %r3, %r2, 3, 31, -1;",
        "threads 20-31 wait at line");
    // Masks that overlap: lane 0 waits for lane 1, which waits for other company.
    expect_deadlock(
        "setp.eq.u32 %p2, %r1, 0;\nsetp.lt.u32 %p3, %r1, 3;\nselp.b32 %r5, 7, 0xfffffff8, %p3;\n"
        "selp.b32 %r5, 3, %r5, %p2;\nvote.sync.ballot.b32 %r3, %p1, %r5;",
        "member mask");
}

TEST(MissingLanes, LanesThatSpinForTheOthersHangAndAreNamed) {
    expect_deadlock(
        "@!%p1 bra other;\nshfl.sync.down.b32 %r3, %r2, 8, 31, -1;\nst.global.u32 [flag], 1;\nbra store;\n"
        "other:\nld.volatile.global.u32 %r4, [flag];\nsetp.eq.u32 %p2, %r4, 0;\n@%p2 bra other;",
        "reading flag, which holds 0");
}

}  // namespace
}  // namespace tilescope::test
