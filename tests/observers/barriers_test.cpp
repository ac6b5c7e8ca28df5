// --check barriers: whether all threads of a block come to its barriers.
#include <gtest/gtest.h>

#include "tests/session/kernel_runner.h"

namespace tilescope::test {
namespace {

std::vector<Hazard> barrier_hazards_of(const std::string& body, KernelShape shape) {
    shape.checks = bit_of(Check::kBarriers);
    const KernelRun run = run_kernel(ptx_kernel("mov.u32 %r1, %tid.x;\n" + body + "\nret;"), "k", {Words(64)}, shape);
    EXPECT_EQ(run.problem + run.fault, "") << body;
    return run.hazards;
}

// A barrier inside `if (i < 40)`.
const char* const kConditional = "setp.ge.u32 %p1, %r1, 40;\n@%p1 bra end;\nbar.sync 0;\nend:";

TEST(Barriers, ABarrierInAConditionIsFoundWhereSomeThreadsSkipIt) {
    const auto some = barrier_hazards_of(kConditional, {.grid = {2, 1, 1}, .block = {64, 1, 1}, .jobs = 2});
    ASSERT_EQ(some.size(), 1u);
    EXPECT_EQ(some[0].kind, HazardKind::kDivergentBarrier);
    EXPECT_EQ(some[0].severity, Severity::kError);
    EXPECT_EQ(some[0].count, 2u);
    EXPECT_NE(some[0].message.find("40 of the 64 threads"), std::string::npos) << some[0].message;
    EXPECT_NE(some[0].message.find("thread (40, 0, 0)"), std::string::npos) << some[0].message;
}

TEST(Barriers, WhereAllThreadsHappenToComeItIsNoted) {
    for (const std::uint32_t threads : {40u, 32u}) {
        const auto lucky = barrier_hazards_of(kConditional, {.block = {threads, 1, 1}});
        ASSERT_EQ(lucky.size(), 1u);
        EXPECT_EQ(lucky[0].severity, Severity::kNote);
        EXPECT_EQ(lucky[0].facts.what, HazardCase::kLuckyBarrier);
    }
    // What decides is the same for all.
    const char* const by_size = "mov.u32 %r3, %ntid.x;\nsetp.ge.u32 %p1, %r3, 41;\n@%p1 bra end;\nbar.sync 0;\nend:";
    EXPECT_TRUE(barrier_hazards_of(by_size, {.block = {40, 1, 1}}).empty());
}

TEST(Barriers, TwoBarriersOfOneNumberAreNotOne) {
    const auto split = barrier_hazards_of(
        "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra other;\nbar.sync 0;\nbra end;\nother:\nbar.sync 0;\nend:",
        {.block = {64, 1, 1}});
    ASSERT_EQ(split.size(), 1u);
    EXPECT_EQ(split[0].kind, HazardKind::kDivergentBarrier);
    EXPECT_NE(split[0].other_line, 0u);
}

TEST(Barriers, BarriersWithACountAreForThoseWhoNameThem) {
    EXPECT_TRUE(
        barrier_hazards_of("setp.ge.u32 %p1, %r1, 64;\n@%p1 bra end;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 bra other;\n"
                           "bar.sync 1, 64;\nbra end;\nother:\nbar.arrive 1, 64;\nend:",
                           {.block = {96, 1, 1}})
            .empty());
}

TEST(Barriers, LanesThatNeverComeAreErrorsWhenLookedFor) {
    const char* const body = "setp.ge.u32 %p1, %r1, 20;\n@%p1 bra end;\nshfl.sync.down.b32 %r3, %r1, 8, 31, -1;\nend:";
    bool is_error = false;
    for (const Hazard& hazard : barrier_hazards_of(body, {.block = {32, 1, 1}}))
        is_error = is_error || (hazard.kind == HazardKind::kDivergentBarrier && hazard.severity == Severity::kError);
    EXPECT_TRUE(is_error);
}

}  // namespace
}  // namespace tilescope::test
