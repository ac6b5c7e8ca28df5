// Every case below tests/golden, at one job and at two. TILESCOPE_UPDATE_GOLDENS=1 rewrites what is expected to what
// came out (look at the difference before you commit it).
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>

#include "tests/golden/run.h"

namespace tilescope::golden {
namespace {

const std::string kFolder = TILESCOPE_SOURCE_DIR "/tests/golden/";

const char* name_of(LaunchStatus status) {
    switch (status) {
        case LaunchStatus::kOk: return "ok";
        case LaunchStatus::kInvalidConfiguration: return "invalid-configuration";
        case LaunchStatus::kTooMuchShared: return "too-much-shared";
        case LaunchStatus::kOutOfResources: return "out-of-resources";
        case LaunchStatus::kTooManyBlocks: return "too-many-blocks";
        case LaunchStatus::kFault: return "fault";
        case LaunchStatus::kUnsupported: return "unsupported";
        case LaunchStatus::kLimit: return "limit";
    }
    return "?";
}

std::string name_of_failure(const Failure& failure) { return failure.what + " line " + std::to_string(failure.line); }

std::vector<std::string> names_of(const std::vector<Failure>& failures) {
    std::vector<std::string> names;
    for (const Failure& failure : failures) names.push_back(name_of_failure(failure));
    return names;
}

std::vector<std::string> faults_of(const RunOutcome& outcome) {
    if (!outcome.hazard) return {};
    return {name_of_failure({{}, outcome.hazard->kind, outcome.hazard->line})};
}

std::vector<std::string> errors_of(const RunOutcome& outcome) {
    std::vector<std::string> names;
    for (const Diagnostic& error : outcome.errors)
        names.push_back(name_of_failure({{}, error.code, error.location.line}));
    if (outcome.status == LaunchStatus::kInvalidConfiguration || outcome.status == LaunchStatus::kTooMuchShared ||
        outcome.status == LaunchStatus::kOutOfResources)
        names.push_back(name_of_failure({{}, name_of(outcome.status), 0}));
    return names;
}

// ---- rewriting ------------------------------------------------------------------------------------------------------

// A directive over as many lines as it needs.
std::vector<std::string> wrapped(const std::string& directive, const std::string& values) {
    std::vector<std::string> lines = {directive};
    for (std::size_t at = 0; at < values.size();) {
        const std::size_t end = std::min(values.find(' ', at), values.size());
        const std::string word = values.substr(at, end - at);
        if (lines.back().size() + 1 + word.size() > 120)
            lines.push_back("//    " + word);
        else
            lines.back() += " " + word;
        at = end + 1;
    }
    return lines;
}

struct Replacement {
    Place place;
    std::vector<std::string> lines;
};

void rewrite_case(const Case& which, const RunOutcome& outcome, std::vector<Replacement>& out) {
    for (const Expectation& expectation : which.expectations) {
        const Argument& argument = which.arguments.at(expectation.argument);
        std::string head = "// expect: arg " + std::to_string(expectation.argument);
        if (!expectation.tolerance.empty()) head += " " + expectation.tolerance;
        out.push_back({expectation.place,
                       wrapped(head + " =", print_values(argument.type, outcome.buffers.at(expectation.argument)))});
    }
    for (const CounterLine& line : which.counters)
        out.push_back({line.place,
                       {"// counter: " + std::string(info(line.counter).name) + " = " +
                        std::to_string(outcome.counters[line.counter])}});
    const std::vector<std::string> faults = faults_of(outcome), errors = errors_of(outcome);
    for (std::size_t i = 0; i < which.faults.size() && i < faults.size(); ++i)
        out.push_back({which.faults[i].place, {"// fault: " + faults[i]}});
    for (std::size_t i = 0; i < which.errors.size() && i < errors.size(); ++i)
        out.push_back({which.errors[i].place, {"// error: " + errors[i]}});
}

// Lines may move, and with them those that faults name: once more settles them.
void rewrite(const std::string& path) {
    for (int round = 0; round < 2; ++round) {
        const GoldenFile file = read_golden(path);
        if (!file.problems.empty()) return;
        std::vector<Replacement> replacements;
        for (const Case& which : file.cases) {
            const RunOutcome outcome = run_case(file, which, 1);
            if (outcome.problem.empty()) rewrite_case(which, outcome, replacements);
        }
        std::vector<std::string> lines = file.lines;
        std::sort(replacements.begin(), replacements.end(),
                  [](const Replacement& a, const Replacement& b) { return a.place.first > b.place.first; });
        for (const Replacement& replacement : replacements) {
            const auto first = lines.begin() + static_cast<std::ptrdiff_t>(replacement.place.first);
            lines.erase(first, first + static_cast<std::ptrdiff_t>(replacement.place.lines));
            lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(replacement.place.first),
                         replacement.lines.begin(), replacement.lines.end());
        }
        std::ofstream stream(path, std::ios::binary);
        for (const std::string& line : lines) stream << line << "\n";
    }
}

// ---- checking -------------------------------------------------------------------------------------------------------

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
    EXPECT_EQ(names_of(which.errors), errors_of(alone)) << render(alone.errors);
    if (which.faults.empty() && which.errors.empty()) {
        ASSERT_EQ(LaunchStatus::kOk, alone.status) << name_of(alone.status);
    }
    EXPECT_FALSE(which.expectations.empty() && which.counters.empty() && which.faults.empty() && which.errors.empty())
        << "the case expects nothing";
    for (const Expectation& expectation : which.expectations) check_expectation(which, expectation, alone);
    for (const CounterLine& line : which.counters)
        EXPECT_EQ(line.value, alone.counters[line.counter]) << info(line.counter).name;
    EXPECT_EQ(alone.status, shared.status) << "one job and two differ";
    EXPECT_EQ(faults_of(alone), faults_of(shared)) << "one job and two differ";
    if (alone.status == LaunchStatus::kOk) {
        EXPECT_TRUE(alone.buffers == shared.buffers) << "one job and two differ in results";
        EXPECT_EQ(alone.profile, shared.profile) << "one job and two differ in counts";
    }
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, IsAsExpected) {
    const std::string path = kFolder + GetParam();
    if (const char* update = std::getenv("TILESCOPE_UPDATE_GOLDENS"); update && std::string(update) == "1")
        rewrite(path);
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
