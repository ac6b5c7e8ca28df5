#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "scope/machine/memory_budget.h"
#include "scope/machine/shared_budget.h"
#include "tests/scratch.h"

namespace tilescope::machine {
namespace {

std::string empty_file(const std::string& name) {
    std::string path = scratch_file(name);
    std::ofstream(path, std::ios::trunc).flush();
    return path;
}

// The status of a child that does this.
template <class Body>
int in_child(Body body) {
    const pid_t child = fork();
    if (child == 0) _exit(body());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(SharedBudget, HoldsForAllProcesses) {
    const std::string path = empty_file("shared_budget_all");
    SharedBudget own;
    ASSERT_TRUE(own.open(path));
    EXPECT_TRUE(own.take(60, 100));
    EXPECT_FALSE(own.take(41, 100));
    EXPECT_EQ(in_child([&] {
                  SharedBudget other;
                  if (!other.open(path) || other.used_by_others() != 60) return 1;
                  if (other.take(41, 100) || !other.take(40, 100)) return 2;
                  other.give(10);
                  return other.take(11, 100) ? 3 : 0;
              }),
              0);
    own.give(60);
    EXPECT_TRUE(own.take(100, 100));
}

TEST(SharedBudget, WhatAProcessKeptIsGivenUpWhenItEnds) {
    const std::string path = empty_file("shared_budget_end");
    SharedBudget own;
    ASSERT_TRUE(own.open(path));
    EXPECT_EQ(in_child([&] {
                  SharedBudget other;
                  if (!other.open(path) || !other.take(90, 100)) return 1;
                  _exit(0);  // with all of it
              }),
              0);
    EXPECT_TRUE(own.take(100, 100));
    EXPECT_EQ(own.used_by_others(), 0U);
}

TEST(SharedBudget, TheRefusalNamesTheOthers) {
    const std::string path = empty_file("shared_budget_text");
    SharedBudget other;
    ASSERT_TRUE(other.open(path));
    ASSERT_TRUE(other.take(70, 100));
    EXPECT_EQ(in_child([&] {
                  MemoryBudget budget;
                  budget.set_limit(100);
                  if (!budget.share(path) || !budget.take(Kept::kDevice, 20)) return 1;
                  if (budget.fits(11) || !budget.fits(10) || budget.take(Kept::kPinned, 11)) return 2;
                  const std::string text = budget.refusal(11, "an allocation");
                  if (!text.ends_with("in use: device memory 20, other processes 70")) return 3;
                  budget.give(Kept::kDevice, 20);
                  return budget.take(Kept::kPinned, 30) ? 0 : 4;
              }),
              0);
}

TEST(SharedBudget, AFileThatIsNotThereIsNone) {
    SharedBudget budget;
    EXPECT_FALSE(budget.open("/no/such/folder/file"));
    EXPECT_FALSE(budget.is_open());
}

}  // namespace
}  // namespace tilescope::machine
