#include "scope/session/launch/checks.h"

#include <algorithm>

#include <fmt/format.h>

#include "scope/observers/hazards/undefined_memory.h"
#include "scope/session/launch/found_hazards.h"
#include "scope/session/launch/shaped_rows.h"

namespace tilescope {

LaunchChecks::LaunchChecks(Prepared& launch, Recording& recording) : recording_(recording) {
    const SessionOptions& options = launch.settings.options;
    machine::GridRequest& grid = launch.grid;
    if (options.checks == 0) return;
    observers::HazardContext context;
    context.memory = &launch.memory;
    context.parameters = grid.parameters;
    context.max_ordered_writes = options.max_ordered_writes;
    context.budget = &launch.memory.budget();
    context.undefined = recording.undefined_memory;
    std::copy_n(grid.shape.grid, 3, context.grid);
    std::copy_n(grid.shape.block, 3, context.block);
    context.shared_bytes = grid.shape.shared_bytes;
    context.blocks_take_turns = grid.cooperative || grid.program->may_wait;
    context.is_quiet = options.verbosity < 0;
    if (launch.is_counted) {
        context.rows = shaped_rows(launch, recording);
        add_derived_rows(launch, context);
    }
    for (const observers::HazardRow& row : observers::hazard_observers()) {
        if ((options.checks & bit_of(row.check)) == 0) continue;
        if (!launch.is_counted && row.check != Check::kInit) continue;
        prototypes_.push_back(row.make());
        prototypes_.back()->prepare(context);
        grid.observers.push_back(prototypes_.back().get());
    }
}

std::optional<std::string> LaunchChecks::end(const Prepared& launch, machine::GridResult& result,
                                             LaunchProfile& profile) {
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
    for (Hazard& hazard : found.list(list.all())) profile.hazards.push_back(std::move(hazard));
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
