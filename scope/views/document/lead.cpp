// Rows that lead: what a reader has to know first of a launch, and of a program that other things than kernels rule.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "scope/report/format.h"
#include "scope/report/profiler_names.h"
#include "scope/views/document/parts.h"
#include "scope/views/words/binding.h"

namespace tilescope::views {
namespace {

// "limited by DRAM (memory-bound)", "latency-bound"
std::string bound_text(const TimeProfile& time) {
    switch (kind_of(time.bound)) {
        case BoundKind::kMemory: return std::string("limited by ") + bound_words(time.bound) + " (memory-bound)";
        case BoundKind::kCompute: return std::string("limited by ") + bound_words(time.bound) + " (compute-bound)";
        case BoundKind::kLatency: return "latency-bound";
        case BoundKind::kLaunch: return "launch-bound";
        case BoundKind::kImbalance:
            return time.longest_warp ? "limited by imbalance (one long block)" : "limited by imbalance (idle SMs)";
    }
    return {};
}

// Beside the SMs that have work: the unit alone, as the row has no room for more.
std::string short_bound_text(const TimeProfile& time) {
    const std::string text = bound_text(time);
    const BoundKind kind = kind_of(time.bound);
    return kind == BoundKind::kMemory || kind == BoundKind::kCompute ? text.substr(0, text.find(" (")) : text;
}

// Short enough for the row of the time.
const char* next_words(TimeBound bound) { return bound == TimeBound::kLaunch ? "launch" : bound_words(bound); }

// Where SMs have nothing to do: a percent of peak is one of the whole device.
std::string few_sms_text(const LaunchProfile& launch) {
    if (!launch.occupancy_profile || !launch.occupancy_profile->waves) return {};
    const OccupancyWaves& waves = *launch.occupancy_profile->waves;
    const std::uint64_t idle = waves.full == 0 ? waves.idle_sms : 0;
    const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    return idle == 0 ? "" : " on " + thousands(blocks) + " of " + counted(blocks + idle, "SM");
}

Row time_row(const LaunchProfile& launch) {
    const TimeProfile& time = *launch.time;
    const std::string few = few_sms_text(launch), next = std::string("; next limit: ") + next_words(time.next_bound);
    Row row{.key = "time", .label = "time", .leads = true, .source = RowSource::kModelled};
    row.text = microseconds_text(time.microseconds) + few + ", " +
               (few.empty() ? bound_text(time) + next : short_bound_text(time));
    row.clauses = {{ClauseJoin::kAside, few.empty() ? ", " + microseconds_text(time.next_microseconds) : next}};
    row.values = {{"time", time.microseconds, Unit::kMicroseconds},
                  {"bound", std::string(name_of(time.bound)), Unit::kText},
                  {"next_time", time.next_microseconds, Unit::kMicroseconds},
                  {"next_bound", std::string(name_of(time.next_bound)), Unit::kText},
                  {"kind", std::string(name_of(kind_of(time.bound))), Unit::kText}};
    return row;
}

TimeBound busiest_pipe(const PeakShares& of_peak) {
    return *std::max_element(kArithmeticUnits.begin(), kArithmeticUnits.end(),
                             [&](TimeBound a, TimeBound b) { return of_peak[a] < of_peak[b]; });
}

Row peaks_row(const LaunchProfile& launch) {
    const PeakShares& of_peak = *launch.time->of_peak;
    const TimeBound bound = launch.time->bound;
    Row row{.kind = RowKind::kPeaks, .key = "of_peak", .label = "utilization", .is_part = true, .leads = true};
    row.source = RowSource::kModelled;
    const auto add = [&](TimeBound unit, const char* name) {
        Value value{name_of(unit), of_peak[unit], Unit::kShare, {}, name};
        value.matters = unit == bound || models::is_near_peak(of_peak[unit]);
        row.values.push_back(std::move(value));
    };
    add(TimeBound::kDram, "DRAM");
    add(TimeBound::kL2, "L2");
    add(TimeBound::kL1, "L1");
    add(TimeBound::kIssue, "issue");
    const TimeBound pipe = busiest_pipe(of_peak);
    add(pipe, kTimeRows[static_cast<std::size_t>(pipe)].name);
    if (launch.blocks_per_sm == 0) return row;
    const bool is_waiting = kind_of(bound) == BoundKind::kLatency;
    if (const auto& achieved = launch.achieved_occupancy) {
        Value value{"achieved_occupancy", *achieved, Unit::kShare, {}, "achieved occupancy"};
        value.matters = is_waiting && models::is_occupancy_low(*achieved);
        row.values.push_back(std::move(value));
    } else {
        row.values.push_back({"occupancy", launch.occupancy, Unit::kShare, {}, "theoretical occupancy"});
    }
    return row;
}

Row remedy_row() {
    return {.kind = RowKind::kRemedy, .key = "remedy", .label = "start with", .is_part = true, .leads = true};
}

// The best advice; `microseconds`: that the launch or the program takes, if that is known.
Row remedy_row(const Advice& best, std::optional<double> microseconds) {
    Row row = remedy_row();
    row.values.push_back({"rule", std::string(name_of(best.rule)), Unit::kText});
    if (models::tells_time(best)) {
        row.values.push_back(saved_of(best, microseconds));
        row.source = RowSource::kModelled;
    }
    if (best.line != 0) row.places = {{best.file, best.line}};
    row.text = printable(best.message);
    return row;
}

void add_remedy(const LaunchProfile& launch, std::vector<Row>& rows) {
    Row row = remedy_row();
    const bool is_wrong = std::any_of(launch.hazards.begin(), launch.hazards.end(),
                                      [](const Hazard& hazard) { return hazard.severity == Severity::kError; });
    if (is_wrong) {
        row.text = "fix the hazards listed below: the results may be wrong";
    } else if (!launch.advice.empty()) {
        row = remedy_row(launch.advice.front(), launch.time ? std::optional(launch.time->microseconds) : std::nullopt);
    } else if (launch.time) {
        row.text = "nothing stands out";
    } else {
        return;  // what is not timed may have what nobody has weighed
    }
    rows.push_back(std::move(row));
}

// Parts by size, those that are worth naming: "46 % L1/shared, 30 % latency".
std::string parts_text(const TimeProfile& time) {
    std::array<TimeBound, kTimeBounds> order{};
    for (std::size_t i = 0; i < kTimeBounds; ++i) order[i] = static_cast<TimeBound>(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](TimeBound a, TimeBound b) { return time.breakdown[a] > time.breakdown[b]; });
    std::string text;
    for (const TimeBound bound : order) {
        const double share = time.breakdown[bound] / time.microseconds;
        if (!models::is_part_seen(share)) break;
        text += (text.empty() ? "" : ", ") + percent(share) + " " + bound_words(bound);
    }
    return text;
}

// What warps wait for, with the profiler's words for it.
void add_stalls(const LaunchProfile& launch, std::vector<Row>& rows) {
    if (!launch.replay) return;
    double all = 0;
    for (const report::StallRow& stall : report::stall_rows()) all += launch.replay.value().*stall.cycles;
    if (all <= 0) return;
    std::vector<report::StallRow> order(report::stall_rows().begin(), report::stall_rows().end());
    std::stable_sort(order.begin(), order.end(), [&](const report::StallRow& a, const report::StallRow& b) {
        return launch.replay.value().*a.cycles > launch.replay.value().*b.cycles;
    });
    Row row{.key = "stalls", .label = "stalls", .source = RowSource::kModelled};
    for (const report::StallRow& stall : order) {
        const double share = launch.replay.value().*stall.cycles / all;
        if (!models::is_part_seen(share)) break;
        row.text += (row.text.empty() ? "" : ", ") + percent(share) + " " + std::string(stall.name) + " (" +
                    report::reasons_of(stall.name) + ")";
        row.values.push_back({stall.name, share, Unit::kShare});
    }
    rows.push_back(std::move(row));
}

std::string ruler_text(const models::ProgramVerdict& verdict) {
    using R = models::ProgramRuler;
    switch (verdict.ruler) {
        case R::kCopies: return "copies take ";
        case R::kPages: return "page faults take ";
        case R::kIdle: return "the GPU is idle for ";
        case R::kKernels: break;
    }
    return {};
}

}  // namespace

void add_lead(const LaunchProfile& launch, std::vector<Row>& rows) {
    if (launch.time) rows.push_back(time_row(launch));
    if (launch.time && launch.time->of_peak) rows.push_back(peaks_row(launch));
    add_remedy(launch, rows);
}

void add_time(const LaunchProfile& launch, std::vector<Row>& rows) {
    if (!launch.time || launch.time->microseconds <= 0) return;
    const TimeProfile& time = *launch.time;
    Row row{.key = "time_parts", .label = "breakdown", .text = parts_text(time), .source = RowSource::kModelled};
    row.clauses = {{ClauseJoin::kThen, microseconds_text(time.next_microseconds) + " without the largest part"}};
    for (const TimeRow& part : kTimeRows)
        if (time.breakdown[part.bound] > 0)
            row.values.push_back({part.name, time.breakdown[part.bound], Unit::kMicroseconds});
    rows.push_back(std::move(row));
    add_stalls(launch, rows);
    if (time.longest_warp && time.average_warp)
        rows.push_back({.key = "longest_warp",
                        .label = "",
                        .text = "one long block: its longest warp takes " + microseconds_text(*time.longest_warp) +
                                ", the average one " + microseconds_text(*time.average_warp),
                        .is_part = true,
                        .values = {{"longest", *time.longest_warp, Unit::kMicroseconds},
                                   {"average", *time.average_warp, Unit::kMicroseconds}},
                        .source = RowSource::kModelled});
}

void add_program_lead(const Profile& profile, std::vector<Row>& rows) {
    const auto verdict = models::program_verdict(profile);
    if (!verdict || verdict->ruler == models::ProgramRuler::kKernels) return;
    const TimelineTotals& line = *profile.timeline_totals;
    rows.push_back({.key = "program",
                    .label = "program",
                    .text = ruler_text(*verdict) + microseconds_text(verdict->microseconds) + " of " +
                            microseconds_text(line.microseconds) + " (" + percent(verdict->share) + "), kernels " +
                            microseconds_text(verdict->kernels),
                    .clauses = {{ClauseJoin::kAside, "; start there"}},
                    .leads = true,
                    .values = {{"microseconds", verdict->microseconds, Unit::kMicroseconds},
                               {"share", verdict->share, Unit::kShare},
                               {"time", line.microseconds, Unit::kMicroseconds},
                               {"kernels", verdict->kernels, Unit::kMicroseconds}},
                    .source = RowSource::kModelled});
    if (!profile.advice.empty()) rows.push_back(remedy_row(profile.advice.front(), line.microseconds));
}

}  // namespace tilescope::views
