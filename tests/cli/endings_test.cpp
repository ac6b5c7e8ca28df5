// However a program ends, what it did before is reported; what failed is told.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scope/cli/exit_status.h"
#include "tests/cli/tilescope_program.h"
#include "tests/places.h"
#include "tests/scratch.h"

namespace tilescope::cli {
namespace {

using Json = nlohmann::json;

class Program : public ::testing::Test {
protected:
    Ran run(const std::string& program, const std::string& arguments, const std::string& options = {}) {
        const Ran ran = run_tilescope("run --compiler clang --color never --json " + json_ + " " + options + " " +
                                      source_dir() + "/tests/cli/data/" + program + " -- " + arguments);
        profile_ = Json::parse(file_text(json_), nullptr, false);
        return ran;
    }

    const std::string json_ = scratch_file("profile.json");
    Json profile_;
};

class Endings : public Program {};

TEST_F(Endings, FinishedLaunchesAreReportedWhateverEndsTheProgram) {
    struct Case {
        const char *how, *ended;
        int status;
    };
    for (const Case& c :
         {Case{"abort", "signal 6", 134}, Case{"segfault", "signal 11", 139}, Case{"assert", "signal 6", 134},
          Case{"exception", "signal 6", 134}, Case{"_exit", "exit 7", 7}, Case{"quick_exit", "exit 8", 8},
          Case{"overflow", "signal 11", 139}, Case{"kill", "signal 9", 137}, Case{"interrupt", "signal 2", 130},
          Case{"terminate", "signal 15", 143}}) {
        const Ran ran = run("endings.cu", c.how);
        EXPECT_EQ(ran.status, c.status) << c.how << "\n" << ran.output;
        ASSERT_TRUE(profile_.is_object()) << c.how << "\n" << ran.output;
        EXPECT_EQ(profile_["ended"], c.ended) << c.how;
        ASSERT_EQ(profile_["launches"].size(), 1U) << c.how;
        EXPECT_EQ(profile_["launches"][0]["counters"]["global_store_sectors"], 32) << c.how;
        EXPECT_TRUE(holds(ran, "first(int*)")) << c.how << "\n" << ran.output;
        const bool killed = c.status > 128;
        EXPECT_EQ(holds(ran, "in its host code, after 1 launch"), killed) << c.how << "\n" << ran.output;
    }
}

TEST_F(Endings, WhatWasUnderWayIsNamed) {
    const Ran ran = run("endings.cu", "thread");
    EXPECT_EQ(ran.status, 134) << ran.output;
    EXPECT_EQ(profile_["launches"].size(), 1U);
    EXPECT_EQ(profile_["unfinished"]["kernel"], "forever(int volatile*)");
    EXPECT_TRUE(holds(ran, "while launch 1, forever(int volatile*), was running")) << ran.output;
}

TEST_F(Endings, AProgramThatReplacesItselfKeepsItsLaunches) {
    const Ran ran = run("endings.cu", "exec");
    EXPECT_EQ(ran.status, 7) << ran.output;
    ASSERT_EQ(profile_["launches"].size(), 2U);
    EXPECT_EQ(profile_["launches"][1]["index"], 1);
    EXPECT_TRUE(holds(ran, "replaced itself by")) << ran.output;
}

TEST_F(Endings, OtherProcessesThatUseCudaAreFollowed) {
    EXPECT_TRUE(holds(run("endings.cu", "fork"), "a process that the program forked called CUDA"));
    EXPECT_EQ(profile_["launches"].size(), 1U);
    EXPECT_EQ(profile_["ended"], "exit 0");
    EXPECT_TRUE(holds(run("endings.cu", "spawn"), "process 1, "));
    ASSERT_EQ(profile_["launches"].size(), 2U);
    EXPECT_EQ(profile_["launches"][1]["process"], 1);
    EXPECT_EQ(profile_["processes"].size(), 2U);
}

TEST_F(Endings, TheProgramsOwnStatusIsToldFromOurs) {
    for (const char* status : {"3", "4", "5", "6"}) {
        const Ran ran = run("endings.cu", status);
        EXPECT_EQ(std::to_string(ran.status), status);
        EXPECT_EQ(profile_["ended"], std::string("exit ") + status);
        EXPECT_TRUE(holds(ran, std::string("the program itself returned ") + status)) << ran.output;
    }
    EXPECT_FALSE(holds(run("endings.cu", ""), "returned"));
}

TEST_F(Endings, ATimeLimitStopsAKernelAndSaysWhere) {
    const Ran ran = run("endings.cu", "forever", "--time-limit 0.5");
    EXPECT_EQ(ran.status, kLimit) << ran.output;
    EXPECT_EQ(profile_["ended"], "time limit");
    EXPECT_EQ(profile_["launches"].size(), 2U);
    EXPECT_TRUE(holds(ran, "launching")) << ran.output;
    EXPECT_TRUE(holds(ran, "endings.cu:16") && holds(ran,
                                                     "the time limit was reached; kernel forever(int volatile*), "
                                                     "block (0, 0, 0)"))
        << ran.output;
}

TEST_F(Endings, ATimeLimitStopsHostCode) {
    const Ran ran = run("endings.cu", "spin", "--time-limit 0.5");
    EXPECT_EQ(ran.status, kLimit) << ran.output;
    EXPECT_EQ(profile_["ended"], "time limit");
    EXPECT_EQ(profile_["launches"].size(), 1U);
    EXPECT_TRUE(holds(ran, "spinning\n")) << ran.output;
    EXPECT_TRUE(
        holds(ran, "the time limit of 0.5 s was reached: the program was ended in its host code, after 1 launch"))
        << ran.output;
}

TEST_F(Endings, LaunchHasATimeLimit) {
    const Ran ran =
        run_tilescope("launch " + source_dir() + "/tests/cli/data/copy.ptx --kernel forever --time-limit 0.3");
    EXPECT_EQ(ran.status, kLimit) << ran.output;
    EXPECT_TRUE(holds(ran, "the time limit was reached; kernel forever")) << ran.output;
}

TEST_F(Endings, AKernelThatIsNotThereIsStatusTwoWithThoseThatAre) {
    const Ran ran = run("endings.cu", "", "--kernel frist");
    EXPECT_EQ(ran.status, kUsage) << ran.output;
    EXPECT_TRUE(holds(ran, "did you mean \"first\"?") && holds(ran, "launched: first(int*)")) << ran.output;
    EXPECT_EQ(run("endings.cu", "", "--kernel 'fi*'").status, kRan);
}

class FailedCalls : public Program {};

TEST_F(FailedCalls, ALaunchThatNobodyLookedAtIsStatusThreeWithLineAndReason) {
    struct Case {
        const char *what, *line, *reason, *error;
    };
    for (const Case& c :
         {Case{"threads", ":21:", "2,048 threads per block; the h200 takes 1,024", "cudaErrorInvalidConfiguration"},
          Case{"'no blocks'", ":22:", "the grid is 0 × 1 × 1: nothing in it", "cudaErrorInvalidConfiguration"},
          Case{"grid", ":23:", "the grid is 1 × 70,000 × 1; the h200 takes 65,535 in y",
               "cudaErrorInvalidConfiguration"},
          Case{"bounds", ":24:", "256 threads per block; the kernel's __launch_bounds__ allow 128",
               "cudaErrorInvalidConfiguration"},
          Case{"shared", ":25:", "this kernel may have 49,152 B until cudaFuncSetAttribute", "cudaErrorInvalidValue"},
          Case{"'too much shared'", ":26:", "the h200 has 232,448 B", "cudaErrorInvalidValue"},
          Case{"stream", ":27:", "the stream was never made, or is destroyed already",
               "cudaErrorInvalidResourceHandle"}}) {
        const Ran ran = run("failed_calls.cu", c.what);
        EXPECT_EQ(ran.status, kFault) << c.what << "\n" << ran.output;
        EXPECT_TRUE(holds(ran, std::string("failed_calls.cu") + c.line + " error:") && holds(ran, c.reason) &&
                    holds(ran, c.error))
            << c.what << "\n"
            << ran.output;
        ASSERT_EQ(profile_["failed_calls"].size(), 1U) << c.what;
        EXPECT_EQ(profile_["failed_calls"][0]["call"], "launch");
        EXPECT_EQ(profile_["failed_calls"][0]["unread"], 1);
    }
}

TEST_F(FailedCalls, AProgramThatAsksForTheErrorKeepsItsStatusAndLearnsTheReason) {
    for (const char* then : {"reads", "peeks"}) {
        const Ran ran = run("failed_calls.cu", std::string("threads ") + then);
        EXPECT_EQ(ran.status, kRan) << ran.output;
        EXPECT_TRUE(holds(ran, "warning: plain(int*) was not launched: 2,048 threads per block")) << ran.output;
        EXPECT_EQ(profile_["failed_calls"][0]["unread"], 0);
    }
    EXPECT_FALSE(holds(run("failed_calls.cu", "threads reads", "-q"), "was not launched"));
}

TEST_F(FailedCalls, OtherCallsAreWarningsWithLineAndReason) {
    struct Case {
        const char *what, *line, *message;
    };
    for (const Case& c :
         {Case{"function", ":28:", "cudaLaunchKernel failed: this address is no kernel"},
          Case{"malloc", ":29:", "cudaMalloc failed: 1,125,899,906,842,624 bytes asked for"},
          Case{"free", ":31:", "cudaFree failed: it was freed before: 8,192 bytes"},
          Case{"direction", ":32:", "cudaMemcpy failed: the source is no device memory"},
          Case{"length", ":33:", "cudaMemcpy failed: 16,384 bytes pass the end of the target"},
          Case{"symbol", ":34:", "cudaMemcpyToSymbol failed: this is no __device__ or __constant__ variable"},
          Case{"'symbol length'", ":35:", "pass the end of 'table', which has 16"},
          Case{"flags", ":38:", "cudaStreamGetFlags failed: "},
          Case{"pool", ":39:", "cudaDeviceGetDefaultMemPool failed: "},
          Case{"elapsed", ":46:",
               "cudaEventElapsedTime failed: the first event was created, but never recorded: call cudaEventRecord"},
          Case{"untimed", ":46:", "the second event was created with cudaEventDisableTiming"}}) {
        const Ran ran = run("failed_calls.cu", c.what);
        EXPECT_EQ(ran.status, kRan) << c.what << "\n" << ran.output;
        EXPECT_TRUE(holds(ran, std::string("failed_calls.cu") + c.line + " warning:") && holds(ran, c.message))
            << c.what << "\n"
            << ran.output;
        EXPECT_FALSE(holds(run("failed_calls.cu", std::string(c.what) + " reads"), "failed:")) << c.what;
    }
}

TEST_F(FailedCalls, SurviveADyingProgramAndAreCounted) {
    const Ran ran = run("failed_calls.cu", "often dies");
    EXPECT_EQ(ran.status, kFault) << ran.output;
    EXPECT_EQ(profile_["ended"], "signal 6");
    EXPECT_TRUE(holds(ran, "4,096 times")) << ran.output;  // as far as it was written
    EXPECT_TRUE(holds(run("failed_calls.cu", "often"), "5,000 times"));
}

// It says that something failed, and tilescope says why.
TEST_F(FailedCalls, AProgramThatEndsBadlyLearnsWhyAllTheSame) {
    const Ran ran = run("failed_calls.cu", "threads checks");
    EXPECT_EQ(ran.status, 1) << ran.output;
    EXPECT_TRUE(holds(ran, "warning: plain(int*) was not launched: 2,048 threads per block")) << ran.output;
}

}  // namespace
}  // namespace tilescope::cli
