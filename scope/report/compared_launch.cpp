#include "scope/report/compared_launch.h"

#include <algorithm>
#include <cmath>
#include <map>
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

// Those of one key: first where a line became another, then those that are left, in their order: lines moved, and
// nobody knows how.
std::vector<ComparedFinding> match_findings(const std::vector<Found>& before, const std::vector<Found>& after,
                                            const LineMap& moved) {
    std::vector<const Found*> partners(before.size(), nullptr);
    std::vector<bool> taken(after.size(), false);
    const auto pair_up = [&](const auto& belongs) {
        for (std::size_t i = 0; i < before.size(); ++i)
            for (std::size_t j = 0; j < after.size() && partners[i] == nullptr; ++j)
                if (!taken[j] && before[i].key == after[j].key && belongs(before[i], after[j]))
                    partners[i] = &after[j], taken[j] = true;
    };
    pair_up([&](const Found& a, const Found& b) {
        const LinePlace here{std::string(file_name(a.file)), a.line}, there{std::string(file_name(b.file)), b.line};
        const auto at = moved.find(here);
        return (at == moved.end() ? here : at->second) == there;
    });
    pair_up([](const Found&, const Found&) { return true; });
    std::vector<ComparedFinding> all;
    for (std::size_t i = 0; i < before.size(); ++i) all.push_back(compared(&before[i], partners[i]));
    for (std::size_t j = 0; j < after.size(); ++j)
        if (!taken[j]) all.push_back(compared(nullptr, &after[j]));
    return all;
}

std::vector<Found> found_hazards(const std::vector<Hazard>& hazards) {
    std::vector<Found> all;
    for (const Hazard& hazard : hazards) {
        const std::string kind(name_of(hazard.kind));
        all.push_back({kind + " " + std::string(name_of(hazard.space)) + " " + std::string(name_of(hazard.order)) +
                           " " + std::string(name_of(hazard.severity)),
                       kind, hazard.file, hazard.line, static_cast<double>(hazard.count), hazard.message});
    }
    return all;
}

std::vector<Found> found_advice(const std::vector<Advice>& advice) {
    std::vector<Found> all;
    for (const Advice& one : advice) {
        const std::string rule(name_of(one.rule));
        all.push_back({rule, rule, one.file, one.line, one.saves_microseconds, one.message});
    }
    return all;
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
    compared.hazards = match_findings(found_hazards(before.hazards), found_hazards(after.hazards), moved);
    compared.advice = match_findings(found_advice(before.advice), found_advice(after.advice), moved);
    return compared;
}

std::vector<ComparedFinding> compare_hazards(const std::vector<Hazard>& before, const std::vector<Hazard>& after) {
    return match_findings(found_hazards(before), found_hazards(after), {});
}

std::vector<ComparedFinding> compare_advice(const std::vector<Advice>& before, const std::vector<Advice>& after) {
    return match_findings(found_advice(before), found_advice(after), {});
}

}  // namespace tilescope::report
