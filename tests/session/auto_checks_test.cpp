// --check auto: how much of a launch it looks at, and what becomes of what it finds.
#include <gtest/gtest.h>

#include "scope/session/launch/check_budget.h"
#include "tests/session/kernel_runner.h"

namespace tilescope::test {
namespace {

constexpr std::uint32_t kAuto = bit_of(Check::kMemory) | bit_of(Check::kRaces) | bit_of(Check::kBarriers) |
                                bit_of(Check::kInit) | bit_of(Check::kStreams);

observers::CheckEffort effort_of(std::uint64_t accesses, double spent) {
    observers::CheckEffort effort;
    effort.global = accesses;
    effort.spent = spent;
    return effort;
}

TEST(CheckBudget, ChecksEveryBlockOfAShortLaunch) {
    const CheckBudget budget(/*has_caches=*/true);
    observers::CheckEffort effort = effort_of(100, 10'000);
    EXPECT_EQ(budget.blocks_checked(1'000, 64, effort), 64u);
}

TEST(CheckBudget, ChecksTheFirstBlocksOfALongLaunch) {
    const CheckBudget budget(/*has_caches=*/false);
    observers::CheckEffort effort = effort_of(100'000, 20e6);
    const std::uint64_t checked = budget.blocks_checked(1'000'000, 10'000, effort);
    EXPECT_GE(checked, 1u);
    EXPECT_LT(checked, 10'000u);
    effort = effort_of(100'000, 20e6);
    EXPECT_EQ(budget.blocks_checked(1'000'000, 10'000, effort), checked) << "the same counts, another answer";
}

TEST(CheckBudget, StopsCheckingWhenSpentAndGoesOnWhenTheRunHasGrown) {
    CheckBudget budget(/*has_caches=*/false);
    observers::CheckEffort effort = effort_of(1'000, 400e6);
    budget.end(10'000, 1, 1, effort);
    observers::CheckEffort next;
    budget.begin(next);
    EXPECT_TRUE(next.is_over);
    budget.end(1'000'000'000, 0, 1'000, observers::CheckEffort());
    next = {};
    budget.begin(next);
    EXPECT_FALSE(next.is_over);
}

// Every thread of a block stores its number to the block's one word.
std::string racing_kernel() {
    return ptx_kernel(R"(
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, %ctaid.x;
    mul.wide.u32 %rd1, %r1, 4;
    add.u64 %rd2, %rd10, %rd1;
    st.global.u32 [%rd2], %r0;
    ret;
)");
}

TEST(AutoChecks, FindARaceWhichDecidesNoStatus) {
    KernelShape shape{.grid = {4, 1, 1}, .block = {64, 1, 1}, .checks = kAuto};
    shape.checks_are_auto = true;
    const KernelRun run = run_kernel(racing_kernel(), "k", {Words(4)}, shape);
    ASSERT_EQ(run.problem, "");
    ASSERT_EQ(run.hazards.size(), 1u);
    EXPECT_EQ(run.hazards[0].kind, HazardKind::kRace);
    EXPECT_EQ(run.hazards[0].severity, Severity::kError);
    EXPECT_TRUE(run.hazards[0].by_auto);
}

TEST(AutoChecks, FindTheSameAtAnyNumberOfWorkers) {
    KernelShape shape{.grid = {20'000, 1, 1}, .block = {256, 1, 1}, .checks = kAuto};
    shape.checks_are_auto = true;
    shape.jobs = 1;
    const KernelRun alone = run_kernel(racing_kernel(), "k", {Words(20'000)}, shape);
    shape.jobs = 4;
    const KernelRun many = run_kernel(racing_kernel(), "k", {Words(20'000)}, shape);
    ASSERT_EQ(alone.problem, "");
    EXPECT_EQ(alone.hazards, many.hazards);
    EXPECT_EQ(alone.blocks_checked, many.blocks_checked);
}

}  // namespace
}  // namespace tilescope::test
