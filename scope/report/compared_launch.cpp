#include "scope/report/compared_launch.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "scope/report/format.h"
#include "scope/report/line_alignment.h"
#include "scope/report/metrics.h"

namespace tilescope::report {
namespace {

constexpr double kNoise = 1e-3;

std::vector<ComparedFigure> figures_of(const LaunchProfile& before, const LaunchProfile& after) {
    std::vector<ComparedFigure> all;
    for (std::size_t i = 0; i < kCounterCount; ++i) {
        const auto counter = static_cast<Counter>(i);
        if (is_modelled(counter) && !(before.counters.modelled && after.counters.modelled)) continue;
        const std::uint64_t a = before.counters[counter], b = after.counters[counter];
        if (a != 0 || b != 0)
            all.push_back({info(counter).name, info(counter).unit, static_cast<double>(a), static_cast<double>(b)});
    }
    for (const Ratio& ratio : ratios()) {
        const auto a = ratio.value(before.counters), b = ratio.value(after.counters);
        if (a || b) all.push_back({ratio.name, ratio.unit, a, b});
    }
    for (const Fact& fact : facts()) {
        if (fact.needs_time && !(before.time && after.time)) continue;
        const auto a = fact.value(before), b = fact.value(after);
        if (a.value_or(0) != 0 || b.value_or(0) != 0) all.push_back({fact.name, fact.unit, a, b});
    }
    return all;
}

ComparedTime time_of(const LaunchProfile& before, const LaunchProfile& after) {
    ComparedTime time;
    if (before.time) time.before = before.time->microseconds, time.bound_before = before.time->bound;
    if (after.time) time.after = after.time->microseconds, time.bound_after = after.time->bound;
    return time;
}

// By name of file and line.
using LinePlace = std::pair<std::string, std::uint32_t>;
using LineMap = std::map<LinePlace, LinePlace>;

LinePlace place_of(const LineProfile& line) { return {std::string(file_name(line.file)), line.line}; }

// What a file was called before, where that is another name.
std::string other_name(const std::string& before, const std::string& after) {
    return file_name(before) == file_name(after) ? std::string() : before;
}

std::vector<ComparedLine> lines_of(const std::vector<LinePair>& pairs) {
    std::vector<ComparedLine> lines;
    for (const auto& [before, after] : pairs) {
        ComparedLine line{(after != nullptr ? after : before)->file};
        if (before != nullptr) line.before = before->line, line.bytes_before = traffic_bytes(before->counters);
        if (after != nullptr) line.after = after->line, line.bytes_after = traffic_bytes(after->counters);
        if (before != nullptr && after != nullptr) line.file_before = other_name(before->file, after->file);
        if (line.bytes_before != 0 || line.bytes_after != 0) lines.push_back(std::move(line));
    }
    return lines;
}

// One finding of a side, as far as it is compared.
struct Found {
    std::string key;  // findings of different keys are never the same
    std::string kind, file;
    std::uint32_t line = 0;
    std::optional<double> amount;
    std::string message;
};

ComparedFinding compared(const Found* before, const Found* after) {
    const Found& shown = after != nullptr ? *after : *before;
    ComparedFinding finding{shown.kind, shown.file};
    finding.message = shown.message;
    finding.presence = after == nullptr ? Presence::kGone : before == nullptr ? Presence::kNew : Presence::kBoth;
    if (before != nullptr) finding.line_before = before->line, finding.before = before->amount;
    if (after != nullptr) finding.line_after = after->line, finding.after = after->amount;
    if (before != nullptr && after != nullptr) finding.file_before = other_name(before->file, after->file);
    return finding;
}

// Findings of one side, the first of so many more that are not here.
struct Side {
    std::vector<Found> found;
    std::uint64_t passed_over = 0;
};

// Places in a list of findings that are alike and have no partner yet, in their order.
template <class Alike>
using Waiting = std::map<Alike, std::deque<std::size_t>>;

template <class Alike>
std::optional<std::size_t> take_first(Waiting<Alike>& waiting, const Alike& alike) {
    const auto at = waiting.find(alike);
    if (at == waiting.end() || at->second.empty()) return {};
    const std::size_t first = at->second.front();
    at->second.pop_front();
    return first;
}

// For each of `before` its partner in `after`. Those of one key: first where a line became another, then, where both
// lists are whole, those that are left, in their order: lines moved, and nobody knows how.
std::vector<std::optional<std::size_t>> partners_of(const Side& before, const Side& after, const LineMap& moved) {
    using Exact = std::pair<std::string, LinePlace>;
    std::vector<std::optional<std::size_t>> partners(before.found.size());
    Waiting<Exact> of_line;
    for (std::size_t j = 0; j < after.found.size(); ++j) {
        const Found& found = after.found[j];
        of_line[{found.key, {std::string(file_name(found.file)), found.line}}].push_back(j);
    }
    for (std::size_t i = 0; i < before.found.size(); ++i) {
        const Found& found = before.found[i];
        const LinePlace here{std::string(file_name(found.file)), found.line};
        const auto at = moved.find(here);
        partners[i] = take_first(of_line, {found.key, at == moved.end() ? here : at->second});
    }
    if (before.passed_over != 0 || after.passed_over != 0) return partners;
    std::vector<std::size_t> left;
    for (const auto& [alike, places] : of_line) left.insert(left.end(), places.begin(), places.end());
    std::sort(left.begin(), left.end());
    Waiting<std::string> of_key;
    for (const std::size_t j : left) of_key[after.found[j].key].push_back(j);
    for (std::size_t i = 0; i < before.found.size(); ++i)
        if (!partners[i]) partners[i] = take_first(of_key, before.found[i].key);
    return partners;
}

// Whether a finding without a partner has none: the other side is whole, or what is not here of it could be that one.
bool is_alone(const Found& found, const Side& own, const Side& other) {
    if (own.passed_over == 0 && other.passed_over == 0) return true;
    return other.passed_over == 0 &&
           std::none_of(other.found.begin(), other.found.end(), [&](const Found& one) { return one.key == found.key; });
}

std::vector<ComparedFinding> match_findings(const Side& before, const Side& after, const LineMap& moved,
                                            NotCompared& not_compared) {
    const std::vector<std::optional<std::size_t>> partners = partners_of(before, after, moved);
    std::vector<bool> taken(after.found.size(), false);
    std::vector<ComparedFinding> all;
    not_compared = {before.passed_over, after.passed_over};
    for (std::size_t i = 0; i < before.found.size(); ++i) {
        if (partners[i]) taken[*partners[i]] = true;
        if (partners[i] || is_alone(before.found[i], before, after))
            all.push_back(compared(&before.found[i], partners[i] ? &after.found[*partners[i]] : nullptr));
        else
            ++not_compared.before;
    }
    for (std::size_t j = 0; j < after.found.size(); ++j) {
        if (taken[j]) continue;
        if (is_alone(after.found[j], after, before))
            all.push_back(compared(nullptr, &after.found[j]));
        else
            ++not_compared.after;
    }
    return all;
}

// Of a launch or of a run.
template <class Owner>
Side hazards_of(const Owner& owner) {
    Side side{{}, owner.hazards_passed_over};
    for (const Hazard& hazard : owner.hazards) {
        const std::string kind(name_of(hazard.kind));
        side.found.push_back({kind + " " + std::string(name_of(hazard.space)) + " " +
                                  std::string(name_of(hazard.order)) + " " + std::string(name_of(hazard.severity)),
                              kind, hazard.file, hazard.line, static_cast<double>(hazard.count), hazard.message});
    }
    return side;
}

std::vector<ComparedFinding> match_advice(const std::vector<Advice>& before, const std::vector<Advice>& after,
                                          const LineMap& moved) {
    const auto side_of = [](const std::vector<Advice>& advice) {
        Side side;
        for (const Advice& one : advice) {
            const std::string rule(name_of(one.rule));
            side.found.push_back({rule, rule, one.file, one.line, one.saves_microseconds, one.message});
        }
        return side;
    };
    NotCompared none;
    return match_findings(side_of(before), side_of(after), moved, none);
}

}  // namespace

bool ComparedFigure::equal() const {
    if (before.has_value() != after.has_value()) return false;
    if (!before) return true;
    return std::fabs(*before - *after) <= kNoise * std::max(std::fabs(*before), std::fabs(*after));
}

FigureChange ComparedFigure::change() const {
    const double a = before.value_or(0), b = after.value_or(0);
    if (equal() || (a == 0 && b == 0)) return FigureChange::kSame;
    if (b == 0) return FigureChange::kGone;
    if (a == 0) return FigureChange::kNew;
    return b < a ? FigureChange::kLess : FigureChange::kMore;
}

void mark_origins(const LaunchProfile& before, const LaunchProfile& after, std::vector<ComparedFigure>& figures) {
    for (ComparedFigure& figure : figures) {
        const Metric metric = metric_by_name(figure.name);
        figure.origin = metric.origin(before);
        if (figure.origin.empty()) figure.origin = metric.origin(after);
    }
}

ComparedLaunch compare_launches(const LaunchProfile& before, const LaunchProfile& after) {
    ComparedLaunch compared{before.kernel, {}, before.index, after.index, figures_of(before, after)};
    mark_origins(before, after, compared.figures);
    if (after.kernel != before.kernel) compared.other_kernel = after.kernel;
    compared.grid_before = before.grid, compared.grid_after = after.grid;
    compared.block_before = before.block, compared.block_after = after.block;
    compared.time = time_of(before, after);
    const std::vector<LinePair> pairs = align_lines(before.lines, after.lines);
    LineMap moved;
    for (const auto& [one, other] : pairs)
        if (one != nullptr && other != nullptr) moved[place_of(*one)] = place_of(*other);
    compared.lines = lines_of(pairs);
    compared.hazards = match_findings(hazards_of(before), hazards_of(after), moved, compared.hazards_not_compared);
    compared.advice = match_advice(before.advice, after.advice, moved);
    return compared;
}

void compare_host_hazards(const Profile& before, const Profile& after, Comparison& comparison) {
    comparison.hazards = match_findings(hazards_of(before), hazards_of(after), {}, comparison.hazards_not_compared);
}

std::vector<ComparedFinding> compare_advice(const std::vector<Advice>& before, const std::vector<Advice>& after) {
    return match_advice(before, after, {});
}

}  // namespace tilescope::report
