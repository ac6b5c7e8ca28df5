// Accesses that leave the shared variable which their address counts from: where that is certain, and where it is not.
#include <gtest/gtest.h>

#include "tests/session/kernel_runner.h"

namespace tilescope::test {
namespace {

// Three variables of 64 bytes side by side: a, b, c. %r1 is the thread; %r2 four times it.
std::vector<Hazard> extent_hazards_of(const std::string& body) {
    const std::string ptx =
        ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 4 .b8 a[64];\n.shared .align 4 .b8 b[64];\n"
        ".shared .align 4 .b8 c[64];\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<20>;\n"
        ".reg .b64 %rd<20>;\nmov.u32 %r10, a;\nmov.u32 %r11, b;\nmov.u32 %r12, c;\nmov.u32 %r1, %tid.x;\n"
        "shl.b32 %r2, %r1, 2;\nld.param.u64 %rd10, [p];\n" +
        body + "\nret;\n}\n";
    const KernelRun run = run_kernel(ptx, "k", {Words(64)}, {.block = {16, 1, 1}, .checks = bit_of(Check::kMemory)});
    EXPECT_EQ(run.problem + run.fault, "") << body;
    return run.hazards;
}

// The beginning of each message behind "by an index into ".
std::string found_extents(const std::string& body) {
    std::string all;
    for (const Hazard& hazard : extent_hazards_of(body)) {
        EXPECT_EQ(hazard.kind, HazardKind::kOutOfBounds);
        EXPECT_EQ(hazard.space, HazardSpace::kShared);
        const std::string into = "by an index into ";
        all += (all.empty() ? "" : "; ") + hazard.message.substr(hazard.message.find(into) + into.size());
    }
    return all;
}

TEST(Extents, WhatStaysInItsVariableIsRight) {
    EXPECT_EQ(found_extents("add.u32 %r3, %r11, %r2;\nst.shared.u32 [%r3], %r1;"), "");
    EXPECT_EQ(found_extents("st.shared.u32 [b+60], %r1;"), "");
    // The address lies before the variable until the offset is added.
    EXPECT_EQ(found_extents("add.u32 %r3, %r2, %r11;\nadd.u32 %r3, %r3, -400;\nst.shared.u32 [%r3+400], %r1;"), "");
}

TEST(Extents, OneElementFurtherIsNot) {
    const std::string past = "b, which has 64 bytes: 0 bytes past its end, at c, byte 0";
    EXPECT_EQ(found_extents("add.u32 %r3, %r11, %r2;\nst.shared.u32 [%r3+4], %r1;"), past);
    EXPECT_EQ(found_extents("mad.lo.u32 %r3, %r1, 4, %r11;\nst.shared.u32 [%r3+4], %r1;"), past);
    EXPECT_EQ(found_extents("st.shared.u32 [b+64], %r1;"), past);
    EXPECT_EQ(found_extents("add.u32 %r3, %r11, %r2;\nst.shared.u32 [%r3+-4], %r1;"),
              "b, which has 64 bytes: 4 bytes before its beginning, at a, byte 60");
    EXPECT_EQ(
        found_extents("st.shared.v2.u32 [b+56], {%r1, %r1};\nadd.u32 %r3, %r11, 58;\nst.shared.u16 [%r3+6], %r1;"),
        past);
}

TEST(Extents, ConversionsAndLoopsAreFollowed) {
    EXPECT_EQ(found_extents("cvta.shared.u64 %rd1, b;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                            "st.u32 [%rd3+4], %r1;"),
              "b, which has 64 bytes: 0 bytes past its end, at c, byte 0");
    EXPECT_EQ(
        found_extents("mov.u32 %r3, %r11;\nmov.u32 %r4, 0;\nagain:\nst.shared.u32 [%r3], %r1;\nadd.u32 %r3, %r3, 4;\n"
                      "add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 17;\n@%p1 bra again;"),
        "b, which has 64 bytes: 0 bytes past its end, at c, byte 0");
}

TEST(Extents, WhatMayBeEitherVariableIsNobodys) {
    EXPECT_EQ(found_extents("setp.eq.u32 %p1, %r1, 3;\nselp.u32 %r3, %r10, %r11, %p1;\nst.shared.u32 [%r3+64], %r1;"),
              "");
    EXPECT_EQ(found_extents("mov.u32 %r3, %r10;\nsetp.eq.u32 %p1, %r1, 3;\n@%p1 mov.u32 %r3, %r11;\n"
                            "st.shared.u32 [%r3+64], %r1;"),
              "");
    EXPECT_EQ(found_extents("sub.u32 %r4, %r11, %r10;\nadd.u32 %r3, %r10, %r4;\nst.shared.u32 [%r3], %r1;"), "");
    EXPECT_EQ(found_extents("and.b32 %r3, %r11, -4;\nst.shared.u32 [%r3+64], %r1;"), "");
    // Out of memory.
    EXPECT_EQ(found_extents("st.shared.u32 [a], %r11;\nld.shared.u32 %r3, [a];\nst.shared.u32 [%r3+64], %r1;"), "");
}

}  // namespace
}  // namespace tilescope::test
