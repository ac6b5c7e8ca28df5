#include "scope/base/names.h"
#include "scope/library/state.h"
#include "scope/report/metrics.h"
#include "scope/report/profiler_names.h"
#include "scope/report/ratios.h"

namespace tilescope::library {
namespace {

Extent extent_of(const Dim3& from) { return {from[0], from[1], from[2]}; }

std::map<std::string, std::uint64_t, std::less<>> counters_of(const CounterSet& from, bool all) {
    std::map<std::string, std::uint64_t, std::less<>> counters;
    for (std::size_t i = 0; i < kCounterCount; ++i) {
        const auto counter = static_cast<Counter>(i);
        if (is_modelled(counter) && !from.modelled) continue;
        if (all || from[counter] != 0) counters.emplace(info(counter).name, from[counter]);
    }
    return counters;
}

std::vector<std::string> all_names() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kCounterCount; ++i) names.emplace_back(info(static_cast<Counter>(i)).name);
    for (const report::Ratio& ratio : report::ratios()) names.emplace_back(ratio.name);
    for (const report::Fact& fact : report::facts()) names.emplace_back(fact.name);
    return names;
}

}  // namespace

Hazard hazard_of(const tilescope::Hazard& hazard) {
    Hazard made;
    made.kind = report::name_of(hazard.kind);
    made.message = hazard.message;
    made.hint = hazard.hint;
    made.kernel = hazard.kernel;
    made.at = {hazard.file, hazard.line};
    made.other = {hazard.other_file, hazard.other_line};
    made.count = hazard.count;
    made.block = extent_of(hazard.block);
    made.thread = extent_of(hazard.thread);
    made.is_error = hazard.severity == Severity::kError;
    return made;
}

Launch launch_of(const LaunchProfile& launch) {
    Launch made;
    made.kernel = launch.kernel;
    made.entry = launch.entry;
    made.grid = extent_of(launch.grid);
    made.block = extent_of(launch.block);
    made.registers = launch.registers_per_thread;
    made.counters = counters_of(launch.counters, /*all=*/true);
    for (const report::Ratio& ratio : report::ratios())
        if (const auto value = ratio.value(launch.counters)) made.figures.emplace(ratio.name, *value);
    for (const report::Fact& fact : report::facts())
        if (const auto value = fact.value(launch)) made.figures.emplace(fact.name, *value);
    if (launch.time) {
        made.microseconds = launch.time->microseconds;
        made.bound = report::name_of(launch.time->bound);
    }
    for (const LineProfile& line : launch.lines)
        made.lines.push_back({{line.file, line.line}, counters_of(line.counters, /*all=*/false)});
    for (const tilescope::Hazard& hazard : launch.hazards) made.hazards.push_back(hazard_of(hazard));
    for (const tilescope::Advice& advice : launch.advice)
        made.advice.push_back({std::string(report::name_of(advice.rule)),
                               advice.message,
                               {advice.file, advice.line},
                               advice.speedup,
                               advice.saves_microseconds});
    return made;
}

Result<double> Launch::value(std::string_view name) const {
    return guarded([&]() -> Result<double> {
        std::string ours(name);
        if (const report::ProfilerName* theirs = report::by_profiler_name(name);
            theirs != nullptr && theirs->differs.empty())
            ours = theirs->ours;
        if (const auto found = counters.find(ours); found != counters.end()) return static_cast<double>(found->second);
        if (const auto found = figures.find(ours); found != figures.end()) return found->second;
        if (report::metric_by_name(ours).known())
            return Error{"library-no-value", ours + " has no value in this launch",
                         "a ratio needs something to divide by, a modeled figure Options::caches", "", 0};
        const std::string near = nearest(ours, all_names());
        return Error{"library-no-metric", "there is no counter, ratio or fact \"" + ours + "\"",
                     near.empty() ? "`man tilescope` lists them" : "did you mean " + near + "?", "", 0};
    });
}

}  // namespace tilescope::library
