#include "tests/golden/rewrite.h"
#include "tests/scratch.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tilescope::golden {
namespace {

// What rewriting makes of a case whose buffer and counter come out as 7 here.
std::vector<std::string> lines_after(const std::string& launch) {
    const std::string path = scratch_file("rewrite_test.ptx");
    std::ofstream(path) << launch << "\n// arg: buffer:u32[1]=zeros\n// expect: arg 0 = 3\n"
                        << "// counter: global_load_sectors = 3\n// fault: trap line 1\n";
    const GoldenFile file = read_golden(path);
    EXPECT_EQ(std::vector<std::string>{}, file.problems);
    RunOutcome outcome;
    outcome.buffers = {{std::byte{7}, std::byte{0}, std::byte{0}, std::byte{0}}};
    outcome.counters[Counter::kGlobalLoadSectors] = 7;
    outcome.hazard = Hazard{};
    outcome.hazard->kind = HazardKind::kTrap;
    outcome.hazard->line = 7;
    return rewritten(file, {outcome});
}

TEST(GoldenRewrite, PutsInWhatCameOut) {
    const std::vector<std::string> lines = lines_after("// launch: k");
    EXPECT_EQ("// expect: arg 0 = 7", lines.at(2));
    EXPECT_EQ("// counter: global_load_sectors = 7", lines.at(3));
    EXPECT_EQ("// fault: trap line 7", lines.at(4));
}

TEST(GoldenRewrite, LeavesWhatHardwareGave) {
    const std::vector<std::string> lines = lines_after("// launch: k measured=some-device,1,2026-01-01");
    EXPECT_EQ("// expect: arg 0 = 3", lines.at(2));
    EXPECT_EQ("// counter: global_load_sectors = 7", lines.at(3)) << "which is ours";
    EXPECT_EQ("// fault: trap line 7", lines.at(4)) << "which is ours";
}

}  // namespace
}  // namespace tilescope::golden
