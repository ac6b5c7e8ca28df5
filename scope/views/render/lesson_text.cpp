#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "scope/report/format.h"
#include "scope/views/render/ink.h"
#include "scope/views/render/lesson_view.h"

namespace tilescope::views {

using namespace report;
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kIndent = 2, kColumnGap = 2, kWidestRows = 8, kWidestFigure = 22;

// "01_intensity" to "1" and "intensity".
std::pair<std::string, std::string> parts_of(const std::string& folder) {
    const std::size_t line = folder.find('_');
    if (line == std::string::npos) return {"", folder};
    const std::size_t first = std::min(folder.find_first_not_of('0'), line - 1);
    return {folder.substr(first, line - first), folder.substr(line + 1)};
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

const char* word_of(ClaimVerdict verdict) {
    switch (verdict) {
        case ClaimVerdict::kHolds: return "holds";
        case ClaimVerdict::kRefuted: return "refuted";
        case ClaimVerdict::kFails: return "FAILS";
        case ClaimVerdict::kUnknown: return "UNKNOWN";
    }
    return "";
}

bool is_bad(ClaimVerdict verdict) { return verdict == ClaimVerdict::kFails || verdict == ClaimVerdict::kUnknown; }

std::string seconds_text(double seconds) { return seconds > 0 ? "  " + duration(seconds) : ""; }

class Table {
public:
    Table(const std::vector<const ClaimOutcome*>& claims, const LessonOptions& options)
        : claims_(claims), options_(options) {
        for (const ClaimOutcome* claim : claims_) {
            rows_ = std::max(rows_, std::min(kWidestRows, columns(joined(claim->rows))));
            expected_ = std::max(expected_, columns(cut(claim->expected, kWidestFigure)));
            found_ = std::max(found_, columns(cut(claim->found, kWidestFigure)));
        }
        const std::size_t taken = kIndent + rows_ + expected_ + found_ + kVerdict + 4 * kColumnGap;
        words_ = options.view.width > taken + kFewest ? options.view.width - taken : kFewest;
    }

    std::string draw() const {
        std::string text = ink(options_.view, Ink::kBold, line("", "claim", "expected", "found", "")) + "\n";
        for (const ClaimOutcome* claim : claims_) text += row(*claim);
        return text;
    }

private:
    static constexpr std::size_t kFewest = 30, kVerdict = 7;

    std::string line(const std::string& rows, const std::string& words, const std::string& expected,
                     const std::string& found, const std::string& verdict) const {
        const std::string gap(kColumnGap, ' ');
        std::string text = std::string(kIndent, ' ') + padded(rows, rows_) + gap + padded(words, words_) + gap +
                           right_aligned(cut(expected, kWidestFigure), expected_) + gap +
                           right_aligned(cut(found, kWidestFigure), found_) + gap + verdict;
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    }
    // Below the sentence, under its first letter.
    std::string below(const std::string& words) const {
        const std::size_t left = kIndent + rows_ + kColumnGap;
        std::string text;
        for (const std::string& each : wrap(printable(words), options_.view.width - left))
            text += std::string(left, ' ') + each + "\n";
        return text;
    }
    std::string row(const ClaimOutcome& claim) const {
        const bool wrong = !claim.truth.empty();
        std::string says = (wrong ? "It is said: " : "") + claim.says;
        if (!claim.claimed.empty()) says += " (that would be " + claim.claimed + ")";
        if (!claim.origin.empty()) says += " (" + std::string(report::origin_words(claim.origin)) + ")";
        const std::vector<std::string> words = wrap(printable(says), words_);
        const std::string verdict = word_of(claim.verdict);
        std::string text;
        for (std::size_t i = 0; i < std::max<std::size_t>(words.size(), 1); ++i) {
            if (i != 0) {
                text += line("", words[i], "", "", "") + "\n";
                continue;
            }
            std::string first =
                line(cut(joined(claim.rows), rows_), words.empty() ? "" : words[i], claim.expected, claim.found, "");
            const std::size_t column = kIndent + rows_ + words_ + expected_ + found_ + 4 * kColumnGap;
            text += padded(first, column) +
                    ink(options_.view, is_bad(claim.verdict) ? Ink::kBad : Ink::kGood, verdict) + "\n";
        }
        if (wrong) text += below("What is true: " + claim.truth);
        if (!claim.source.empty() && (wrong || options_.view.verbose)) text += below("Source: " + claim.source);
        if (!claim.problem.empty()) text += below("→ " + claim.problem);
        if (is_bad(claim.verdict) || options_.view.verbose) text += below("→ run " + claim.run + ": " + claim.value);
        return text;
    }

    const std::vector<const ClaimOutcome*>& claims_;
    const LessonOptions& options_;
    std::size_t rows_ = 2, expected_ = 8, found_ = 5, words_ = 0;
};

std::vector<const ClaimOutcome*> claims_of(const LessonOutcome& outcome, bool exercises) {
    std::vector<const ClaimOutcome*> found;
    for (const ClaimOutcome& claim : outcome.claims)
        if (claim.exercise == exercises) found.push_back(&claim);
    return found;
}

std::size_t count(const std::vector<const ClaimOutcome*>& claims, ClaimVerdict verdict) {
    return static_cast<std::size_t>(
        std::count_if(claims.begin(), claims.end(), [&](const auto* claim) { return claim->verdict == verdict; }));
}

// "13 claims hold, 1 is refuted".
std::string tally(const std::vector<const ClaimOutcome*>& claims) {
    const std::size_t holds = count(claims, ClaimVerdict::kHolds), refuted = count(claims, ClaimVerdict::kRefuted);
    const std::size_t fails = count(claims, ClaimVerdict::kFails), unknown = count(claims, ClaimVerdict::kUnknown);
    std::string text = counted(holds, "claim") + (holds == 1 ? " holds" : " hold");
    if (refuted != 0) text += fmt::format(", {} wrong one{} refuted", refuted, refuted == 1 ? " is" : "s are");
    if (fails != 0) text += fmt::format(", {} FAIL{}", fails, fails == 1 ? "S" : "");
    if (unknown != 0) text += fmt::format(", {} could not be checked", unknown);
    return text;
}

std::string optional_microseconds_text(const std::optional<double>& value) {
    return value ? per_request(*value) + " µs" : std::string("-");
}

std::string times_table(const LessonOutcome& outcome, const LessonOptions& options) {
    constexpr std::size_t kName = 34, kTime = 14;
    if (outcome.times.empty()) return {};
    const auto line = [&](const std::string& name, const std::string& first, const std::string& measured,
                          const std::string& modelled, const std::string& h200) {
        return std::string(kIndent, ' ') + padded(cut(name, kName), kName) + right_aligned(first, kTime) +
               right_aligned(measured, kTime) + right_aligned(modelled, kTime) + right_aligned(h200, kTime);
    };
    std::string text = "\n";
    if (!outcome.gpu.empty()) text += "times on " + printable(outcome.gpu) + ", and as modeled\n";
    text += ink(options.view, Ink::kBold, line("", "first launch", "measured", "modelled", "an H200")) + "\n";
    for (const LessonTime& time : outcome.times) {
        text += line(printable(time.says), optional_microseconds_text(time.first),
                     optional_microseconds_text(time.measured), optional_microseconds_text(time.modelled),
                     optional_microseconds_text(time.h200)) +
                (time.date.empty() ? "" : "  " + time.date) + "\n";
        if (!time.problem.empty()) text += std::string(2 * kIndent, ' ') + "→ " + printable(time.problem) + "\n";
    }
    return text;
}

Json claim_json(const ClaimOutcome& claim) {
    Json json = {{claim.exercise ? "ask" : "says", claim.says}};
    if (!claim.exercise) json["rows"] = claim.rows;
    if (!claim.truth.empty()) json["truth"] = claim.truth;
    if (!claim.source.empty()) json["source"] = claim.source;
    json["run"] = claim.run;
    json["value"] = claim.value;
    json["expected"] = claim.expected;
    json["found"] = claim.found;
    if (!claim.claimed.empty()) json["claimed"] = claim.claimed;
    if (!claim.origin.empty()) json["origin"] = claim.origin;
    json["verdict"] = word_of(claim.verdict);
    if (!claim.problem.empty()) json["problem"] = claim.problem;
    return json;
}

Json time_json(const LessonTime& time) {
    Json json = {{"says", time.says}};
    const auto add = [&](const char* key, const std::optional<double>& value) {
        if (value) json[key] = *value;
    };
    add("first_launch_microseconds", time.first);
    add("measured_microseconds", time.measured);
    add("modelled_microseconds", time.modelled);
    add("h200_microseconds", time.h200);
    if (!time.date.empty()) json["date"] = time.date;
    if (!time.problem.empty()) json["problem"] = time.problem;
    return json;
}

Json lesson_json(const LessonOutcome& outcome) {
    Json json = {{"lesson", outcome.folder},
                 {"title", outcome.title},
                 {"question", outcome.question},
                 {"rows", outcome.rows},
                 {"met", outcome.met()}};
    json["claims"] = Json::array();
    json["exercises"] = Json::array();
    for (const ClaimOutcome& claim : outcome.claims)
        json[claim.exercise ? "exercises" : "claims"].push_back(claim_json(claim));
    json["remember"] = outcome.remember;
    json["commands"] = Json::array();
    for (const LessonCommand& command : outcome.commands)
        json["commands"].push_back({{"run", command.run}, {"line", command.line}, {"status", command.status}});
    if (!outcome.gpu.empty()) json["gpu"] = outcome.gpu;
    for (const LessonTime& time : outcome.times) json["times"].push_back(time_json(time));
    for (const Diagnostic& diagnostic : outcome.diagnostics) json["errors"].push_back(render(diagnostic));
    return json;
}

}  // namespace

std::string lesson_text(const LessonOutcome& outcome, const LessonOptions& options) {
    std::string text = ink(options.view, Ink::kBold,
                           printable(outcome.folder + (outcome.title.empty() ? "" : " · " + outcome.title))) +
                       "\n";
    if (!outcome.question.empty())
        for (const std::string& line : wrap(printable(outcome.question), options.view.width)) text += line + "\n";
    if (options.view.verbose) {
        text += "\n";
        for (const LessonCommand& command : outcome.commands)
            text += "  $ " + printable(command.line) +
                    fmt::format("   # {}{}", command.run, seconds_text(command.seconds)) + "\n";
    }
    const auto claims = claims_of(outcome, false), exercises = claims_of(outcome, true);
    if (!claims.empty()) text += "\n" + Table(claims, options).draw();
    const bool broken = std::any_of(exercises.begin(), exercises.end(),
                                    [](const ClaimOutcome* claim) { return is_bad(claim->verdict); });
    if (!exercises.empty() && (options.answers || broken)) text += "\nexercises\n" + Table(exercises, options).draw();
    text += times_table(outcome, options);
    if (!outcome.remember.empty()) text += "\n" + ink(options.view, Ink::kBold, "worth remembering") + "\n";
    for (const std::string& line : outcome.remember) {
        bool first = true;
        for (const std::string& part : wrap(printable(line), options.view.width - 2 * kIndent)) {
            text += (first ? "  • " : "    ") + part + "\n";
            first = false;
        }
    }
    text += "\n" + tally(claims);
    if (!exercises.empty() && !options.answers)
        text += fmt::format("; {} (--answers tells)", counted(exercises.size(), "exercise"));
    return text + "\n";
}

std::string lessons_text(const std::vector<LessonOutcome>& outcomes, const LessonOptions& options) {
    constexpr std::size_t kName = 22, kCount = 9, kTime = 12;
    const auto line = [&](const std::string& number, const std::string& name, const std::string& title,
                          const std::array<std::string, 4>& counts) {
        const std::size_t taken = 3 + kColumnGap + kName + kColumnGap + 3 * kCount + kTime;
        const std::size_t room = options.view.width > taken + kColumnGap ? options.view.width - taken : kName;
        std::string text = right_aligned(number, 3) + "  " + padded(cut(name, kName), kName) + "  " +
                           padded(cut(title, room - kColumnGap), room);
        for (std::size_t i = 0; i < counts.size(); ++i)
            text += right_aligned(counts[i], i + 1 < counts.size() ? kCount : kTime);
        return text;
    };
    std::string text =
        ink(options.view, Ink::kBold, line("", "lesson", "", {"hold", "refuted", "fail", "time"})) + "\n";
    std::string details;
    std::size_t met = 0;
    for (const LessonOutcome& outcome : outcomes) {
        met += outcome.met();
        const auto [number, name] = parts_of(outcome.folder);
        const std::size_t fail = outcome.count(ClaimVerdict::kFails) + outcome.count(ClaimVerdict::kUnknown);
        const bool none = !outcome.diagnostics.empty();
        const std::string row =
            line(number, printable(name), printable(outcome.title),
                 {none ? "-" : std::to_string(outcome.count(ClaimVerdict::kHolds)),
                  none ? "-" : std::to_string(outcome.count(ClaimVerdict::kRefuted)),
                  none ? "ERROR" : std::to_string(fail), outcome.seconds > 0 ? duration(outcome.seconds) : ""});
        text += (outcome.met() ? row : ink(options.view, Ink::kBad, row)) + "\n";
        if (outcome.met()) continue;
        std::vector<const ClaimOutcome*> bad;
        for (const ClaimOutcome& claim : outcome.claims)
            if (is_bad(claim.verdict)) bad.push_back(&claim);
        details += "\n" + printable(outcome.folder) + "\n";
        if (!bad.empty()) details += Table(bad, options).draw();
        for (const Diagnostic& diagnostic : outcome.diagnostics) details += "  " + render(diagnostic) + "\n";
    }
    return text + details + fmt::format("\nall claims hold in {} of {}\n", met, counted(outcomes.size(), "lesson"));
}

std::string lesson_list_text(const std::vector<LessonOutcome>& lessons, const ViewOptions& options) {
    constexpr std::size_t kName = 22, kTitle = 44;
    std::string text;
    for (const LessonOutcome& lesson : lessons) {
        const auto [number, name] = parts_of(lesson.folder);
        const std::string title = lesson.diagnostics.empty() ? printable(lesson.title) : "(lesson.json cannot be read)";
        text += right_aligned(number, 3) + "  " + ink(options, Ink::kBold, padded(printable(name), kName)) + "  " +
                padded(cut(title, kTitle), kTitle) + "  " + joined(lesson.rows) + "\n";
    }
    return text;
}

std::string lessons_json(const std::vector<LessonOutcome>& outcomes) {
    Json json = {{"schema", 1}, {"lessons", Json::array()}};
    for (const LessonOutcome& outcome : outcomes) json["lessons"].push_back(lesson_json(outcome));
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::views
