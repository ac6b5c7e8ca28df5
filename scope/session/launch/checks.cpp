#include "scope/session/launch/checks.h"

#include <algorithm>

#include <fmt/format.h>

#include "scope/observers/hazards/undefined_memory.h"
#include "scope/session/launch/found_hazards.h"
#include "scope/session/launch/shaped_rows.h"

namespace tilescope {
namespace {

// Checks that cost as much as counting does: --check auto does not look at all blocks of a long launch with them.
bool is_costly(Check check) { return check == Check::kRaces || check == Check::kInit; }

}  // namespace

bool LaunchChecks::wants(const observers::HazardRow& row, const Prepared& launch) const {
    if ((launch.settings.options.checks & bit_of(row.check)) == 0) return false;
    if (is_auto_ && effort_.is_over && is_costly(row.check)) return false;
    return launch.is_counted || row.check == Check::kInit;
}

LaunchChecks::LaunchChecks(Prepared& launch, Recording& recording)
    : recording_(recording), is_auto_(launch.settings.options.checks_are_auto) {
    const SessionOptions& options = launch.settings.options;
    machine::GridRequest& grid = launch.grid;
    if (options.checks == 0) return;
    if (is_auto_) recording.check_budget.begin(effort_);
    observers::HazardContext context;
    context.memory = &launch.memory;
    context.parameters = grid.parameters;
    context.max_ordered_writes = options.max_ordered_writes;
    context.budget = &launch.memory.budget();
    context.undefined = recording.undefined_memory;
    std::copy_n(grid.shape.grid, 3, context.grid);
    std::copy_n(grid.shape.block, 3, context.block);
    context.shared_bytes = grid.program->shared_reserved + grid.shape.shared_bytes;
    context.blocks_take_turns = grid.cooperative || grid.program->may_wait;
    context.is_quiet = options.verbosity < 0 || is_auto_;
    if (launch.is_counted) {
        context.rows = shaped_rows(launch, recording);
        add_derived_rows(launch, context);
    }
    for (const observers::HazardRow& row : observers::hazard_observers()) {
        if (!wants(row, launch)) continue;
        auto made = row.make();
        if (is_auto_ && row.check == Check::kRaces) made = observers::curbed(std::move(made), effort_);
        prototypes_.push_back(std::move(made));
        prototypes_.back()->prepare(context);
        grid.observers.push_back(prototypes_.back().get());
        if (is_auto_ && is_costly(row.check)) grid.first.observers.push_back(grid.observers.back());
        has_costly_ = has_costly_ || is_costly(row.check);
    }
    if (grid.first.observers.empty()) return;
    grid.first.count = [this, &recording, blocks = launch.blocks()](std::uint64_t executed) {
        return recording.check_budget.blocks_checked(executed, blocks, effort_);
    };
}

// Notes how much of the launch was looked at. What the rest of it wrote nobody has followed, so it counts as defined.
void LaunchChecks::end_auto(const machine::GridResult& result, LaunchProfile& profile) {
    const std::uint64_t checked = has_costly_ ? result.blocks_first : 0;
    recording_.check_budget.end(result.executed, checked, result.blocks_run, effort_);
    if (checked < result.blocks_run && recording_.undefined_memory != nullptr)
        recording_.undefined_memory->define_all();
    if (checked < result.blocks_run || effort_.is_over)
        profile.blocks_checked = effort_.is_over ? std::min(checked, result.blocks_run - 1) : checked;
}

std::optional<std::string> LaunchChecks::end(const Prepared& launch, machine::GridResult& result,
                                             LaunchProfile& profile) {
    if (is_auto_ && launch.settings.options.checks != 0 && !result.fault) end_auto(result, profile);
    if (prototypes_.empty()) return std::nullopt;
    observers::HazardList list;
    std::uint64_t bytes = 0;
    const std::size_t from = result.observers.size() - prototypes_.size();
    for (std::size_t i = 0; i < prototypes_.size(); ++i) {
        auto& seen = static_cast<observers::HazardObserver&>(*result.observers[from + i]);
        seen.look_at_counts(launch.program, result.counts);
        bytes += seen.table_bytes();
        if (const std::string note = seen.note(); !note.empty())
            recording_.note_once(
                {Diagnostic{Severity::kNote, "check-limit", {}, "kernel " + profile.kernel + ": " + note, {}}});
        if (launch.is_counted && (!result.fault || prototypes_[i]->sees_all_blocks()))
            seen.report_hazards(launch.program, list);
    }
    result.observers.resize(from);
    FoundHazards found(launch);
    for (Hazard& hazard : found.list(list.all())) {
        hazard.by_auto = is_auto_;
        profile.hazards.push_back(std::move(hazard));
    }
    if (recording_.undefined_memory != nullptr) {
        found.name_values(recording_.undefined_memory->values());
        found.name_skipped(recording_.undefined_memory->skipped());
    }
    if (list.left_out() != 0)
        recording_.note_once(
            {Diagnostic{Severity::kWarning,
                        "check-groups",
                        {},
                        fmt::format("kernel {}: {} more hazards, beyond {} pairs of places, are not listed",
                                    profile.kernel, list.left_out(), observers::HazardList::kMaxGroups),
                        {}}});
    machine::MemoryBudget& budget = launch.memory.budget();
    if (!budget.take(machine::Kept::kTables, bytes))
        return budget.refusal(bytes, "what --check notes of a launch's accesses");
    budget.give(machine::Kept::kTables, bytes);
    return std::nullopt;
}

}  // namespace tilescope
