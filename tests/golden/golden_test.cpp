// Every case below tests/golden, at one job and at two. TILESCOPE_UPDATE_GOLDENS=1 rewrites what is expected to what
// came out, but nothing that hardware gave (look at the difference before you commit it).
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "tests/golden/rewrite.h"
#include "tests/golden/run.h"
#include "tests/places.h"

namespace tilescope::golden {
namespace {

const std::string kFolder = source_dir() + "/tests/golden/";

std::vector<std::string> names_of(const std::vector<Failure>& failures) {
    std::vector<std::string> names;
    for (const Failure& failure : failures) names.push_back(name_of(failure));
    return names;
}

void check_expectation(const Case& which, const Expectation& expectation, const RunOutcome& outcome) {
    ASSERT_LT(expectation.argument, which.arguments.size());
    const Argument& argument = which.arguments[expectation.argument];
    ASSERT_TRUE(argument.is_buffer) << "argument " << expectation.argument << " is no buffer";
    const std::size_t count = argument.bytes.size() / argument.type.bytes;
    const auto wanted = read_values(argument.type, expectation.values, count);
    ASSERT_TRUE(wanted) << "line " << expectation.place.first + 1 << ": not " << count
                        << " values of the buffer's type but " << count_values(expectation.values);
    const std::vector<std::byte>& got = outcome.buffers.at(expectation.argument);
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte *a = &(*wanted)[i * argument.type.bytes], *b = &got[i * argument.type.bytes];
        EXPECT_TRUE(is_close(argument.type, a, b, expectation.within))
            << "argument " << expectation.argument << "[" << i << "]: expected " << print_value(argument.type, a)
            << ", got " << print_value(argument.type, b);
    }
}

void check_case(const GoldenFile& file, const Case& which) {
    const RunOutcome alone = run_case(file, which, 1), shared = run_case(file, which, 2);
    ASSERT_EQ("", alone.problem);
    EXPECT_EQ(names_of(which.faults), faults_of(alone)) << (alone.hazard ? alone.hazard->message : "");
    EXPECT_EQ(names_of(which.hazards), hazards_of(alone)) << (alone.told.empty() ? "" : alone.told[0].message);
    EXPECT_EQ(names_of(which.errors), errors_of(alone)) << render(alone.errors);
    if (which.faults.empty() && which.errors.empty()) {
        ASSERT_EQ(LaunchStatus::kOk, alone.status) << name_of(alone.status);
    }
    EXPECT_FALSE(which.expectations.empty() && which.counters.empty() && which.faults.empty() &&
                 which.hazards.empty() && which.errors.empty())
        << "the case expects nothing";
    for (const Expectation& expectation : which.expectations) check_expectation(which, expectation, alone);
    for (const CounterLine& line : which.counters)
        EXPECT_EQ(line.value, alone.counters[line.counter]) << info(line.counter).name;
    EXPECT_EQ(alone.status, shared.status) << "one job and two differ";
    EXPECT_EQ(faults_of(alone), faults_of(shared)) << "one job and two differ";
    EXPECT_EQ(hazards_of(alone), hazards_of(shared)) << "one job and two differ";
    if (alone.status == LaunchStatus::kOk) {
        EXPECT_TRUE(alone.buffers == shared.buffers) << "one job and two differ in results";
        EXPECT_EQ(alone.profile, shared.profile) << "one job and two differ in counts";
    }
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, IsAsExpected) {
    const std::string path = kFolder + GetParam();
    if (const char* update = std::getenv("TILESCOPE_UPDATE_GOLDENS"); update && std::string(update) == "1")
        rewrite_file(path);
    const GoldenFile file = read_golden(path);
    ASSERT_EQ(std::vector<std::string>{}, file.problems);
    for (const Case& which : file.cases) {
        SCOPED_TRACE(GetParam() + ", kernel " + which.kernel);
        check_case(file, which);
    }
}

std::vector<std::string> all_files() {
    std::vector<std::string> names;
    for (const std::string& path : golden_files(kFolder)) names.push_back(path.substr(kFolder.size()));
    return names;
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, testing::ValuesIn(all_files()), [](const auto& file) {
    std::string name = file.param.substr(0, file.param.size() - 4);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
});

}  // namespace
}  // namespace tilescope::golden
