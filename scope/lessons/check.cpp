#include "scope/lessons/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scope/report/format.h"

namespace tilescope::lessons {
namespace {

using report::Value;

// What a double loses in a handful of operations; figures that differ are further apart.
constexpr double kRounding = 1e-12;

bool close(double found, double expected, double tolerance) {
    return std::abs(found - expected) <= tolerance + kRounding * std::abs(expected);
}

std::string reason(const Diagnostics& errors) {
    const Diagnostic& first = errors.front();
    return first.message + (first.hint.empty() ? "" : "; " + first.hint);
}

// The names of other runs that an expression looks into, beside the claim's own.
void add_runs(const Lesson& lesson, const report::Expression& expression, std::vector<std::string>& runs) {
    for (const report::ExpressionStep& step : expression.steps)
        if (!step.reference.empty() && lesson.run(step.reference.front().text) != nullptr)
            runs.push_back(step.reference.front().text);
}

class Checker {
public:
    Checker(const Answers& answers, const std::map<std::string, std::string>& problems)
        : answers_(answers), problems_(problems) {}

    ClaimOutcome check(const Claim& claim) const {
        ClaimOutcome outcome;
        outcome.rows = claim.rows;
        outcome.says = claim.says;
        outcome.truth = claim.truth;
        outcome.source = claim.source;
        outcome.exercise = claim.exercise;
        outcome.run = claim.run;
        outcome.value = claim.value.text;
        outcome.verdict = ClaimVerdict::kUnknown;
        outcome.problem = judge(claim, outcome);
        return outcome;
    }

private:
    Result<Value> value_of(const Claim& claim, const Expected& expected) const {
        if (!expected.expression) return expected.value;
        auto found = evaluate(*expected.expression, answers_, subject(claim));
        if (!found) return found.errors();
        return std::move(found->value);
    }
    Subject subject(const Claim& claim) const {
        return subject_of(*answers_.lesson, claim.run, claim.kernel, claim.launch);
    }
    // Sets the verdict; yields why there is none, or "".
    std::string judge(const Claim& claim, ClaimOutcome& outcome) const {
        std::vector<std::string> runs = {claim.run};
        add_runs(*answers_.lesson, claim.value, runs);
        for (const std::string& run : runs)
            if (const auto problem = problems_.find(run); problem != problems_.end())
                return "run \"" + run + "\" " + problem->second;
        const auto found = evaluate(claim.value, answers_, subject(claim));
        if (!found) return "value: " + reason(found.errors());
        outcome.found = shown(found->value, claim.unit);
        outcome.origin = found->origin;
        bool holds = true;
        if (std::string problem = compare(claim, found->value, outcome, holds); !problem.empty()) return problem;
        bool right_after_all = false;
        if (claim.claimed) {
            const auto said = value_of(claim, *claim.claimed);
            if (!said) return "claimed: " + reason(said.errors());
            outcome.claimed = shown(*said, claim.unit);
            right_after_all = same(*said, found->value, tolerance(claim, *said)).value_or(false);
        }
        if (!holds || right_after_all)
            outcome.verdict = ClaimVerdict::kFails;
        else
            outcome.verdict = claim.wrong ? ClaimVerdict::kRefuted : ClaimVerdict::kHolds;
        return right_after_all ? "what the text claims is what was found" : "";
    }
    static double tolerance(const Claim& claim, const Value& expected) {
        const auto* number = std::get_if<double>(&expected);
        return claim.relative && number != nullptr ? claim.within * std::abs(*number) : claim.within;
    }
    // Nothing where the two are of different kinds.
    static std::optional<bool> same(const Value& expected, const Value& found, double tolerance) {
        if (expected.index() != found.index()) return std::nullopt;
        if (const auto* number = std::get_if<double>(&expected))
            return close(std::get<double>(found), *number, tolerance);
        return expected == found;
    }
    std::string compare(const Claim& claim, const Value& found, ClaimOutcome& outcome, bool& holds) const {
        if (claim.expected) {
            const auto expected = value_of(claim, *claim.expected);
            if (!expected) return "expected: " + reason(expected.errors());
            outcome.expected = shown(*expected, claim.unit) + within_text(claim);
            const auto equal = same(*expected, found, tolerance(claim, *expected));
            if (!equal) return "what is expected and what was found are of different kinds";
            holds = *equal;
            return {};
        }
        const auto* number = std::get_if<double>(&found);
        if (number == nullptr) return "\"at_least\" and \"at_most\" need a number, and this is none";
        std::string text;
        for (const bool least : {true, false}) {
            const auto& bound = least ? claim.at_least : claim.at_most;
            if (!bound) continue;
            const auto limit = value_of(claim, *bound);
            if (!limit) return (least ? "at_least: " : "at_most: ") + reason(limit.errors());
            const auto* edge = std::get_if<double>(&*limit);
            if (edge == nullptr) return "\"at_least\" and \"at_most\" need numbers";
            holds = holds && (least ? *number >= *edge : *number <= *edge);
            text += (text.empty() ? "" : ", ") + std::string(least ? "≥ " : "≤ ") + shown(*limit, claim.unit);
        }
        outcome.expected = text;
        return {};
    }
    static std::string within_text(const Claim& claim) {
        constexpr double kPercent = 100;
        if (claim.within == 0) return {};
        return claim.relative ? fmt::format(" ±{:g} %", claim.within * kPercent) : fmt::format(" ±{:g}", claim.within);
    }

    const Answers& answers_;
    const std::map<std::string, std::string>& problems_;
};

}  // namespace

std::string shown(const Value& value, const std::string& unit) {
    constexpr double kWholeBelow = 1e15, kGrouped = 10'000;
    if (const auto* text = std::get_if<std::string>(&value)) return report::printable(*text);
    if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr) return "none";
    const bool whole = *number == std::floor(*number) && std::abs(*number) < kWholeBelow;
    std::string text = whole && *number >= kGrouped ? report::thousands(static_cast<std::uint64_t>(*number))
                                                    : report::plain_number(*number);
    return unit.empty() ? text : text + " " + unit;
}

LessonOutcome check(const Answers& answers, const std::map<std::string, std::string>& problems) {
    const Lesson& lesson = *answers.lesson;
    LessonOutcome outcome;
    outcome.folder = lesson.name;
    outcome.title = lesson.title;
    outcome.question = lesson.question;
    outcome.rows = lesson.rows();
    outcome.remember = lesson.remember;
    const Checker checker(answers, problems);
    for (const Claim& claim : lesson.claims) outcome.claims.push_back(checker.check(claim));
    return outcome;
}

}  // namespace tilescope::lessons
