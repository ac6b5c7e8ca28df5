// What hazards are made of before anybody puts them into words: both ends, the memory, what mends it.
#include <gtest/gtest.h>

#include "tests/session/kernel_runner.h"

namespace tilescope::test {
namespace {

// %r1: the thread, %r4 and %r5: its own word of the tile and the one 32 words further, round its 64.
Hazard only_hazard_of(const std::string& body, Check check, std::uint32_t threads = 64, bool is_filled = true) {
    const std::string before =
        "mov.u32 %r1, %tid.x;\nmov.u32 %r3, tile;\nshl.b32 %r6, %r1, 2;\nadd.u32 %r4, %r3, %r6;\n"
        "xor.b32 %r7, %r6, 128;\nadd.u32 %r5, %r3, %r7;\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd1, %rd10, %rd1;\n";
    // Nobody is told of loads whose result nobody reads.
    const std::string behind = "\nst.global.u32 [%rd1+1024], %r8;\nend:\nret;";
    const KernelRun run = run_kernel(ptx_kernel(before + body + behind), "k", {Words(512)},
                                     {.block = {threads, 1, 1}, .checks = bit_of(check), .is_filled = is_filled});
    EXPECT_EQ(run.problem + run.fault, "") << body;
    EXPECT_EQ(run.hazards.size(), 1u) << body;
    return run.hazards.empty() ? Hazard{} : run.hazards.front();
}

TEST(HazardFacts, ARaceHasItsVariableAndTheLinesOfABarrier) {
    const Hazard race = only_hazard_of("st.shared.u32 [%r4], %r1;\nld.shared.u32 %r8, [%r5];", Check::kRaces);
    EXPECT_EQ(race.facts.what, HazardCase::kRace);
    EXPECT_EQ(race.facts.act.deed, Deed::kRead);
    EXPECT_EQ(race.facts.other.deed, Deed::kWrite);
    EXPECT_EQ(race.facts.bytes, 4u);
    EXPECT_EQ(race.facts.memory.naming, MemoryNaming::kVariable);
    EXPECT_EQ(race.facts.memory.name, "tile");
    EXPECT_EQ(race.facts.memory.byte % 4, 0u);
    EXPECT_EQ(race.facts.remedy, Remedy::kBlockBarrier);
    EXPECT_EQ(race.facts.place, RemedyPlace::kLines);
    EXPECT_EQ(race.facts.first_line, race.other_line);
    EXPECT_EQ(race.facts.last_line, race.line);
}

TEST(HazardFacts, ALoopNamesAnotherPlace) {
    const Hazard race = only_hazard_of(
        "mov.u32 %r9, 0;\nloop:\nst.shared.u32 [%r4], %r9;\nbar.sync 0;\nld.shared.u32 %r8, [%r5];\n"
        "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p4, %r9, 3;\n@%p4 bra loop;",
        Check::kRaces);
    EXPECT_EQ(race.facts.act.deed, Deed::kWrite);
    EXPECT_EQ(race.facts.place, RemedyPlace::kLoop);
    EXPECT_EQ(race.facts.first_line, 0u);
}

TEST(HazardFacts, GlobalMemoryIsNamedByItsArgument) {
    const Hazard race = only_hazard_of("st.global.u32 [%rd1], %r1;\nld.global.u32 %r8, [%rd10+128];", Check::kRaces);
    EXPECT_EQ(race.facts.memory.naming, MemoryNaming::kArgument);
    EXPECT_EQ(race.facts.memory.index, 0u);
    EXPECT_EQ(race.facts.memory.byte, 128u);
}

TEST(HazardFacts, ABarrierCountsWhoCameAndNamesOneWhoDidNot) {
    const Hazard ended = only_hazard_of("setp.ge.u32 %p1, %r1, 40;\n@%p1 bra end;\nbar.sync 0;", Check::kBarriers);
    EXPECT_EQ(ended.facts.what, HazardCase::kEndedBefore);
    EXPECT_EQ(ended.facts.came, 40u);
    EXPECT_EQ(ended.facts.expected, 64u);
    EXPECT_EQ(ended.facts.missing, (Dim3{40, 0, 0}));
    EXPECT_EQ(ended.facts.remedy, Remedy::kUnconditional);
    const Hazard split = only_hazard_of(
        "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra other;\nbar.sync 0;\nbra end;\nother:\nbar.sync 0;", Check::kBarriers);
    EXPECT_EQ(split.facts.what, HazardCase::kTwoBarriers);
    EXPECT_EQ(split.facts.remedy, Remedy::kUniform);
    EXPECT_FALSE(split.facts.is_one_line);
}

TEST(HazardFacts, AnUndefinedValueKnowsWhatItWasReadFrom) {
    const Hazard use = only_hazard_of(
        "ld.global.u32 %r8, [%rd1];\nsetp.eq.u32 %p1, %r8, 0;\n@%p1 bra end;\nst.global.u32 [%rd1], %r1;", Check::kInit,
        32, /*is_filled=*/false);
    EXPECT_EQ(use.facts.what, HazardCase::kUndefinedUse);
    EXPECT_EQ(use.facts.act.deed, Deed::kBranchOn);
    EXPECT_EQ(use.facts.other.deed, Deed::kRead);
    EXPECT_EQ(use.facts.memory.naming, MemoryNaming::kArgument);
    EXPECT_EQ(use.facts.remedy, Remedy::kDefine);
}

}  // namespace
}  // namespace tilescope::test
