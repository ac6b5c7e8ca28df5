#include "scope/session/launch_caches.h"

#include <algorithm>
#include <utility>

#include "scope/image/machine_code.h"
#include "scope/machine/program.h"
#include "scope/observers/caches/addresses.h"
#include "scope/observers/caches/second_level.h"
#include "scope/session/cache_figures.h"

namespace tilescope {

namespace {

// Machine instructions for each of the program's, on average: a remainder takes twenty, a wide address one of several.
double machine_instructions(const machine::Program& program, const image::MachineCode& code) {
    constexpr double kLeast = 0.5, kMost = 8;
    return std::clamp(code.instructions / std::max(1.0, static_cast<double>(program.ops.size())), kLeast, kMost);
}

}  // namespace

void add_caches(Session::Impl& state, const machine::GridRequest& grid, const image::MachineCode* code,
                observers::LaunchContext& context) {
    if (!state.options.caches || grid.sample < 1) return;
    auto figures = cache_figures(state.device, grid.shape, grid.blocks_per_sm);
    if (!figures) return;
    if (state.options.memory_limit != 0)
        figures->max_traffic_bytes = std::min(figures->max_traffic_bytes, state.options.memory_limit / 2);
    if (code != nullptr && code->complete) figures->machine_instructions = machine_instructions(*grid.program, *code);
    if (!state.second_level)
        state.second_level = std::make_shared<observers::SecondLevel>(*figures);
    else if (state.options.warm)
        state.second_level->settle();
    else
        state.second_level->clear();
    context.caches = std::make_shared<const observers::CacheFigures>(*std::move(figures));
    context.second_level = state.second_level;
    if (!state.cache_addresses) state.cache_addresses = std::make_shared<observers::CacheAddresses>();
    state.cache_addresses->update(state.memory);
    context.cache_addresses = state.cache_addresses;
}

void note_missing_caches(Session::Impl& state, const KernelInfo& info, const machine::GridRequest& grid) {
    // What follows from the choice of the user is no alarm.
    Severity severity = Severity::kNote;
    std::string why;
    if (grid.sample < 1) {
        why = "only a sample of its blocks ran";
    } else if (!cache_figures(state.device, grid.shape, grid.blocks_per_sm)) {
        why = "the description of " + state.device.name + " does not say how large they are, or more than is modelled";
    } else {
        severity = Severity::kWarning;
        why = "it asks more of memory at once than can be kept here";
    }
    state.note_once(
        {Diagnostic{severity, "caches-not-modelled", {}, info.name + ": caches were not modelled: " + why, {}}});
}

}  // namespace tilescope
