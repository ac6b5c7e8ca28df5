// Floating-point work on padding: zeros that the kernel put into shared memory where it had nothing to load.
#include <gtest/gtest.h>

#include <bit>

#include "tests/session/kernel_runner.h"

namespace tilescope::test {
namespace {

// 64 threads in two blocks read in[i] and write out[i]; %r5 is the thread's place in the block's room, %r6 the place of
// thread 31 - i, %p1 whether i < limit in its block.
PaddedFlop padded_by(const std::string& body, unsigned limit,
                     Words in = Words(64, std::bit_cast<std::uint32_t>(2.0f))) {
    const std::string text = ptx_kernel(
        ".shared .align 16 .b8 room[512];\n.reg .f32 %f<20>;\nmov.u32 %r1, %tid.x; mov.u32 %r4, room;\n"
        "shl.b32 %r2, %r1, 2; add.u32 %r5, %r4, %r2; xor.b32 %r3, %r2, 124; add.u32 %r6, %r4, %r3;\n"
        "mov.u32 %r7, %ctaid.x; shl.b32 %r7, %r7, 7; add.u32 %r7, %r7, %r2; cvt.u64.u32 %rd3, %r7;\n"
        "add.u64 %rd4, %rd10, %rd3; add.u64 %rd5, %rd11, %rd3; setp.lt.u32 %p1, %r1, " +
            std::to_string(limit) + "; mov.f32 %f9, 0f40400000;\n" + body + "\nst.global.f32 [%rd5], %f9;\nret;",
        2);
    const KernelRun run = run_kernel(text, "k", {std::move(in), Words(64)}, {.grid = {2, 1, 1}, .jobs = 2});
    EXPECT_EQ(run.problem + run.fault, "") << body;
    return run.padded;
}

const std::string kFill =
    "mov.f32 %f1, 0f00000000;\n@!%p1 bra put;\nld.global.f32 %f1, [%rd4];\nput:\nst.shared.f32 [%r5], %f1;\n";
const std::string kTileUse = "bar.sync 0;\nld.shared.f32 %f2, [%r6];\nfma.rn.f32 %f9, %f2, %f9, %f9;\n";

TEST(Padding, WhatALaneDidNotLoadIsPaddingToWhoeverMultipliesIt) {
    EXPECT_EQ(padded_by(kFill + kTileUse, 20), (PaddedFlop{0, 2 * 2 * 12, 0}));
    EXPECT_EQ(padded_by(kFill + kTileUse, 0), (PaddedFlop{0, 2 * 2 * 32, 0}));
    EXPECT_EQ(padded_by(kFill + kTileUse, 32), PaddedFlop{});
    EXPECT_EQ(padded_by(kFill + "bar.sync 0;\nld.shared.f32 %f2, [%r6];\nmul.f32 %f9, %f9, %f2;\n", 20),
              (PaddedFlop{0, 2 * 12, 0}));
}

TEST(Padding, AZeroThatWasLoadedIsData) {
    EXPECT_EQ(padded_by(kFill + kTileUse, 32, Words(64)), PaddedFlop{});
    EXPECT_EQ(padded_by(kFill + kTileUse, 30, Words(64)), (PaddedFlop{0, 2 * 2 * 2, 0}));
}

TEST(Padding, AnotherConstantIsNone) {
    const std::string ones =
        "mov.f32 %f1, 0f3f800000;\n@!%p1 bra put;\nld.global.f32 %f1, [%rd4];\nput:\nst.shared.f32 [%r5], %f1;\n";
    EXPECT_EQ(padded_by(ones + kTileUse, 20), PaddedFlop{});
}

TEST(Padding, AGuardedLoadAndAStoreInEachBranchAreTheSame) {
    EXPECT_EQ(
        padded_by("mov.f32 %f1, 0f00000000;\n@%p1 ld.global.f32 %f1, [%rd4];\nst.shared.f32 [%r5], %f1;\n" + kTileUse,
                  20),
        (PaddedFlop{0, 2 * 2 * 12, 0}));
    EXPECT_EQ(padded_by("@!%p1 bra other;\nld.global.f32 %f1, [%rd4];\nst.shared.f32 [%r5], %f1;\nbra both;\nother:\n"
                        "st.shared.f32 [%r5], 0f00000000;\nboth:\n" +
                            kTileUse,
                        20),
              (PaddedFlop{0, 2 * 2 * 12, 0}));
}

TEST(Padding, EachFactorCountsOnce) {
    EXPECT_EQ(padded_by(kFill + "bar.sync 0;\nld.shared.f32 %f2, [%r6];\nld.shared.f32 %f3, [%r5];\n"
                                "fma.rn.f32 %f9, %f2, %f3, %f9;\n",
                        20),
              (PaddedFlop{0, 2 * 2 * 24, 0}));
    EXPECT_EQ(padded_by(kFill + "bar.sync 0;\nld.shared.f32 %f2, [%r6];\nfma.rn.f32 %f9, %f2, %f2, %f9;\n", 20),
              (PaddedFlop{0, 2 * 2 * 12, 0}));
}

TEST(Padding, DataThatIsStoredOverItEndsIt) {
    EXPECT_EQ(padded_by(kFill + "st.shared.f32 [%r5], %f9;\n" + kTileUse, 20), PaddedFlop{});
    EXPECT_EQ(padded_by(kFill + "setp.lt.u32 %p2, %r1, 24;\n@%p2 st.shared.f32 [%r5], %f9;\n" + kTileUse, 20),
              (PaddedFlop{0, 2 * 2 * 8, 0}));
}

TEST(Padding, EachTurnOfALoopLoadsAnew) {
    // The second turn loads for all lanes.
    const std::string loop =
        "mov.u32 %r8, 0;\nturn:\nmov.f32 %f1, 0f00000000;\n@!%p1 bra put;\nld.global.f32 %f1, [%rd4];\nput:\n"
        "st.shared.f32 [%r5], %f1;\n" +
        kTileUse +
        "bar.sync 0;\nsetp.lt.u32 %p1, %r1, 99;\nadd.u32 %r8, %r8, 1;\nsetp.lt.u32 %p2, %r8, 3;\n@%p2 bra turn;\n";
    EXPECT_EQ(padded_by(loop, 20), (PaddedFlop{0, 2 * 2 * 12, 0}));
}

TEST(Padding, VectorsAndDoublesAreFollowedByElement) {
    const std::string vectors =
        "mov.f32 %f1, 0f00000000;\n@!%p1 bra put;\nld.global.f32 %f1, [%rd4];\nput:\nshl.b32 %r2, %r1, 4;\n"
        "add.u32 %r5, %r4, %r2;\nst.shared.v4.f32 [%r5], {%f9, %f1, %f9, %f9};\nbar.sync 0;\n"
        "ld.shared.v2.f32 {%f2, %f3}, [%r5];\nfma.rn.f32 %f9, %f2, %f9, %f9;\nmul.f32 %f9, %f3, %f9;\n";
    EXPECT_EQ(padded_by(vectors, 20), (PaddedFlop{0, 2 * 12, 0}));
    const std::string doubles =
        ".reg .f64 %e<9>;\nmov.f64 %e1, 0d0000000000000000;\n@!%p1 bra put;\nld.global.f32 %f1, [%rd4];\n"
        "cvt.f64.f32 %e1, %f1;\nput:\nshl.b32 %r2, %r1, 3;\nadd.u32 %r5, %r4, %r2;\nst.shared.f64 [%r5], "
        "%e1;\nbar.sync 0;\n"
        "ld.shared.f64 %e2, [%r5];\nmul.rn.f64 %e3, %e2, %e2;\nfma.rn.f64 %e3, %e2, %e3, %e3;\ncvt.rn.f32.f64 %f9, "
        "%e3;\n";
    EXPECT_EQ(padded_by(doubles, 20), (PaddedFlop{0, 0, 2 * 12 + 2 * 2 * 12}));
}

// What is not followed counts as useful.
TEST(Padding, ValuesOfUnknownSourceAreNone) {
    EXPECT_EQ(padded_by("ld.global.f32 %f1, [%rd4];\nselp.f32 %f1, %f1, 0f00000000, %p1;\nst.shared.f32 [%r5], %f1;\n" +
                            kTileUse,
                        20),
              PaddedFlop{});
    EXPECT_EQ(padded_by(kFill + "bar.sync 0;\nld.shared.f32 %f2, [%r6];\nadd.f32 %f9, %f2, %f9;\n", 20), PaddedFlop{});
}

}  // namespace
}  // namespace tilescope::test
