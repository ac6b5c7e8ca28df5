#include "scope/session/launch/collect.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scope/observers/counting.h"
#include "scope/report/ratios.h"
#include "scope/session/launch/bounds_checks.h"
#include "scope/session/launch/caches.h"
#include "scope/session/launch/fault_hazards.h"
#include "scope/session/launch/machine_counts.h"
#include "scope/session/launch/warp_work.h"
#include "scope/session/place_hazard.h"

namespace tilescope {
namespace {

LaunchProfile head(const Prepared& about, const Executed& executed) {
    const KernelInfo& info = about.kernel.info;
    LaunchProfile launch;
    launch.index = static_cast<std::uint32_t>(about.index);
    launch.kernel = info.name;
    launch.entry = info.entry;
    launch.grid = about.request.grid;
    launch.block = about.request.block;
    launch.static_shared_bytes = info.static_shared_bytes;
    launch.dynamic_shared_bytes = about.request.dynamic_shared_bytes;
    launch.local_bytes_per_thread = info.local_bytes;
    launch.registers_per_thread = info.registers;
    launch.registers_from = info.registers_from;
    if (about.kernel.facts) {
        launch.spill_store_bytes = about.kernel.facts->spill_store_bytes;
        launch.spill_load_bytes = about.kernel.facts->spill_load_bytes;
    }
    launch.stream = about.request.stream;
    launch.graph = about.request.graph;
    launch.observed = about.is_counted;
    launch.seconds = executed.seconds;
    launch.blocks_run = executed.grid.fault ? 0 : executed.grid.blocks_run;
    launch.sampled = !executed.grid.fault && executed.grid.blocks_run < about.blocks();
    return launch;
}

void tell_finding(machine::FindingKind kind, const machine::Finding& finding, HazardFacts& facts) {
    switch (kind) {
        case machine::FindingKind::kUnnamedLane: facts.what = HazardCase::kUnnamedLane; break;
        case machine::FindingKind::kMissingLanes: facts.what = HazardCase::kMissingLanes; break;
        case machine::FindingKind::kEndedLanes:
            facts.what = HazardCase::kEndedLanes;
            facts.remedy = Remedy::kWholeWarp;
            break;
        case machine::FindingKind::kAbsentSource:
            facts.what = HazardCase::kAbsentSource;
            facts.act.deed = Deed::kRead;
            break;
    }
    facts.act.number = finding.lane % machine::kWarpSize;
    facts.other.number = finding.source;
    facts.lanes = finding.lanes;
    facts.other_lanes = finding.missing;
    facts.is_there = finding.is_source_there;
}

// What the kernel did that hardware leaves undefined and goes on from.
void add_findings(const Prepared& about, const machine::Findings& findings, LaunchProfile& launch) {
    // A plain run has such hazards, too, and its status does not hang on --check auto.
    const std::uint32_t checks = about.settings.options.checks_are_auto ? 0 : about.settings.options.checks;
    for (const auto& [key, finding] : findings.all()) {
        // --check init follows such a value, and tells where it decides something or reaches the host.
        if (key.second == machine::FindingKind::kAbsentSource && (checks & bit_of(Check::kInit)) != 0) continue;
        Hazard hazard;
        hazard.kind = key.second == machine::FindingKind::kAbsentSource ? HazardKind::kUninitialized
                                                                        : HazardKind::kDivergentBarrier;
        const bool is_looked_for = (checks & bit_of(Check::kBarriers)) != 0;
        hazard.severity =
            is_looked_for && hazard.kind == HazardKind::kDivergentBarrier ? Severity::kError : Severity::kWarning;
        hazard.kernel = launch.kernel;
        hazard.count = finding.count;
        std::copy_n(finding.block, 3, hazard.block.begin());
        std::copy_n(finding.thread, 3, hazard.thread.begin());
        tell_finding(key.second, finding, hazard.facts);
        place_op(about.program, about.module, key.first, hazard.file, hazard.line);
        launch.hazards.push_back(std::move(hazard));
    }
}

// Whether a kernel looks for what a cooperative launch keeps of its grid.
bool asks_for_grid(const machine::Program& program) {
    return std::any_of(program.launch_slots.begin(), program.launch_slots.end(), [](const machine::LaunchSlot& slot) {
        return slot.what == machine::LaunchValue::kWorkspaceLow || slot.what == machine::LaunchValue::kWorkspaceHigh;
    });
}

bool names_lines(const machine::Program& program) {
    return std::any_of(program.facts.begin(), program.facts.end(),
                       [](const machine::OpFacts& facts) { return facts.place.line != 0; });
}

// A line of PTX is one instruction, and a kernel has thousands: those that move or run the most are kept.
void keep_hot(std::vector<LineProfile>& lines) {
    constexpr std::size_t kKept = 32;  // numeric: more than a report shows, and no burden on a profile of many launches
    const auto weight = [](const LineProfile& line) {
        return std::pair(report::traffic_bytes(line.counters), line.counters[Counter::kInstructions]);
    };
    std::stable_sort(lines.begin(), lines.end(),
                     [&](const LineProfile& a, const LineProfile& b) { return weight(a) > weight(b); });
    if (lines.size() > kKept) lines.resize(kKept);
    std::sort(lines.begin(), lines.end(), [](const LineProfile& a, const LineProfile& b) { return a.line < b.line; });
}

// Sums the ops' counters per launch and per source line; where the code names none, per line of the PTX.
void fill_counters(const machine::Program& program, LoadedModule& module, const observers::OpCounters& by_op,
                   LaunchProfile& launch) {
    const bool has_source = names_lines(program);
    std::map<std::pair<std::string_view, std::uint32_t>, CounterSet> lines;
    CounterSet* line = nullptr;  // of the op before, which mostly is the next one's, too
    std::pair<std::string_view, std::uint32_t> line_is;
    for (std::size_t i = 0; i < by_op.size(); ++i) {
        const machine::OpFacts& facts = program.facts[i];
        const bool has_line = facts.place.line != 0 || (!has_source && facts.text_line != 0);
        bool is_here = false;  // `line` is the op's
        // Most ops have few counters, and there are many of both.
        for (std::size_t c = 0; c < kCounterCount; ++c) {
            if (by_op[i].values[c] == 0) continue;
            const std::uint64_t value = observers::scaled(launch, by_op[i].values[c]);
            launch.counters.values[c] += value;
            if (!has_line) continue;
            if (!std::exchange(is_here, true)) {
                const bool is_named = facts.place.line != 0;
                const std::pair<std::string_view, std::uint32_t> here{
                    is_named ? std::string_view(program.files[facts.place.file]) : std::string_view(module.text().name),
                    is_named ? facts.place.line : facts.text_line};
                if (line == nullptr || here != line_is) line = &lines[line_is = here];
            }
            line->values[c] += value;
        }
    }
    for (auto& [place, counters] : lines) {
        LineProfile& line_profile = launch.lines.emplace_back();
        line_profile.file = place.first;
        line_profile.line = place.second;
        line_profile.counters = counters;
        if (!has_source) line_profile.from = LinesFrom::kPtx;
    }
    if (has_source) return;
    keep_hot(launch.lines);
    for (LineProfile& line : launch.lines) line.text = module.instruction_at(line.line);
}

void take_fault(const Prepared& about, const machine::Fault& fault, LaunchProfile& launch, LaunchResult& result) {
    result.hazard = fault_hazard(about.program, about.module, about.name(), fault);
    if (fault.kind == machine::FaultKind::kTrap && !about.grid.cooperative && asks_for_grid(about.program))
        result.hazard->facts.remedy = Remedy::kCooperative;
    result.kind_on_card = kind_on_card(fault);
    result.status = fault.kind == machine::FaultKind::kInstructionLimit ? LaunchStatus::kLimit : LaunchStatus::kFault;
    launch.hazards.push_back(*result.hazard);
}

void take_counts(const Prepared& about, const machine::GridResult& run, LaunchProfile& launch) {
    observers::OpCounters counters(about.program.ops.size());
    observers::count_instructions(about.program, run, counters);
    for (const auto& observer : run.observers)
        static_cast<const observers::CountingObserver&>(*observer).finish(about.program, counters);
    fill_counters(about.program, about.module, counters, launch);
    if (about.kernel.facts && about.kernel.facts->machine_code)
        add_machine_counts(*about.kernel.facts->machine_code, about.program, run, launch);
    for (const auto& observer : run.observers)
        static_cast<const observers::CountingObserver&>(*observer).add_to_profile(about.program, launch);
    add_warp_work(about.program, run, launch);
}

Diagnostic lost_prints(const Prepared& about, std::uint64_t lost) {
    return {Severity::kWarning,
            "session-prints-lost",
            {},
            std::to_string(lost) + " calls of printf are not shown: a launch's buffer of " +
                std::to_string(about.settings.print_bytes) + " bytes keeps the last; kernel " + about.name(),
            "cudaDeviceSetLimit(cudaLimitPrintfFifoSize, ...) makes it larger"};
}

}  // namespace

Measured collect(Prepared& about, Instruments& with, Executed& executed, Recording& recording, LaunchResult& result) {
    machine::GridResult& run = executed.grid;
    Measured measured{head(about, executed), {}, {}};
    LaunchProfile& launch = measured.launch;
    if (executed.lost_prints != 0) result.diagnostics.push_back(lost_prints(about, executed.lost_prints));
    with.run->end(run);
    if (const auto unkept = with.checks->end(about, run, launch)) end_at_memory_limit(about.name(), *unkept, result);
    if (with.trace) with.trace->finish(about, recording);
    for (Hazard& hazard : fault_hazards(about.program, about.module, about.name(), run.places)) {
        launch.hazards.push_back(std::move(hazard));
        recording.end_with(Outcome::kFault);
    }
    std::stable_sort(launch.hazards.begin(), launch.hazards.end(),
                     [](const Hazard& a, const Hazard& b) { return a.severity > b.severity; });
    if (run.fault)
        take_fault(about, *run.fault, launch, result);
    else if (launch.observed)
        take_counts(about, run, launch);
    add_findings(about, run.findings, launch);
    tell_checks(about, recording, launch);
    if (const auto refusal = launch.observed ? count_tables(about.memory.budget(), run) : std::nullopt)
        end_at_memory_limit(about.name(), *refusal, result);
    if (!launch.observed && !run.fault) {
        observers::OpCounters counters(about.program.ops.size());
        observers::count_instructions(about.program, run, counters);
        CounterSet& sum = measured.uncounted.emplace();
        for (CounterSet& of_op : counters) {
            for (std::uint64_t& value : of_op.values) value = observers::scaled(launch, value);
            sum += of_op;
        }
    }
    return measured;
}

}  // namespace tilescope
