#include "tests/golden/rewrite.h"

#include <algorithm>
#include <fstream>

namespace tilescope::golden {
namespace {

constexpr std::size_t kColumns = 120;

// A directive over as many lines as it needs.
std::vector<std::string> wrapped(const std::string& directive, const std::string& values) {
    std::vector<std::string> lines = {directive};
    for (std::size_t at = 0; at < values.size();) {
        const std::size_t end = std::min(values.find(' ', at), values.size());
        const std::string word = values.substr(at, end - at);
        if (lines.back().size() + 1 + word.size() > kColumns)
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

void rewrite_expectations(const Case& which, const RunOutcome& outcome, std::vector<Replacement>& out) {
    if (!which.measured.empty()) return;
    for (const Expectation& expectation : which.expectations) {
        const Argument& argument = which.arguments.at(expectation.argument);
        std::string head = "// expect: arg " + std::to_string(expectation.argument);
        if (!expectation.tolerance.empty()) head += " " + expectation.tolerance;
        out.push_back({expectation.place,
                       wrapped(head + " =", print_values(argument.type, outcome.buffers.at(expectation.argument)))});
    }
}

void rewrite_case(const Case& which, const RunOutcome& outcome, std::vector<Replacement>& out) {
    rewrite_expectations(which, outcome, out);
    for (const CounterLine& line : which.counters)
        out.push_back({line.place,
                       {"// counter: " + std::string(info(line.counter).name) + " = " +
                        std::to_string(outcome.counters[line.counter])}});
    const std::vector<std::string> faults = faults_of(outcome), errors = errors_of(outcome),
                                   hazards = hazards_of(outcome);
    for (std::size_t i = 0; i < which.faults.size() && i < faults.size(); ++i)
        out.push_back({which.faults[i].place, {"// fault: " + faults[i]}});
    for (std::size_t i = 0; i < which.hazards.size() && i < hazards.size(); ++i)
        out.push_back({which.hazards[i].place, {"// hazard: " + hazards[i]}});
    for (std::size_t i = 0; i < which.errors.size() && i < errors.size(); ++i)
        out.push_back({which.errors[i].place, {"// error: " + errors[i]}});
}

}  // namespace

std::vector<std::string> rewritten(const GoldenFile& file, const std::vector<RunOutcome>& outcomes) {
    std::vector<Replacement> replacements;
    for (std::size_t i = 0; i < file.cases.size(); ++i)
        if (outcomes.at(i).problem.empty()) rewrite_case(file.cases[i], outcomes[i], replacements);
    std::sort(replacements.begin(), replacements.end(),
              [](const Replacement& a, const Replacement& b) { return a.place.first > b.place.first; });
    std::vector<std::string> lines = file.lines;
    for (const Replacement& replacement : replacements) {
        const auto first = lines.begin() + static_cast<std::ptrdiff_t>(replacement.place.first);
        lines.erase(first, first + static_cast<std::ptrdiff_t>(replacement.place.lines));
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(replacement.place.first), replacement.lines.begin(),
                     replacement.lines.end());
    }
    return lines;
}

// Lines may move, and with them those that faults name: once more settles them.
void rewrite_file(const std::string& path) {
    for (int round = 0; round < 2; ++round) {
        const GoldenFile file = read_golden(path);
        if (!file.problems.empty()) return;
        std::vector<RunOutcome> outcomes;
        for (const Case& which : file.cases) outcomes.push_back(run_case(file, which, 1));
        std::ofstream stream(path, std::ios::binary);
        for (const std::string& line : rewritten(file, outcomes)) stream << line << "\n";
    }
}

}  // namespace tilescope::golden
