// Two launches side by side, as a section of a comparison's document.
#include <algorithm>
#include <cmath>
#include <utility>

#include "scope/report/format.h"
#include "scope/report/quantities.h"
#include "scope/views/document/comparison_parts.h"
#include "scope/views/words/binding.h"

namespace tilescope::views {
namespace {

constexpr std::string_view kArrow = " → ";

Value plain(std::string_view name, const std::optional<double>& value, Unit unit) {
    if (!value) return {name, std::string("-"), Unit::kText};
    return {name, *value, unit};
}

// "2× less", "+12.4 %".
std::string change_text(const ComparedFigure& figure) {
    switch (figure.change()) {
        case FigureChange::kSame: return "same";
        case FigureChange::kNew: return "new";
        case FigureChange::kGone: return "gone";
        case FigureChange::kLess:
        case FigureChange::kMore: break;
    }
    const double ratio = *figure.after / *figure.before;
    if (ratio >= 2) return times_text(ratio) + "× more";
    if (ratio <= 1 / 2.0) return times_text(1 / ratio) + "× less";
    constexpr double kHundred = 100;  // numeric: percent
    const double change = kHundred * (ratio - 1);
    return (change < 0 ? "-" : "+") + per_request(std::fabs(change)) + " %";
}

// "1.54× faster"; nothing where one side's time is not known.
std::string pace_text(const ComparedTime& time) {
    if (!time.before || !time.after) return {};
    constexpr int kDigits = 3;  // geometry: of a ratio that may be near one
    const ComparedFigure figure{"", "", time.before, time.after};
    switch (figure.change()) {
        case FigureChange::kSame: return "same";
        case FigureChange::kNew: return "new";
        case FigureChange::kGone: return "gone";
        case FigureChange::kLess: return digits(*time.before / *time.after, kDigits) + "× faster";
        case FigureChange::kMore: return digits(*time.after / *time.before, kDigits) + "× slower";
    }
    return {};
}

// What the launches' own rows need: in order, all that changed, the others behind -v.
void add_figures(const ComparedLaunch& launch, std::vector<Row>& rows) {
    if (launch.figures.empty()) {
        rows.push_back({.key = "figures", .label = "figures", .text = "none to compare"});
        return;
    }
    std::size_t same = 0;
    for (const bool is_full : {false, true}) {
        Row table{.kind = RowKind::kTable, .key = "figures", .label = "figures"};
        table.shown = is_full ? Shown::kInFull : Shown::kInShort;
        table.columns = {"", "before", "after", "change"};
        for (const ComparedFigure& figure : launch.figures) {
            const bool is_same = figure.change() == FigureChange::kSame;
            if (!is_full) same += is_same ? 1 : 0;
            if (is_same && !is_full) continue;
            Row row{.kind = RowKind::kFigures, .key = figure.name, .label = std::string(figure.name)};
            if (!figure.origin.empty()) row.label += " (" + std::string(origin_words(figure.origin)) + ")";
            row.values = {plain("before", figure.before, Unit::kPlain),
                          plain("after", figure.after, Unit::kPlain),
                          {"change", change_text(figure), Unit::kText}};
            table.rows.push_back(std::move(row));
        }
        if (!table.rows.empty()) rows.push_back(std::move(table));
    }
    const std::string count = thousands(same) + " of " + counted(launch.figures.size(), "figure");
    const std::string words = count + (same == 1 ? " is equal" : " are equal");
    rows.push_back({.key = "equal_figures",
                    .label = "",
                    .text = words + (same == 0 ? "" : "; -v shows them"),
                    .shown = Shown::kInShort});
    rows.push_back({.key = "equal_figures", .label = "", .text = words, .shown = Shown::kInFull});
}

// "a.cu:17 → 20", "a.cu:17 → b.cu:20"; the one that is not 0 where the other is.
std::string place_text(const std::string& file_before, const std::string& file, std::uint32_t before,
                       std::uint32_t after) {
    const std::string name = printable(file_name(file)) + ":";
    if (before == 0 || after == 0) return name + std::to_string(before + after);
    if (!file_before.empty())
        return printable(file_name(file_before)) + ":" + std::to_string(before) + std::string(kArrow) + name +
               std::to_string(after);
    return name + both_text(std::to_string(before), std::to_string(after));
}

double by_how_much(const ComparedLine& line) {
    return std::fabs(static_cast<double>(line.bytes_after) - static_cast<double>(line.bytes_before));
}

// Lines that move more or fewer bytes than before, those first that changed most.
void add_lines(const ComparedLaunch& launch, std::vector<Row>& rows) {
    constexpr std::size_t kShown = 6;  // geometry: rows that people read
    std::vector<const ComparedLine*> lines;
    for (const ComparedLine& line : launch.lines)
        if (line.bytes_before != line.bytes_after || line.presence() != Presence::kBoth) lines.push_back(&line);
    std::stable_sort(lines.begin(), lines.end(),
                     [](const ComparedLine* a, const ComparedLine* b) { return by_how_much(*a) > by_how_much(*b); });
    Row table{.kind = RowKind::kTable, .key = "lines", .label = "lines"};
    table.columns = {"bytes moved by", "before", "after", "change"};
    for (std::size_t i = 0; i < lines.size() && i < kShown; ++i) {
        const ComparedLine& line = *lines[i];
        ComparedFigure figure{"", "", std::nullopt, std::nullopt};
        if (line.before != 0) figure.before = static_cast<double>(line.bytes_before);
        if (line.after != 0) figure.after = static_cast<double>(line.bytes_after);
        std::string change = word_of(line.presence());
        Row row{.kind = RowKind::kFigures,
                .key = "line",
                .label = place_text(line.file_before, line.file, line.before, line.after)};
        row.values = {plain("before", figure.before, Unit::kPlain),
                      plain("after", figure.after, Unit::kPlain),
                      {"change", change.empty() ? change_text(figure) : change, Unit::kText}};
        table.rows.push_back(std::move(row));
    }
    if (table.rows.empty()) return;
    rows.push_back(std::move(table));
    if (lines.size() > kShown)
        rows.push_back({.key = "more_lines",
                        .label = "",
                        .text = counted(lines.size() - kShown, "more line") + ": --json has them"});
}

std::string place_of(const ComparedFinding& finding) {
    if (finding.line_before == 0 && finding.line_after == 0) return {};
    return "  " + place_text(finding.file_before, finding.file, finding.line_before, finding.line_after);
}

// What a finding counts or saves, on both sides where both have it.
std::string amounts_of(const ComparedFinding& finding, std::string (*text)(double)) {
    if (finding.before && finding.after) return both_text(text(*finding.before), text(*finding.after));
    return finding.before ? text(*finding.before) : finding.after ? text(*finding.after) : std::string();
}

std::string times_amount(double count) { return thousands(static_cast<std::uint64_t>(count)); }

// What is gone and what is new, each by name; of what stays, what changed of it and how much else there is. `lead` and
// `tail` are the words around what it counts.
struct FindingWords {
    const char *what, *lead, *tail;
    std::string (*amount)(double);
};
constexpr FindingWords kHazardWords = {"hazard", "", " times", times_amount};
constexpr FindingWords kAdviceWords = {"advice", "saves ", "", microseconds_text};

void add_findings(const std::vector<ComparedFinding>& findings, const FindingWords& words, std::vector<Row>& rows) {
    std::size_t stays = 0;
    for (const ComparedFinding& finding : findings) {
        const bool is_both = finding.presence == Presence::kBoth;
        // Once goes without saying, and a leak's count is of bytes, which its message has.
        const bool is_once = finding.before.value_or(1) == 1 && finding.after.value_or(1) == 1;
        const bool is_silent = &words == &kHazardWords && (is_once || finding.kind == name_of(HazardKind::kLeak));
        const std::string amounts = is_silent ? "" : amounts_of(finding, words.amount);
        const bool is_same = is_both && amounts.find(kArrow) == std::string::npos;
        stays += is_same ? 1 : 0;
        std::string text = (is_both ? "" : std::string(words.what) + " ") + finding.kind;
        if (!amounts.empty()) text += ", " + std::string(words.lead) + amounts + words.tail;
        text += place_of(finding);
        // What is gone need not be explained.
        if (finding.presence == Presence::kNew && !finding.message.empty()) text += "; " + printable(finding.message);
        rows.push_back({.key = words.what,
                        .label = is_both ? words.what : word_of(finding.presence),
                        .text = std::move(text),
                        .shown = is_same ? Shown::kInFull : Shown::kAlways});
    }
    if (stays != 0)
        rows.push_back({.key = words.what,
                        .label = words.what,
                        .text = counted(stays, "stays", "stay") + " as before",
                        .shown = Shown::kInShort});
}

void add_time(const ComparedTime& time, std::vector<Row>& rows) {
    if (!time.is_known()) return;
    const auto text = [](const std::optional<double>& value) { return value ? microseconds_text(*value) : "-"; };
    Row row{.key = "time", .label = "time", .text = text(time.before) + std::string(kArrow) + text(time.after)};
    row.values = values_of(time);
    row.source = RowSource::kModelled;
    if (std::string change = text_of(row.values[2]); !change.empty()) row.text += ", " + change;
    if (std::string pace = pace_text(time); !pace.empty()) row.text += ", " + pace;
    if (std::string bound = bound_text(time); !bound.empty())
        row.clauses.push_back({ClauseJoin::kThen, std::move(bound)});
    rows.push_back(std::move(row));
}

}  // namespace

std::string both_text(const std::string& before, const std::string& after) {
    return before == after ? before : before + std::string(kArrow) + after;
}

std::string word_of(Presence presence) {
    return presence == Presence::kGone ? "gone" : presence == Presence::kNew ? "new" : "";
}

std::string bound_text(const ComparedTime& time) {
    const auto words = [](const std::optional<TimeBound>& bound) {
        return bound ? std::string(bound_words(*bound)) : std::string();
    };
    const std::string before = words(time.bound_before), after = words(time.bound_after);
    if (before.empty() && after.empty()) return {};
    if (before.empty() || after.empty()) return "bound: " + before + after;
    return "bound: " + both_text(before, after);
}

std::vector<Value> values_of(const ComparedTime& time) {
    std::vector<Value> values = {plain("before", time.before, Unit::kMicroseconds),
                                 plain("after", time.after, Unit::kMicroseconds),
                                 {"change", std::string(), Unit::kText},
                                 {"ratio", pace_text(time), Unit::kText}};
    const ComparedFigure figure{"", "", time.before, time.after};
    if (time.before && time.after && !figure.equal()) values[2] = {"change", *time.after - *time.before, Unit::kChange};
    return values;
}

void add_compared_hazards(const std::vector<ComparedFinding>& hazards, const NotCompared& others,
                          std::vector<Row>& rows) {
    add_findings(hazards, kHazardWords, rows);
    if (!others.is_any()) return;
    rows.push_back({.key = "hazards_not_compared",
                    .label = "hazards",
                    .text = both_text(thousands(others.before), thousands(others.after)) +
                            " more were not compared: there are too many; the profiles have them",
                    .values = {{"before", others.before, Unit::kNone}, {"after", others.after, Unit::kNone}}});
}

void add_compared_advice(const std::vector<ComparedFinding>& advice, std::vector<Row>& rows) {
    add_findings(advice, kAdviceWords, rows);
}

Section compared_section(const ComparedLaunch& launch) {
    std::string title = printable(launch.kernel);
    if (!launch.other_kernel.empty()) title += std::string(kArrow) + printable(launch.other_kernel);
    Section section{SectionKind::kLaunch, std::move(title)};
    const auto fact = [&](std::string_view name, const std::string& text) {
        section.facts.push_back({name, text, Unit::kText, {}, std::string(name)});
    };
    fact("launch", both_text(std::to_string(launch.before), std::to_string(launch.after)));
    if (launch.grid_before) fact("grid", both_text(dimensions(*launch.grid_before), dimensions(*launch.grid_after)));
    if (launch.block_before)
        fact("block", both_text(dimensions(*launch.block_before), dimensions(*launch.block_after)));
    add_time(launch.time, section.rows);
    add_compared_hazards(launch.hazards, launch.hazards_not_compared, section.rows);
    add_compared_advice(launch.advice, section.rows);
    add_figures(launch, section.rows);
    add_lines(launch, section.rows);
    return section;
}

}  // namespace tilescope::views
