#include "scope/cli/child.h"
#include "tests/scratch.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tilescope::cli {
namespace {

ChildEnd shell(const std::string& script, const std::vector<std::pair<std::string, std::string>>& variables = {}) {
    ChildRequest request{"/bin/sh", {"sh", "-c", script}, variables, {}};
    auto end = run_child(request);
    EXPECT_TRUE(end);
    return end ? *end : ChildEnd{};
}

// How many processes have this variable in their environment, apart from those that are dead and not yet waited for.
int processes_with(const std::pair<std::string, std::string>& variable) {
    int count = 0;
    std::error_code failed;
    for (const auto& process : std::filesystem::directory_iterator("/proc", failed)) {
        std::ifstream file(process.path() / "environ", std::ios::binary);
        for (std::string entry; std::getline(file, entry, '\0');)
            count += entry == variable.first + "=" + variable.second;
    }
    return count;
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

TEST(Child, ASecondRequestEndsItWhateverItDoes) {
    const auto begun = std::chrono::steady_clock::now();
    const ChildEnd end = shell("trap '' INT; kill -INT $PPID; sleep 0.2; kill -INT $PPID; sleep 30");
    EXPECT_EQ(end.signal, SIGKILL);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
}

TEST(Child, ADeadlineEndsItAndAllThatItStarted) {
    ChildRequest request{"/bin/sh", {"sh", "-c", "sleep 300 & exec sleep 300"}, {}, {}};
    request.variables = {{"TILESCOPE_TEST_MARK", std::to_string(getpid()) + " deadline"}};
    request.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    const auto end = run_child(request);
    ASSERT_TRUE(end);
    EXPECT_TRUE(end->timed_out);
    EXPECT_EQ(processes_with(request.variables[0]), 0);
}

TEST(Child, WhatItLeavesBehindIsWaitedFor) {
    const std::string done = scratch_file("child_test_left_behind");
    std::filesystem::remove(done);
    std::size_t left = 0;
    ChildRequest request{"/bin/sh", {"sh", "-c", "(sleep 1.5; echo > " + done + ") & exit 3"}, {}, {}};
    request.left_behind = [&](std::size_t processes) { left = processes; };
    const auto end = run_child(request);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->status, 3);
    EXPECT_TRUE(std::filesystem::exists(done));
    EXPECT_GE(left, 1U);
}

// Without the variable, in a session of its own, its parent gone.
TEST(Child, ADeadlineEndsWhatHidesFromIt) {
    const std::string number = scratch_file("child_test_hidden");
    ChildRequest request{
        "/bin/sh",
        {"sh", "-c", "setsid env -i /bin/sh -c 'echo $$ > " + number + "; exec sleep 300' & sleep 0.1"},
        {{"TILESCOPE_TEST_MARK", "hidden"}},
        {}};
    request.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(800);
    const auto end = run_child(request);
    ASSERT_TRUE(end);
    EXPECT_TRUE(end->timed_out);
    pid_t hidden = 0;
    std::ifstream(number) >> hidden;
    ASSERT_NE(hidden, 0);
    EXPECT_NE(kill(hidden, 0), 0);
}

// A process of its own runs the child and is killed while it waits.
TEST(Child, DoesNotOutliveUs) {
    ChildRequest request{"/bin/sh", {"sh", "-c", "setsid sleep 300 & sleep 300"}, {}, {}};
    request.variables = {{"TILESCOPE_TEST_MARK", std::to_string(getpid()) + " outlive"}};
    const std::string scratch = scratch_file("child_test_scratch");
    request.scratch = {scratch};
    std::ofstream(scratch) << "journal";
    const pid_t owner = fork();
    if (owner == 0) _exit(run_child(request) ? 0 : 1);
    // The shell and two sleeps. One look decides: a process that is just starting its program shows no variables.
    bool all_run = false;
    for (int i = 0; i < 500 && !all_run; ++i) {
        all_run = processes_with(request.variables[0]) == 3;
        if (!all_run) usleep(10'000);
    }
    EXPECT_TRUE(all_run);
    kill(owner, SIGKILL);
    waitpid(owner, nullptr, 0);
    for (int i = 0; i < 500 && processes_with(request.variables[0]) > 0; ++i) usleep(10'000);
    EXPECT_EQ(processes_with(request.variables[0]), 0);
    for (int i = 0; i < 500 && std::filesystem::exists(scratch); ++i) usleep(10'000);
    EXPECT_FALSE(std::filesystem::exists(scratch));
}

TEST(Child, WhatCannotStartIsAnError) {
    auto end = run_child({"/no/such/program", {"x"}, {}, {}});
    ASSERT_FALSE(end);
    EXPECT_EQ(end.errors()[0].code, "cli-start");
}

}  // namespace
}  // namespace tilescope::cli
