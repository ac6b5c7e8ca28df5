// Whole programs, built by nvcc and by clang as users build them, run on our libraries.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/places.h"
#include "tests/runtime/programs.h"

namespace tilescope::runtime {
namespace {

using image::Compiler;

TEST_P(Programs, OrdinaryOnesPass) {
    const auto output = run({build("ordinary.cu")});
    EXPECT_EQ(output.status, 0) << output.errors;
    EXPECT_EQ(output.output, "NVIDIA H200, 0 wrong, 8 blocks per SM\n");
    EXPECT_EQ(output.errors, "");
}

TEST_P(Programs, KernelsHaveNothingOfTheHostsArithmetic) {
    const auto output = run({build("host_arithmetic.cu")});
    EXPECT_EQ(output.status, 0) << output.errors;
    EXPECT_EQ(output.output, "flushed: the same, kept\ntrapped: the same, kept\nupward: the same, kept\n");
}

// As those do that become daemons. Their own files get the numbers of ours.
TEST_P(Programs, MayCloseEveryDescriptor) {
    int status = -1;
    const Profile profile = profile_of({build("closes_all.cu")}, status);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(profile.launches.size(), 3u);
    EXPECT_EQ(profile.outcome, Outcome::kOk);
}

TEST_P(Programs, LeaveAProfile) {
    int status = -1;
    const Profile profile = profile_of({build("ordinary.cu")}, status);
    EXPECT_EQ(status, 0);
    ASSERT_EQ(profile.launches.size(), 2u);
    EXPECT_EQ(profile.launches[1].entry, "_Z17reverse_in_blocksPKfPf");
    EXPECT_EQ(profile.launches[1].dynamic_shared_bytes, 1024u);
    EXPECT_EQ(profile.outcome, Outcome::kOk);
}

TEST_P(Programs, ForkWithoutHarm) {
    const std::string program = build("forking.cu");
    EXPECT_EQ(run({program}).output, "child 7, parent cudaSuccess\n");
    int status = -1;
    const Profile profile = profile_of({program}, status);
    EXPECT_EQ(profile.launches.size(), 2u);
    ASSERT_EQ(profile.diagnostics.size(), 1u);
    EXPECT_EQ(profile.diagnostics[0].code, "runtime-other-process");
}

TEST_P(Programs, OptionsReachThem) {
    SessionOptions options;
    options.device = "no-such-device";
    const auto output = run({build("ordinary.cu")}, {std::string(kOptionsVariable) + "=" + encode(options)});
    EXPECT_EQ(output.status, 1);
    EXPECT_NE(output.errors.find("no-such-device"), std::string::npos) << output.errors;
    EXPECT_NE(output.output.find("initialization error"), std::string::npos) << output.output;
}

TEST_P(Programs, LearnOfTheMemoryLimit) {
    SessionOptions options;
    options.memory_limit = 20000;
    int status = -1;
    const Profile profile =
        profile_of({build("ordinary.cu")}, {std::string(kOptionsVariable) + "=" + encode(options)}, status);
    EXPECT_NE(printed.find("out of memory"), std::string::npos) << printed;
    EXPECT_EQ(profile.outcome, Outcome::kLimit);
    ASSERT_EQ(profile.diagnostics.size(), 1u);
    EXPECT_EQ(profile.diagnostics[0].code, "memory-limit");
    EXPECT_TRUE(profile.failed_calls.empty());
}

// Line for line what an H200 with CUDA 13.0 printed, sections "== COMMAND".
TEST_P(Programs, MeanWhatTheHardwareMeans) {
    if (toolchain.kind != Compiler::kNvcc || toolchain.major != 13) GTEST_SKIP() << "recorded with nvcc 13";
    const auto expected = image::read_file(source_dir() + "/tests/runtime/programs/semantics.expected");
    ASSERT_TRUE(expected);
    const std::string program = build("semantics.cu");
    std::istringstream lines(*expected);
    std::string line, section, wanted;
    const auto compare = [&] {
        if (section.empty()) return;
        std::vector<std::string> command = {program};
        std::istringstream words(section);
        for (std::string word; words >> word;) command.push_back(word);
        EXPECT_EQ(run(command).output, wanted) << section;
    };
    while (std::getline(lines, line)) {
        if (line.rfind("== ", 0) == 0) {
            compare();
            section = line.substr(3);
            wanted.clear();
        } else {
            wanted += line + "\n";
        }
    }
    compare();
    EXPECT_EQ(section, "fault shared");
}

INSTANTIATE_TEST_SUITE_P(Through, Programs, testing::Values(Compiler::kNvcc, Compiler::kClang), name_of_compiler);

}  // namespace
}  // namespace tilescope::runtime
