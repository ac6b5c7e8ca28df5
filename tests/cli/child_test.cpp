#include "scope/cli/child.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>

namespace tilescope::cli {
namespace {

ChildEnd shell(const std::string& script, const std::vector<std::pair<std::string, std::string>>& variables = {}) {
    auto end = run_child("/bin/sh", {"sh", "-c", script}, variables);
    EXPECT_TRUE(end);
    return end ? *end : ChildEnd{};
}

TEST(Child, StatusAndSignalAreToldApart) {
    EXPECT_EQ(shell("exit 0").status, 0);
    EXPECT_EQ(shell("exit 42").status, 42);
    EXPECT_EQ(shell("exit 42").signal, 0);
    EXPECT_EQ(shell("kill -SEGV $$").signal, SIGSEGV);
}

TEST(Child, VariablesReplaceOurs) {
    setenv("TILESCOPE_TEST_OLD", "old", 1);
    setenv("TILESCOPE_TEST", "ours", 1);
    EXPECT_EQ(shell("test \"$TILESCOPE_TEST\" = 'theirs now' && test \"$TILESCOPE_TEST_OLD\" = old",
                    {{"TILESCOPE_TEST", "theirs now"}})
                  .status,
              0);
    unsetenv("TILESCOPE_TEST");
    unsetenv("TILESCOPE_TEST_OLD");
}

TEST(Child, SignalsToUsReachIt) {
    // The child asks its parent, us, to be terminated: that must end the child, and us not.
    EXPECT_EQ(shell("trap 'exit 7' TERM; kill -TERM $PPID; while :; do sleep 0.05; done").status, 7);
}

TEST(Child, WhatCannotStartIsAnError) {
    auto end = run_child("/no/such/program", {"x"}, {});
    ASSERT_FALSE(end);
    EXPECT_EQ(end.errors()[0].code, "cli-start");
}

}  // namespace
}  // namespace tilescope::cli
