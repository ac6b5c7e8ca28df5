#include "scope/session/launch_checks.h"

#include <algorithm>

#include <fmt/format.h>

#include "scope/observers/hazards/undefined_memory.h"
#include "scope/session/hazard_words.h"
#include "scope/session/shaped_rows.h"

namespace tilescope {

LaunchChecks::LaunchChecks(Session::Impl& state, const Kernel& kernel, machine::GridRequest& grid, bool is_observed)
    : state_(state), is_observed_(is_observed) {
    if (state.options.checks == 0) return;
    observers::HazardContext context;
    context.memory = &state.memory;
    context.parameters = grid.parameters;
    context.max_ordered_writes = state.options.max_ordered_writes;
    context.budget = &state.memory.budget();
    context.undefined = state.undefined_memory;
    std::copy_n(grid.shape.grid, 3, context.grid);
    std::copy_n(grid.shape.block, 3, context.block);
    context.shared_bytes = grid.shape.shared_bytes;
    context.blocks_take_turns = grid.cooperative || grid.program->may_wait;
    if (is_observed) context.rows = shaped_rows(state, kernel, *grid.program, grid.parameters);
    for (const observers::HazardRow& row : observers::hazard_observers()) {
        if ((state.options.checks & bit_of(row.check)) == 0) continue;
        if (!is_observed && row.check != Check::kInit) continue;
        prototypes_.push_back(row.make());
        prototypes_.back()->prepare(context);
        grid.observers.push_back(prototypes_.back().get());
    }
}

std::optional<std::string> LaunchChecks::end(Kernel& kernel, const machine::Program& program,
                                             const machine::GridRequest& grid, machine::GridResult& result,
                                             LaunchProfile& launch) {
    if (prototypes_.empty()) return std::nullopt;
    observers::HazardList list;
    std::uint64_t bytes = 0;
    const std::size_t from = result.observers.size() - prototypes_.size();
    for (std::size_t i = 0; i < prototypes_.size(); ++i) {
        const auto& seen = static_cast<const observers::HazardObserver&>(*result.observers[from + i]);
        bytes += seen.table_bytes();
        if (const std::string note = seen.note(); !note.empty())
            state_.note_once(
                {Diagnostic{Severity::kNote, "check-limit", {}, "kernel " + launch.kernel + ": " + note, {}}});
        if (is_observed_ && (!result.fault || prototypes_[i]->sees_all_blocks())) seen.conclude(program, list);
    }
    result.observers.resize(from);
    HazardWords words(state_, kernel, program, grid, launch.kernel);
    for (Hazard& hazard : words.in_words(list.all())) launch.hazards.push_back(std::move(hazard));
    if (state_.undefined_memory != nullptr) words.name_values(state_.undefined_memory->values());
    if (list.left_out() != 0)
        state_.note_once(
            {Diagnostic{Severity::kWarning,
                        "check-groups",
                        {},
                        fmt::format("kernel {}: {} more hazards, beyond {} pairs of places, are not listed",
                                    launch.kernel, list.left_out(), observers::HazardList::kMaxGroups),
                        {}}});
    machine::MemoryBudget& budget = state_.memory.budget();
    if (!budget.take(machine::Kept::kTables, bytes))
        return budget.refusal(bytes, "what --check notes of a launch's accesses");
    budget.give(machine::Kept::kTables, bytes);
    return std::nullopt;
}

}  // namespace tilescope
