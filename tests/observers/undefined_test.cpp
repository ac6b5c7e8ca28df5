// How undefined bits go through instructions: each in a kernel whose branch they reach, or do not.
#include <gtest/gtest.h>

#include "tests/session/kernel_runner.h"

namespace tilescope::test {
namespace {

// %r8 is undefined, %r9 in its upper half, %r10 is 0xff00ff00, %rd8 undefined; %f1 is undefined.
const std::string kUndefinedSetUp =
    "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3; mov.b32 %r10, 0xff00ff00;\n"
    "cvt.u16.u32 %h1, %r1; st.shared.u16 [%r4+128], %h1;\n"
    "ld.shared.u32 %r8, [%r4]; ld.shared.u32 %r9, [%r4+128]; mov.b64 %rd8, {%r8, %r8}; mov.b32 %f1, %r8;\n";

std::vector<Hazard> undefined_hazards_of(const std::string& body, unsigned jobs = 1) {
    KernelShape shape;
    shape.checks = bit_of(Check::kInit);
    shape.jobs = jobs;
    std::string ptx = ptx_kernel(".reg .b16 %h<8>;\n.reg .f32 %f<8>;\n" + kUndefinedSetUp + body + "\nend:\nret;");
    const KernelRun run = run_kernel(ptx, "k", {Words(64)}, shape);
    EXPECT_EQ(run.problem + run.fault, "") << body;
    return run.hazards;
}

// Whether what the code leaves in %r20 decides a branch by an undefined bit of `mask`.
bool is_undefined(const std::string& code, const std::string& mask = "0xffffffff") {
    const auto found =
        undefined_hazards_of(code + "\nand.b32 %r21, %r20, " + mask +
                             ";\nsetp.eq.u32 %p1, %r21, 0;\n@%p1 bra end;\nst.global.u32 [%rd10], %r21;");
    for (const Hazard& hazard : found) EXPECT_EQ(hazard.kind, HazardKind::kUninitialized) << hazard.message;
    return !found.empty();
}

TEST(Undefined, MovesCarryItAndOverwritingEndsIt) {
    EXPECT_TRUE(is_undefined("mov.u32 %r20, %r8;"));
    EXPECT_FALSE(is_undefined("mov.u32 %r20, %r8; mov.u32 %r20, %r1;"));
    EXPECT_TRUE(is_undefined("mov.b64 {%r19, %r20}, %rd8;"));
    EXPECT_FALSE(is_undefined("mov.b64 %rd9, {%r1, %r8}; mov.b64 {%r20, %r19}, %rd9;"));
    EXPECT_TRUE(is_undefined("mov.b64 %rd9, {%r1, %r8}; mov.b64 {%r19, %r20}, %rd9;"));
    EXPECT_TRUE(is_undefined("st.shared.u32 [%r4+4], %r8; ld.shared.u32 %r20, [%r4+4];"));
}

TEST(Undefined, MasksDecide) {
    EXPECT_FALSE(is_undefined("and.b32 %r20, %r9, 0xffff;"));
    EXPECT_TRUE(is_undefined("and.b32 %r20, %r9, 0x10000;"));
    EXPECT_FALSE(is_undefined("or.b32 %r20, %r9, 0xffff0000;"));
    EXPECT_TRUE(is_undefined("or.b32 %r20, %r9, 0x7fff0000;", "0x80000000"));
    EXPECT_TRUE(is_undefined("xor.b32 %r20, %r8, %r8;"));
    EXPECT_FALSE(is_undefined("lop3.b32 %r20, %r8, %r10, 0, 0xc0;", "0x00ff00ff"));
    EXPECT_TRUE(is_undefined("lop3.b32 %r20, %r8, %r10, 0, 0xc0;", "0x0100"));
    EXPECT_FALSE(is_undefined("not.b32 %r20, %r9;", "0xffff"));
}

TEST(Undefined, ShiftsAndFieldsMoveIt) {
    EXPECT_FALSE(is_undefined("shl.b32 %r20, %r9, 16;"));
    EXPECT_TRUE(is_undefined("shl.b32 %r20, %r9, 15;"));
    EXPECT_TRUE(is_undefined("shr.u32 %r20, %r9, 1;", "0x8000"));
    EXPECT_FALSE(is_undefined("shr.u32 %r20, %r9, 1;", "0x80007fff"));
    EXPECT_TRUE(is_undefined("shr.s32 %r20, %r9, 1;", "0x80000000"));
    EXPECT_TRUE(is_undefined("shl.b32 %r20, %r1, %r8;", "1"));
    EXPECT_FALSE(is_undefined("bfe.u32 %r20, %r9, 3, 13;"));
    EXPECT_TRUE(is_undefined("bfe.u32 %r20, %r9, 3, 14;"));
    EXPECT_TRUE(is_undefined("bfe.s32 %r20, %r9, 3, 14;", "0x80000000"));
    EXPECT_FALSE(is_undefined("bfi.b32 %r20, %r1, %r9, 16, 16;"));
    EXPECT_TRUE(is_undefined("bfi.b32 %r20, %r1, %r9, 16, 15;"));
    EXPECT_FALSE(is_undefined("prmt.b32 %r20, %r9, %r1, 0x1010;"));
    EXPECT_TRUE(is_undefined("prmt.b32 %r20, %r9, %r1, 0x1210;", "0xff0000"));
    EXPECT_FALSE(is_undefined("prmt.b32 %r20, %r9, %r1, 0x1210;", "0xff00ffff"));
    EXPECT_TRUE(is_undefined("prmt.b32 %r20, %r9, %r1, 0x101b;", "0xff"));
    EXPECT_FALSE(is_undefined("shf.l.wrap.b32 %r20, %r1, %r9, 16;", "0xffff0000"));
    EXPECT_TRUE(is_undefined("shf.r.wrap.b32 %r20, %r1, %r9, 17;", "0x80000000"));
}

TEST(Undefined, ConversionsWidenAndNarrow) {
    EXPECT_FALSE(is_undefined("cvt.u32.u16 %r20, %h1;"));
    EXPECT_FALSE(is_undefined("cvt.u16.u32 %h2, %r9; cvt.u32.u16 %r20, %h2;"));
    EXPECT_TRUE(is_undefined("ld.shared.u16 %h2, [%r4+130]; cvt.s32.s16 %r20, %h2;", "0x80000000"));
    EXPECT_FALSE(is_undefined("ld.shared.u16 %h2, [%r4+130]; cvt.u32.u16 %r20, %h2;", "0x80000000"));
    EXPECT_TRUE(is_undefined("cvt.rzi.u32.f32 %r20, %f1;"));
}

TEST(Undefined, ArithmeticSpreadsItUpwards) {
    EXPECT_FALSE(is_undefined("add.u32 %r20, %r9, %r1;", "0xffff"));
    EXPECT_TRUE(is_undefined("add.u32 %r20, %r9, %r1;", "0x80000000"));
    EXPECT_FALSE(is_undefined("mul.lo.u32 %r20, %r9, 3;", "0xffff"));
    EXPECT_TRUE(is_undefined("mul.hi.u32 %r20, %r9, 3;", "1"));
    EXPECT_TRUE(is_undefined("div.u32 %r20, %r9, 3;", "1"));
    EXPECT_TRUE(is_undefined("add.f32 %f2, %f1, %f1; mov.b32 %r20, %f2;", "1"));
}

TEST(Undefined, ASelectionIsWhatWasChosen) {
    EXPECT_FALSE(is_undefined("setp.lt.u32 %p2, %r1, 32; selp.u32 %r20, %r1, %r8, %p2;"));
    EXPECT_TRUE(is_undefined("setp.lt.u32 %p2, %r1, 31; selp.u32 %r20, %r1, %r8, %p2;"));
    EXPECT_TRUE(is_undefined("setp.lt.u32 %p2, %r8, 31; selp.u32 %r20, 6, 7, %p2;", "1"));
    EXPECT_FALSE(is_undefined("setp.lt.u32 %p2, %r8, 31; selp.u32 %r20, 6, 7, %p2;", "6"));
    EXPECT_FALSE(
        is_undefined("setp.lt.u32 %p2, %r8, 31; setp.gt.u32 %p3, %r1, 99; and.pred %p2, %p2, %p3;\n"
                     "selp.u32 %r20, 6, 7, %p2;"));
    EXPECT_TRUE(is_undefined("setp.lt.u32 %p2, %r8, 31; @%p2 mov.u32 %r20, 1;"));
}

TEST(Undefined, KnownBitsDecideComparisons) {
    const std::string choose = "selp.u32 %r20, 1, 0, %p2;";
    EXPECT_FALSE(is_undefined("or.b32 %r9, %r8, 0x80000000; setp.ge.u32 %p2, %r9, 77; " + choose));
    EXPECT_TRUE(is_undefined("or.b32 %r9, %r8, 0x80000000; setp.ge.u32 %p2, %r9, 0x80000001; " + choose));
    EXPECT_FALSE(is_undefined("or.b32 %r9, %r8, 0x80000000; setp.lt.s32 %p2, %r9, 0; " + choose));
    EXPECT_FALSE(is_undefined("or.b32 %r9, %r8, 1; setp.eq.u32 %p2, %r9, 6; " + choose));
    EXPECT_TRUE(is_undefined("or.b32 %r9, %r8, 1; setp.eq.u32 %p2, %r9, 7; " + choose));
}

TEST(Undefined, LanesExchangeIt) {
    const std::string half = "setp.lt.u32 %p2, %r1, 16; selp.u32 %r8, %r1, %r8, %p2;\n";
    EXPECT_TRUE(is_undefined(half + "shfl.sync.bfly.b32 %r20, %r8, 16, 31, -1; selp.u32 %r20, %r20, 0, %p2;"));
    EXPECT_FALSE(is_undefined(half + "shfl.sync.bfly.b32 %r20, %r8, 16, 31, -1; selp.u32 %r20, 0, %r20, %p2;"));
    EXPECT_FALSE(is_undefined(half + "setp.eq.u32 %p3, %r8, 3; vote.sync.ballot.b32 %r20, %p3, -1;", "0xffff"));
    EXPECT_TRUE(is_undefined(half + "setp.eq.u32 %p3, %r8, 3; vote.sync.ballot.b32 %r20, %p3, -1;", "0x10000"));
    EXPECT_TRUE(is_undefined(half + "redux.sync.add.u32 %r20, %r8, -1;"));
}

TEST(Undefined, AtomicsReadMemory) {
    EXPECT_TRUE(is_undefined("atom.shared.add.u32 %r20, [%r4], 1;"));
    EXPECT_TRUE(is_undefined("red.shared.add.u32 [%r4], 1; ld.shared.u32 %r20, [%r4];"));
    EXPECT_FALSE(is_undefined("atom.shared.exch.b32 %r19, [%r4], 1; ld.shared.u32 %r20, [%r4];"));
    EXPECT_TRUE(is_undefined("st.shared.u32 [%r4], 0; red.shared.add.u32 [%r4], %r8; ld.shared.u32 %r20, [%r4];"));
}

TEST(Undefined, AddressesAndGuardsOfAccessesAreUses) {
    EXPECT_EQ(undefined_hazards_of("and.b32 %r8, %r8, 60; add.u32 %r8, %r2, %r8; st.shared.u32 [%r8], 1;").size(), 1u);
    EXPECT_EQ(undefined_hazards_of("setp.eq.u32 %p2, %r8, 3; @%p2 st.shared.u32 [%r4], 1;").size(), 1u);
    EXPECT_EQ(undefined_hazards_of("st.shared.u32 [%r4], %r8; st.global.u32 [%rd10], %r8;").size(), 0u);
}

TEST(Undefined, AHazardSaysWhoReadWhatWhere) {
    const auto found = undefined_hazards_of("setp.eq.u32 %p1, %r8, 3;\n@%p1 bra end;\nst.global.u32 [%rd10], %r1;");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].space, HazardSpace::kShared);
    EXPECT_EQ(found[0].other_line + 3, found[0].line + 1);
    EXPECT_NE(found[0].message.find("thread 0 of block 0 branches at line"), std::string::npos) << found[0].message;
    EXPECT_NE(found[0].message.find("it read tile, byte 0 at line"), std::string::npos) << found[0].message;
    EXPECT_EQ(undefined_hazards_of("setp.eq.u32 %p1, %r8, 3;\n@%p1 bra end;\nst.global.u32 [%rd10], %r1;", 4), found);
}

}  // namespace
}  // namespace tilescope::test
