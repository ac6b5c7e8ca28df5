// What the assembler makes of accesses, held against machine code: every expectation is what ptxas 13.0.88 made of the
// same lines for sm_90.
#include <gtest/gtest.h>

#include <string>

#include "scope/isa/assembler/unroll_loops.h"
#include "scope/isa/lower.h"
#include "scope/isa/table/memory_flags.h"
#include "scope/ptx/parser.h"

namespace tilescope::isa {
namespace {

using Lowered = Result<std::unique_ptr<machine::Program>>;

// A kernel of these lines. %r4 and %r5 are numbers of which nothing is known, %r6 is where 16 KB of shared memory lie,
// %r10 and %r14 are places in it at multiples of 32, %d11 and %d12 unknown places in global memory at multiples of 16
// from a pointer, %d13 such a place that is aligned.
std::unique_ptr<machine::Program> lowered_for_assembler(const std::string& lines) {
    const std::string text = R"(.version 9.0
.target sm_90
.address_size 64
.global .align 16 .b8 linked[4096];
.visible .entry k(.param .u64 out, .param .u64 in, .param .u32 n, .param .u32 m)
{
.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<99>; .reg .b64 %d<60>; .reg .f32 %f<99>;
.shared .align 16 .b8 sm[16384]; .shared .align 4 .b8 odd[1028]; .shared .align 4 .b8 behind[1024];
ld.param.u64 %d0,[out]; ld.param.u64 %d1,[in]; ld.param.u32 %r4,[n]; ld.param.u32 %r5,[m];
mov.u32 %r2,%tid.x; mov.u32 %r6,sm; shl.b32 %r9,%r4,5; add.s32 %r10,%r6,%r9; shl.b32 %r15,%r5,5; add.s32 %r14,%r6,%r15;
mul.wide.s32 %d10,%r4,16; add.s64 %d11,%d0,%d10; add.s64 %d12,%d1,%d10; and.b64 %d13,%d11,-16; bar.sync 0;
)" + lines + "\nbar.sync 0; ret;\n}\n";
    static Result<ptx::Module> module = ptx::Module{};
    module = ptx::parse(text, "test.ptx");
    EXPECT_TRUE(module) << lines;
    if (!module) return nullptr;
    LowerRequest request;
    request.module = &*module;
    request.entry = "k";
    request.address_of = [](std::string_view name) {
        return name == "linked" ? std::optional<std::uint64_t>(0x10000) : std::nullopt;
    };
    Lowered program = lower(request);
    EXPECT_TRUE(program) << lines;
    return program ? std::move(*program) : nullptr;
}

// "LDS.128 STS.32 ...", in the order of the instructions that they are counted for.
std::string machine_code_of(const std::string& lines) {
    const auto program = lowered_for_assembler(lines);
    if (!program) return "does not lower";
    std::string found;
    for (std::size_t i = 0; i < program->ops.size(); ++i) {
        const Counter what = program->facts[i].memory;
        const std::string name = what == Counter::kSharedLoadInstructions    ? "LDS."
                                 : what == Counter::kSharedStoreInstructions ? "STS."
                                 : what == Counter::kGlobalLoadInstructions  ? "LDG."
                                 : what == Counter::kGlobalStoreInstructions ? "STG."
                                                                             : "";
        if (name.empty()) continue;
        const std::uint32_t site = program->ops[i].site;
        for (unsigned piece = 0; piece < program->facts[i].memory_times; ++piece) {
            const machine::Site& at = program->sites[piece == 0 ? site : site + 1 + piece];
            found += (found.empty() ? "" : " ") + name + std::to_string(at.counted_width * 8);
        }
    }
    return found;
}

std::string loads(const std::string& base, std::initializer_list<int> words) {
    std::string lines, sum;
    int reg = 1;
    for (int word : words) {
        const std::string to = "%f" + std::to_string(reg++);
        lines += "ld.shared.f32 " + to + ",[" + base + "+" + std::to_string(4 * word) + "]; ";
        sum += "add.f32 %f50,%f50," + to + "; ";
    }
    return lines + sum;
}

std::string stores(std::initializer_list<int> bytes) {
    std::string lines;
    for (int at : bytes) lines += "st.shared.u32 [%r10+" + std::to_string(at) + "],%r4; ";
    return lines;
}

// Four loads off what `lines` make of %r20.
std::string four_at(const std::string& lines) {
    return machine_code_of(lines + " add.s32 %r21,%r6,%r20; " + loads("%r21", {0, 1, 2, 3}));
}

TEST(AssemblerLoads, AlignedPairsMergeAndAPairTakesItsOtherHalfAlong) {
    EXPECT_EQ(machine_code_of(loads("%r10", {0, 1})), "LDS.64");
    EXPECT_EQ(machine_code_of(loads("%r10", {0, 2})), "LDS.32 LDS.32");
    EXPECT_EQ(machine_code_of(loads("%r10", {1, 2})), "LDS.32 LDS.32");
    EXPECT_EQ(machine_code_of(loads("%r10", {0, 1, 2})), "LDS.128");
    EXPECT_EQ(machine_code_of(loads("%r10", {0, 1, 3})), "LDS.128");
    EXPECT_EQ(machine_code_of(loads("%r10", {1, 2, 3})), "LDS.128");
    EXPECT_EQ(machine_code_of(loads("%r10", {1, 2, 3, 4})), "LDS.128 LDS.32");
    EXPECT_EQ(machine_code_of(loads("%r10", {2, 3, 4, 5})), "LDS.64 LDS.64");
    EXPECT_EQ(machine_code_of(loads("%r10", {3, 2, 1, 0})), "LDS.128");
    EXPECT_EQ(machine_code_of(loads("%r10", {0, 0, 1})), "LDS.64");
}

TEST(AssemblerLoads, AlignmentFollowsFromTheOperations) {
    for (const char* sixteen :
         {"shl.b32 %r20,%r4,4;", "mul.lo.s32 %r20,%r4,48;", "and.b32 %r20,%r4,-16;", "and.b32 %r20,%r4,1008;",
          "shl.b32 %r20,%r4,4; or.b32 %r20,%r20,1024;", "shr.u32 %r20,%r4,3; shl.b32 %r20,%r20,4;",
          "shl.b32 %r20,%r4,4; neg.s32 %r20,%r20;",
          "mov.u32 %r22,508; shl.b32 %r23,%r4,2; sub.s32 %r22,%r22,%r23; shl.b32 %r20,%r22,2;",
          "setp.gt.s32 %p1,%r4,5; selp.b32 %r20,64,128,%p1;",
          "shl.b32 %r22,%r4,2; shl.b32 %r23,%r5,2; mul.lo.s32 %r20,%r22,%r23;",
          "mul.wide.s32 %d20,%r4,16; cvt.u32.u64 %r20,%d20;", "shl.b32 %r22,%r5,10; bfi.b32 %r20,%r4,%r22,4,6;",
          "shl.b32 %r22,%r4,4; not.b32 %r23,%r5; and.b32 %r20,%r22,%r23;",
          "mul.wide.s32 %d20,%r4,16; mov.b64 {%r20,%r22},%d20;", "shl.b32 %r20,%r4,4; rem.u32 %r20,%r20,1024;",
          "shl.b32 %r20,%r4,4; setp.gt.s32 %p1,%r5,3; @%p1 add.s32 %r20,%r20,64;", "mad24.lo.s32 %r20,%r4,48,32;"})
        EXPECT_EQ(four_at(sixteen), "LDS.128") << sixteen;
    for (const char* eight : {"shl.b32 %r20,%r4,3;", "and.b32 %r20,%r4,-8;",
                              "shl.b32 %r20,%r4,4; setp.gt.s32 %p1,%r5,3; @%p1 add.s32 %r20,%r20,8;"})
        EXPECT_EQ(four_at(eight), "LDS.64 LDS.64") << eight;
    for (const char* four :
         {"shl.b32 %r20,%r4,2;", "shl.b32 %r22,%r4,4; shl.b32 %r23,%r5,5; sub.s32 %r20,%r23,%r22;",
          "shl.b32 %r22,%r4,4; shl.b32 %r23,%r5,5; min.s32 %r20,%r22,%r23;", "shl.b32 %r20,%r4,8; shr.u32 %r20,%r20,4;",
          "mov.u32 %r22,%ntid.x; mul.lo.s32 %r20,%r4,%r22;", "shl.b32 %r22,%r4,4; shfl.sync.idx.b32 %r20,%r22,0,31,-1;",
          "shl.b32 %r20,%r4,4; add.s32 %r20,%r20,-4; add.s32 %r20,%r20,20;"})
        EXPECT_EQ(four_at(four), "LDS.32 LDS.32 LDS.32 LDS.32") << four;
}

TEST(AssemblerLoads, AVariablesPlaceCounts) {
    EXPECT_EQ(machine_code_of("mov.u32 %r20,behind; add.s32 %r21,%r20,%r9; " + loads("%r21", {0, 1, 2, 3})),
              "LDS.32 LDS.32 LDS.32 LDS.32");
    EXPECT_EQ(machine_code_of(loads("sm", {0, 1, 2, 3})), "LDS.128");
}

// Measured on 26 November 2026: 191 kernels in global and shared memory, alignments of 4, 8 and 16 bytes.
TEST(AssemblerLoads, WhereAVariableInGlobalMemoryLiesOnlyTheLinkerKnows) {
    const auto four = [](const std::string& base) {
        std::string lines, sum;
        for (int i = 0; i < 4; ++i) {
            const std::string to = "%r" + std::to_string(20 + i);
            lines += "ld.global.u32 " + to + ",[" + base + "+" + std::to_string(4 * i) + "]; ";
            sum += "add.u32 %r30,%r30," + to + "; ";
        }
        return lines + sum + "st.global.u32 [%d1],%r30;";
    };
    const std::string apart = "LDG.32 LDG.32 LDG.32 LDG.32 STG.32";
    EXPECT_EQ(machine_code_of(four("linked")), apart);
    EXPECT_EQ(machine_code_of("mov.u64 %d20,linked; " + four("%d20")), apart);
    EXPECT_EQ(machine_code_of("mov.u64 %d20,linked; add.s64 %d21,%d20,%d10; " + four("%d21")), apart);
    EXPECT_EQ(machine_code_of(four("%d13")), "LDG.128 STG.32");  // a pointer whose alignment is known
    EXPECT_EQ(machine_code_of("mov.u64 %d20,linked; st.global.u32 [%d20],%r4; st.global.u32 [%d20+4],%r5;"),
              "STG.32 STG.32");
}

TEST(AssemblerLoads, ConstantsAreFoldedBeforeAlignmentIsLookedAt) {
    EXPECT_EQ(machine_code_of("add.s32 %r21,%r10,4; " + loads("%r21", {-1, 0, 1, 2})), "LDS.128");
    EXPECT_EQ(machine_code_of("add.s32 %r20,%r6,4; add.s32 %r21,%r20,%r9; " + loads("%r21", {-1, 0, 1, 2})), "LDS.128");
    EXPECT_EQ(machine_code_of("add.s32 %r20,%r9,4; add.s32 %r21,%r6,%r20; " + loads("%r21", {-1, 0, 1, 2})),
              "LDS.32 LDS.32 LDS.32 LDS.32");
}

TEST(AssemblerLoads, AddressesComputedAlikeAreOneUnknown) {
    const std::string two = "ld.shared.f32 %f1,[%r10]; ld.shared.f32 %f2,[%r21+4]; add.f32 %f3,%f1,%f2;";
    EXPECT_EQ(machine_code_of("mul.lo.s32 %r20,%r4,32; add.s32 %r21,%r20,%r6; " + two), "LDS.64");
    EXPECT_EQ(machine_code_of(
                  "add.s32 %r20,%r4,1; shl.b32 %r20,%r20,5; add.s32 %r20,%r20,-32; add.s32 %r21,%r6,%r20; " + two),
              "LDS.64");
    EXPECT_EQ(machine_code_of("mad.lo.s32 %r21,%r4,32,%r6; " + two), "LDS.64");
    EXPECT_EQ(machine_code_of("shl.b32 %r20,%r4,6; sub.s32 %r20,%r20,%r9; add.s32 %r21,%r6,%r20; " + two),
              "LDS.32 LDS.32");
}

// What may lie between two loads, and what not.
TEST(AssemblerLoads, WhatOrdersOrWritesKeepsThemApart) {
    const auto with = [](const std::string& between) {
        return machine_code_of("ld.shared.f32 %f1,[%r10]; " + between +
                               " ld.shared.f32 %f2,[%r10+4]; add.f32 %f3,%f1,%f2;");
    };
    EXPECT_EQ(with("st.shared.u32 [%r14],%r5;"), "LDS.32 STS.32 LDS.32");
    EXPECT_EQ(with("bar.sync 0;"), "LDS.32 LDS.32");
    EXPECT_EQ(with("bar.warp.sync -1;"), "LDS.32 LDS.32");
    EXPECT_EQ(with("membar.cta;"), "LDS.32 LDS.32");
    EXPECT_EQ(with("nanosleep.u32 20;"), "LDS.32 LDS.32");
    EXPECT_EQ(with("red.shared.add.u32 [%r14],%r5;"), "LDS.32 LDS.32");
    EXPECT_EQ(with("st.u32 [%d11],%r5;"), "LDS.32 STG.32 LDS.32");
    EXPECT_EQ(with("st.global.u32 [%d11],%r5;"), "LDS.64 STG.32");
    EXPECT_EQ(with("red.global.add.u32 [%d11],%r5;"), "LDS.64");
    EXPECT_EQ(with("shfl.sync.idx.b32 %r20,%r5,0,31,-1;"), "LDS.64");
    EXPECT_EQ(with("cp.async.commit_group;"), "LDS.64");
    EXPECT_EQ(with("cp.async.wait_group 0;"), "LDS.32 LDS.32");
}

TEST(AssemblerLoads, PartsOfVectorsThatNobodyReadsFallAway) {
    const auto of = [](const std::string& space, const std::string& used) {
        return machine_code_of("ld." + space + ".v4.f32 {%f1,%f2,%f3,%f4}," +
                               (space == "global" ? "[%d11]; " : "[%r10]; ") + used);
    };
    EXPECT_EQ(of("global", "add.f32 %f5,%f1,%f2;"), "LDG.64");
    EXPECT_EQ(of("global", "add.f32 %f5,%f1,%f3;"), "LDG.32 LDG.32");
    EXPECT_EQ(of("global", "add.f32 %f5,%f2,%f3;"), "LDG.32 LDG.32");
    EXPECT_EQ(of("global", "mov.f32 %f5,%f3;"), "LDG.32");
    EXPECT_EQ(of("global", "fma.rn.f32 %f5,%f1,%f3,%f4;"), "LDG.128");
    EXPECT_EQ(of("volatile.global", "add.f32 %f5,%f1,%f2;").substr(0, 3), "LDG");
    EXPECT_EQ(of("shared", "add.f32 %f5,%f1,%f3;"), "LDS.32 LDS.32");
    EXPECT_EQ(machine_code_of("ld.volatile.global.v4.f32 {%f1,%f2,%f3,%f4},[%d11]; add.f32 %f5,%f1,%f2;"), "LDG.128");
}

TEST(AssemblerLoads, SixteenBitsMergeUnlessTheLoadWidensThem) {
    const auto of = [](const std::string& type, const std::string& use) {
        return machine_code_of("ld.shared." + type + " %h1,[%r10]; ld.shared." + type + " %h2,[%r10+2]; ld.shared." +
                               type + " %h3,[%r10+4]; " + use + " %f1,%h1; " + use + " %f2,%h2; " + use + " %f3,%h3;");
    };
    EXPECT_EQ(of("b16", "cvt.f32.f16"), "LDS.64");
    EXPECT_EQ(of("u16", "cvt.rn.f32.u16"), "LDS.64");
    const auto widened = [](const std::string& type) {
        return machine_code_of("ld.shared." + type + " %h1,[%r10]; ld.shared." + type +
                               " %h2,[%r10+2]; cvt.u32.u16 %r20,%h1; cvt.u32.u16 %r21,%h2; add.s32 %r22,%r20,%r21;");
    };
    EXPECT_EQ(widened("u16"), "LDS.16 LDS.16");
    EXPECT_EQ(widened("b16"), "LDS.16 LDS.16");
    EXPECT_EQ(widened("s16"), "LDS.32");
    EXPECT_EQ(machine_code_of("ld.shared.u16 %r20,[%r10]; ld.shared.u16 %r21,[%r10+2]; add.s32 %r22,%r20,%r21;"),
              "LDS.16 LDS.16");
}

TEST(AssemblerLoads, AVectorTellsOfAlignment) {
    EXPECT_EQ(machine_code_of("shl.b32 %r20,%r4,2; add.s32 %r21,%r6,%r20; ld.shared.v4.f32 {%f1,%f2,%f3,%f4},[%r21]; "
                              "add.f32 %f5,%f1,%f2; add.f32 %f5,%f3,%f4; ld.shared.f32 %f6,[%r21+16]; "
                              "ld.shared.f32 %f7,[%r21+20]; add.f32 %f8,%f6,%f7;"),
              "LDS.128 LDS.64");
    EXPECT_EQ(machine_code_of("ld.global.f32 %f1,[%d11]; ld.global.f32 %f2,[%d11+4]; add.f32 %f3,%f1,%f2;"),
              "LDG.32 LDG.32");
    EXPECT_EQ(machine_code_of("ld.global.f32 %f1,[%d13]; ld.global.f32 %f2,[%d13+4]; add.f32 %f3,%f1,%f2;"), "LDG.64");
}

TEST(AssemblerStores, ARunIntoOneWindowMerges) {
    EXPECT_EQ(machine_code_of(stores({0, 4})), "STS.64");
    EXPECT_EQ(machine_code_of(stores({0, 4, 8})), "STS.64 STS.32");
    EXPECT_EQ(machine_code_of(stores({4, 8, 12})), "STS.32 STS.64");
    EXPECT_EQ(machine_code_of(stores({12, 8, 4, 0})), "STS.128");
    EXPECT_EQ(machine_code_of(stores({4, 8})), "STS.32 STS.32");
    EXPECT_EQ(machine_code_of(stores({0, 4, 32, 36})), "STS.64 STS.64");
    EXPECT_EQ(machine_code_of(stores({0, 32, 4, 36})), "STS.32 STS.32 STS.32 STS.32");
    EXPECT_EQ(machine_code_of(stores({0, 512, 4})), "STS.32 STS.32 STS.32");
    EXPECT_EQ(machine_code_of("st.shared.u32 [%r10],%r4; ld.shared.u32 %r20,[%r14+512]; st.shared.u32 [%r10+4],%r20;"),
              "STS.32 LDS.32 STS.32");
    EXPECT_EQ(machine_code_of("st.shared.u32 [%r10],%r4; st.global.u32 [%d11],%r4; st.shared.u32 [%r10+4],%r5;"),
              "STS.64 STG.32");
    EXPECT_EQ(machine_code_of("st.shared.u16 [%r10],%h1; st.shared.u16 [%r10+2],%h2;"), "STS.32");
    EXPECT_EQ(machine_code_of("st.volatile.shared.u32 [%r10],%r4; st.volatile.shared.u32 [%r10+4],%r5;"),
              "STS.32 STS.32");
    EXPECT_EQ(machine_code_of("st.shared.u64 [%r10],%d0; st.shared.u64 [%r10+8],%d1;"), "STS.128");
    EXPECT_EQ(machine_code_of("st.global.u32 [%d13],%r4; st.global.u32 [%d13+4],%r5;"), "STG.64");
    EXPECT_EQ(
        machine_code_of("st.shared.u32 [%r10],%r4; st.shared.v2.u32 [%r10+8],{%r4,%r5}; st.shared.u32 [%r10+4],%r5;"),
        "STS.128");
    EXPECT_EQ(
        machine_code_of("st.shared.v2.u32 [%r10],{%r4,%r5}; st.shared.u32 [%r10+8],%r5; st.shared.u32 [%r10+12],%r4;"),
        "STS.64 STS.32 STS.32");
}

TEST(AssemblerStores, WhatAThreadHasStoredItKnows) {
    EXPECT_EQ(machine_code_of("st.shared.u32 [%r10],%r5; ld.shared.u32 %r20,[%r10]; mov.u32 %r21,%r20;"), "STS.32");
    EXPECT_EQ(machine_code_of("st.shared.u32 [%r10],%r5; bar.sync 0; ld.shared.u32 %r20,[%r10]; mov.u32 %r21,%r20;"),
              "STS.32 LDS.32");
    EXPECT_EQ(
        machine_code_of(
            "st.shared.u32 [%r10],%r5; st.shared.u32 [%r14+4],%r4; ld.shared.u32 %r20,[%r10]; mov.u32 %r21,%r20;"),
        "STS.32 STS.32 LDS.32");
}

// A loop over %r30 that loads one word a turn and multiplies and adds `size` times.
std::string loop(unsigned turns, unsigned size, const std::string& pragma = "") {
    std::string lines = "mov.u32 %r30,0; mov.u32 %r31,%r10; L1: " + pragma + "ld.shared.f32 %f1,[%r31]; ";
    for (unsigned i = 0; i < size; ++i) lines += "fma.rn.f32 %f2,%f1,%f2,%f3; ";
    return lines + "add.s32 %r31,%r31,4; add.s32 %r30,%r30,1; setp.ne.s32 %p1,%r30," + std::to_string(turns) +
           "; @%p1 bra L1;";
}

TEST(AssemblerLoops, LoadsOfSeveralTurnsMerge) {
    EXPECT_EQ(machine_code_of(loop(8, 4)), "LDS.128 LDS.128");
    EXPECT_EQ(machine_code_of(loop(6, 4)), "LDS.128 LDS.64");
    EXPECT_EQ(machine_code_of(loop(8, 4, ".pragma \"nounroll\"; ")), "LDS.32");
    EXPECT_EQ(machine_code_of(loop(8, 60)), "LDS.128");  // four turns at a time
    EXPECT_EQ(machine_code_of(loop(8, 80)), "LDS.32");
}

// Sums, products and differences of them would wrap round, and so would a walk from one word to the next.
TEST(AssemblerLoads, ConstantsAtTheEndsOf64BitsAreFollowedNoFurther) {
    for (const std::string least : {"-9223372036854775808", "9223372036854775807", "-140737488355328"})
        for (const std::string made :
             {"mov.b64 %d20, LEAST; add.s64 %d20, %d20, LEAST; sub.s64 %d21, %d11, LEAST; add.s64 %d21, %d21, LEAST;",
              "mov.b64 %d20, LEAST; mul.lo.s64 %d20, %d20, LEAST; mad.lo.s64 %d21, %d11, LEAST, %d20;",
              "mov.b64 %d20, 0; sub.s64 %d20, %d20, LEAST; mov.b64 %d21, LEAST; sub.s64 %d21, %d21, 16;",
              "and.b64 %d19, %d11, LEAST; or.b64 %d20, %d19, 16; mov.b64 %d21, LEAST; or.b64 %d21, %d21, LEAST;"}) {
            std::string lines = made +
                                "ld.global.f32 %f1,[%d20]; ld.global.f32 %f2,[%d20+4]; st.global.f32 [%d21],%f1; "
                                "st.global.f32 [%d21+4],%f2;";
            for (std::size_t at = 0; (at = lines.find("LEAST")) != std::string::npos;) lines.replace(at, 5, least);
            EXPECT_NE(machine_code_of(lines), "does not lower") << lines;
        }
}

TEST(AssemblerLoops, HowOftenABodyIsRepeated) {
    // Turns and the largest size that is repeated for all of them, the next: seen in machine code.
    for (const auto& [turns, size] :
         {std::pair{2u, 191u}, {4u, 97u}, {8u, 57u}, {16u, 33u}, {32u, 22u}, {64u, 14u}, {128u, 9u}}) {
        EXPECT_EQ(copies_of_body(turns, size), turns);
        EXPECT_LT(copies_of_body(turns, size + 1), turns);
    }
    EXPECT_EQ(copies_of_body(1000, 3), 111u);
    EXPECT_EQ(copies_of_body(1000, 10), 27u);
    EXPECT_EQ(copies_of_body(1000, 20), 12u);
    EXPECT_EQ(copies_of_body(1000, 70), 5u);
    EXPECT_EQ(copies_of_body(1000, 71), 4u);
    EXPECT_EQ(copies_of_body(1000, 73), 1u);
    EXPECT_EQ(copies_of_body(16, 44), 5u);
    EXPECT_EQ(copies_of_body(32, 24), 10u);
}

// "always", "full warps" or "no".
std::string combined(const std::string& lines) {
    const auto program = lowered_for_assembler(
        "cvta.to.global.u64 %d0,%d0; mov.u32 %r40,%ctaid.x; mul.wide.u32 %d40,%r40,4; "
        "add.s64 %d41,%d0,%d40; shr.u32 %r41,%r2,5; mul.wide.u32 %d42,%r41,4; add.s64 %d43,%d0,%d42; "
        "mul.wide.u32 %d44,%r2,4; add.s64 %d45,%d0,%d44; ld.global.u32 %r42,[%d45]; " +
        lines);
    if (!program) return "does not lower";
    for (const machine::Op& op : program->ops)
        if (op.flags & (kCombined | kCombinedIfFull)) return op.flags & kCombined ? "always" : "full warps";
    return "no";
}

TEST(AssemblerAtomics, OneLaneGoesOutWhereTheAddressIsUniform) {
    EXPECT_EQ(combined("red.global.add.u32 [%d0],%r42;"), "always");
    EXPECT_EQ(combined("atom.global.max.s32 %r50,[%d0],%r42;"), "always");  // nobody reads the result
    EXPECT_EQ(combined("red.global.xor.b32 [%d0],%r42;"), "always");
    EXPECT_EQ(combined("red.shared.or.b32 [sm],%r42;"), "always");
    EXPECT_EQ(combined("red.global.add.u32 [%d41],%r42;"), "always");
    EXPECT_EQ(combined("red.global.add.u32 [%d43],%r42;"), "no");
    EXPECT_EQ(combined("red.global.add.u32 [%d45],%r42;"), "no");
    EXPECT_EQ(combined("red.global.inc.u32 [%d0],%r42;"), "no");
    EXPECT_EQ(combined("red.global.add.f32 [%d0],%f1;"), "no");
    EXPECT_EQ(combined("cvt.u64.u32 %d50,%r42; red.global.add.u64 [%d0],%d50;"), "no");
    EXPECT_EQ(combined("red.global.add.u64 [%d0],1;"), "always");
    EXPECT_EQ(combined("red.global.or.b64 [%d0],1;"), "no");
}

TEST(AssemblerAtomics, AResultIsOnlyWorkedOutForSums) {
    const std::string use = " xor.b32 %r51,%r50,%r4;";
    EXPECT_EQ(combined("atom.global.add.u32 %r50,[%d0],1;" + use), "always");
    EXPECT_EQ(combined("atom.global.add.u32 %r50,[%d0],%r4;" + use), "always");
    EXPECT_EQ(combined("atom.global.add.u32 %r50,[%d0],%r42;" + use), "full warps");
    EXPECT_EQ(combined("atom.global.max.u32 %r50,[%d0],1;" + use), "no");
    EXPECT_EQ(combined("atom.global.exch.b32 %r50,[%d0],1;" + use), "no");
}

TEST(AssemblerAtomics, WhatIsUniform) {
    const auto at = [](const std::string& lines) {
        return combined(lines + " mul.wide.u32 %d50,%r60,4; add.s64 %d51,%d0,%d50; red.global.add.u32 [%d51],%r42;");
    };
    EXPECT_EQ(at("ld.global.u32 %r60,[%d0+8];"), "always");
    EXPECT_EQ(at("ld.shared.u32 %r60,[sm+8];"), "always");
    EXPECT_EQ(at("shfl.sync.idx.b32 %r60,%r42,0,31,-1;"), "always");
    EXPECT_EQ(at("shfl.sync.down.b32 %r60,%r42,1,31,-1;"), "no");
    EXPECT_EQ(at("setp.gt.s32 %p1,%r42,3; vote.sync.ballot.b32 %r60,%p1,-1;"), "always");
    EXPECT_EQ(at("setp.gt.s32 %p1,%r4,3; selp.b32 %r60,4,8,%p1;"), "always");
    EXPECT_EQ(at("setp.gt.s32 %p1,%r42,3; selp.b32 %r60,4,8,%p1;"), "no");
    EXPECT_EQ(at("mov.u32 %r60,%tid.y;"), "no");
    EXPECT_EQ(at("mov.u32 %r60,3; setp.gt.s32 %p1,%r4,3; @%p1 bra L1; mov.u32 %r60,5; L1:"), "always");
    EXPECT_EQ(at("mov.u32 %r60,3; setp.gt.s32 %p1,%r42,3; @%p1 bra L1; mov.u32 %r60,5; L1:"), "no");
    EXPECT_EQ(at("mov.u32 %r60,0; L1: add.u32 %r60,%r60,1; setp.lt.u32 %p1,%r60,%r42; @%p1 bra L1;"), "no");
}

TEST(AssemblerAtomics, ACodeForOneLaneIsLeftAlone) {
    const auto under = [](const std::string& condition) {
        return combined(condition + " @!%p1 bra L1; red.global.add.u32 [%d0],%r42; L1:");
    };
    EXPECT_EQ(under("setp.eq.s32 %p1,%r2,0;"), "no");
    EXPECT_EQ(under("setp.eq.s32 %p1,%r2,%r4;"), "no");
    EXPECT_EQ(under("setp.ne.s32 %p1,%r2,0;"), "always");
    EXPECT_EQ(under("setp.lt.u32 %p1,%r2,1;"), "always");
    EXPECT_EQ(under("and.b32 %r60,%r2,31; setp.eq.s32 %p1,%r60,0;"), "always");
    EXPECT_EQ(under("setp.eq.s32 %p1,%r2,%r42;"), "always");
    EXPECT_EQ(combined("setp.eq.s32 %p1,%r2,0; @%p1 red.global.add.u32 [%d0],%r42;"), "no");
}

}  // namespace
}  // namespace tilescope::isa
