#include "scope/image/process.h"

#include <signal.h>
#include <unistd.h>

#include "tests/image/support.h"

namespace tilescope::image {
namespace {

using std::chrono::seconds;

TEST(RunProcess, TakesOutputErrorsAndStatus) {
    const auto run = run_process({"sh", "-c", "echo out; echo err >&2; exit 3"});
    ASSERT_TRUE(run);
    EXPECT_EQ(run->end, ProcessEnd::kExited);
    EXPECT_EQ(run->status, 3);
    EXPECT_EQ(run->output, "out\n");
    EXPECT_EQ(run->errors, "err\n");
}

TEST(RunProcess, ASignalIsNoExit) {
    const auto run = run_process({"sh", "-c", "kill -SEGV $$"});
    ASSERT_TRUE(run);
    EXPECT_EQ(run->end, ProcessEnd::kSignal);
    EXPECT_EQ(run->status, 128 + 11);
}

TEST(RunProcess, WhoeverWaitsTooLongIsEndedWithWhatItStarted) {
    // Both hold the pipes open; the one that was started would do so for an hour.
    const auto run = run_process({"sh", "-c", "sleep 3600 & echo $!; sleep 3600"}, {.wall_time = seconds(1)});
    ASSERT_TRUE(run);
    EXPECT_EQ(run->end, ProcessEnd::kTimeLimit);
    const int started = std::stoi(run->output);
    for (int i = 0; i < 100 && kill(started, 0) == 0; ++i) usleep(100'000);  // until somebody has buried it
    const std::string state = read_file("/proc/" + std::to_string(started) + "/stat").ok()
                                  ? *read_file("/proc/" + std::to_string(started) + "/stat")
                                  : std::string(") Z");
    EXPECT_NE(state.find(") Z"), std::string::npos) << state;
}

TEST(RunProcess, WhoClosesItsPipesAndRunsOnIsEndedToo) {
    const auto run = run_process({"sh", "-c", "exec >&- 2>&-; exec sleep 3600"}, {.wall_time = seconds(1)});
    ASSERT_TRUE(run);
    EXPECT_EQ(run->end, ProcessEnd::kTimeLimit);
}

TEST(RunProcess, ProcessorTimeIsLimited) {
    const auto run = run_process({"sh", "-c", "while :; do :; done"}, {.processor_time = seconds(1)});
    ASSERT_TRUE(run);
    EXPECT_EQ(run->end, ProcessEnd::kTimeLimit);
}

TEST(RunProcess, MemoryIsLimited) {
    const std::vector<std::string> command = {"sh", "-c", "sleep 0.2; head -c 300000000 /dev/zero | tail -c 1 | wc -c"};
    const auto free = run_process(command);
    ASSERT_TRUE(free);
    EXPECT_EQ(free->output, "1\n");
    const auto run = run_process({"sh", "-c", "sleep 0.2; exec sort -S 1G --parallel=1 /dev/zero"},
                                 {.wall_time = seconds(20), .memory_bytes = 64 << 20});
    ASSERT_TRUE(run);
    EXPECT_NE(run->end, ProcessEnd::kTimeLimit);
    EXPECT_NE(run->status, 0);
}

TEST(RunProcess, VariablesAreReplacedAndRemoved) {
    setenv("TILESCOPE_TEST_ONE", "1", 1);
    setenv("TILESCOPE_TEST_TWO", "2", 1);
    const auto run = run_process({"sh", "-c", "echo ${TILESCOPE_TEST_ONE-none} ${TILESCOPE_TEST_TWO-none}"}, {},
                                 {{"TILESCOPE_TEST_ONE", std::nullopt}, {"TILESCOPE_TEST_TWO", "new"}});
    ASSERT_TRUE(run);
    EXPECT_EQ(run->output, "none new\n");
}

}  // namespace
}  // namespace tilescope::image
