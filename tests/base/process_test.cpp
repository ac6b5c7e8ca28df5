// What scope/image and scope/cli each ask of a child process (tests/image/process_test.cpp, tests/cli/child_test.cpp),
// at once.
#include "scope/base/process.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace tilescope {
namespace {

ProcessRequest shell(const std::string& script) {
    ProcessRequest request{"/bin/sh", {"sh", "-c", script}, {{"TILESCOPE_TEST", "value"}}};
    request.captured = true;
    request.own_group = true;
    return request;
}

TEST(Process, ACapturedChildGetsOurSignals) {
    const HeldSignals held;
    ProcessRequest request = shell("trap 'echo asked; exit 7' TERM; kill -TERM $PPID; while :; do sleep 0.05; done");
    request.forwarded = &held;
    Process child;
    ASSERT_EQ(child.start(request).reason, 0);
    EXPECT_EQ(child.wait(held, std::nullopt, [&] { child.kill_group(); }), Process::State::kEnded);
    EXPECT_TRUE(child.read(std::nullopt));
    EXPECT_EQ(child.output(), "asked\n");
    EXPECT_EQ(child.status(), 7);
    EXPECT_EQ(child.signal(), 0);
}

TEST(Process, BothWaysOfStartingDoTheSame) {
    for (const bool forwarded : {false, true}) {
        const HeldSignals held;
        ProcessRequest request =
            shell("read line; echo \"$TILESCOPE_TEST$line\"; echo err >&2; sleep 300 & exec sleep 300");
        if (forwarded) request.forwarded = &held;
        Process child;
        ASSERT_EQ(child.start(request).reason, 0);
        EXPECT_FALSE(child.read(Process::Clock::now() + std::chrono::milliseconds(300)));
        child.kill_group();  // or what was started would hold the outputs open
        EXPECT_TRUE(child.read(std::nullopt));
        EXPECT_EQ(child.wait(std::nullopt), Process::State::kEnded);
        EXPECT_EQ(child.output(), "value\n");
        EXPECT_EQ(child.errors(), "err\n");
        EXPECT_EQ(child.signal(), SIGKILL);
    }
}

TEST(Process, WhatCannotStartSaysWhy) {
    const HeldSignals held;
    for (const HeldSignals* forwarded : {static_cast<const HeldSignals*>(nullptr), &held}) {
        ProcessRequest request{"/no/such/program", {"x"}, {}};
        request.forwarded = forwarded;
        Process child;
        const Process::Failure failure = child.start(request);
        EXPECT_EQ(failure.reason, ENOENT);
        EXPECT_STREQ(failure.what, "cannot start");
    }
}

}  // namespace
}  // namespace tilescope
