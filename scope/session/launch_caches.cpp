#include "scope/session/launch_caches.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scope/machine/program.h"
#include "scope/models/occupancy.h"
#include "scope/models/time/stations.h"
#include "scope/observers/caches/addresses.h"
#include "scope/observers/caches/second_level.h"
#include "scope/session/cache_figures.h"
#include "scope/session/launch_limits.h"
#include "scope/session/spill_plan.h"

namespace tilescope {

namespace {

// What work that waits for nothing beyond L1 asks of a scheduler, and how long it takes by itself.
machine::WarpClock pace_of(const models::Device& device, const WarpWork& work, double turns) {
    const auto ticks = [](double cycles) {
        return static_cast<std::uint64_t>(std::llround(std::max(0.0, cycles) * machine::kClockTicks));
    };
    return {ticks(models::scheduler_slots(device, work)), ticks(models::chain_cycles(device, work)),
            std::llround(turns * machine::kClockTicks)};
}

// By basic block.
std::vector<machine::WarpClock> paces_of(const models::Device& device, const machine::Program& program) {
    std::vector<machine::WarpClock> paces;
    if (program.work.size() != program.blocks.size()) return paces;  // nobody keeps time
    paces.reserve(program.work.size());
    for (const machine::BlockWork& block : program.work) {
        WarpWork work;
        work.instructions = block.instructions;
        work.fp32 = block.multiply_adds();
        work.integer = block.integers();
        work.fp64 = block.fp64;
        work.special = block.special;
        work.memory = block.memory;
        work.shared_waits = block.shared_waits;
        work.constant_waits = block.constant_waits;
        work.steps = block.steps;
        paces.push_back(pace_of(device, work, block.global_waits + block.local_waits + block.atomic_waits));
    }
    return paces;
}

// A load, the arithmetic, a compare-and-swap, a comparison and a branch (ptxas 13.0, sm_90), each of which needs the
// one before.
machine::WarpClock swap_try_of(const models::Device& device) {
    WarpWork work;
    work.instructions = 5;
    work.memory = 2;
    machine::WarpClock pace = pace_of(device, work, 0);
    pace.chain = static_cast<std::uint64_t>(device.pace.shared_swap * machine::kClockTicks);
    return pace;
}

std::optional<observers::CacheFigures> figures_of(const Session::Impl& state, const KernelInfo& info,
                                                  const LaunchRequest& request, const machine::GridRequest& grid) {
    std::optional<std::uint64_t> preferred;
    if (request.carveout_percent)
        preferred = models::occupancy(state.device, resources_of(state.device, info, request)).carveout_bytes;
    return cache_figures(state.device, grid.shape, grid.blocks_per_sm, preferred);
}

}  // namespace

void add_caches(Session::Impl& state, const Kernel& kernel, const LaunchRequest& request, machine::GridRequest& grid,
                observers::LaunchContext& context) {
    if (!state.options.caches || grid.sample < 1) return;
    auto figures = figures_of(state, kernel.info, request, grid);
    if (!figures) return;
    if (state.options.memory_limit != 0)
        figures->max_traffic_bytes = std::min(figures->max_traffic_bytes, state.options.memory_limit / 2);
    if (kernel.facts && kernel.facts->machine_code)
        context.spills = spill_plan(*kernel.facts->machine_code, *grid.program,
                                    request.block[0] * request.block[1] * request.block[2], figures->local_bytes);
    if (context.spills) figures->local_bytes = context.spills->local_bytes;
    if (request.persisting_bytes) figures->last_ways = last_ways(state.device, *figures, *request.persisting_bytes);
    grid.paces = figures->paces = paces_of(state.device, *grid.program);
    figures->swap_try = swap_try_of(state.device);
    if (!state.second_level)
        state.second_level = std::make_shared<observers::SecondLevel>(*figures);
    else if (state.options.warm)
        state.second_level->settle();
    else
        state.second_level->clear();
    state.second_level->keep_last(figures->last_ways);
    if (!state.cache_addresses) state.cache_addresses = std::make_shared<observers::CacheAddresses>();
    state.cache_addresses->update(state.memory);
    figures->windows = windows_of(request.window, *state.cache_addresses);
    context.caches = std::make_shared<const observers::CacheFigures>(*std::move(figures));
    context.second_level = state.second_level;
    context.cache_addresses = state.cache_addresses;
}

void note_missing_caches(Session::Impl& state, const KernelInfo& info, const LaunchRequest& request,
                         const machine::GridRequest& grid) {
    // What follows from the choice of the user is no alarm.
    Severity severity = Severity::kNote;
    std::string why;
    if (grid.sample < 1) {
        why = "only a sample of its blocks ran";
    } else if (!figures_of(state, info, request, grid)) {
        why = "the description of " + state.device.name + " does not say how large they are, or more than is modelled";
    } else {
        severity = Severity::kWarning;
        why = "it asks more of memory at once than can be kept here";
    }
    state.note_once(
        {Diagnostic{severity, "caches-not-modelled", {}, info.name + ": caches were not modelled: " + why, {}}});
}

void note_missing_spills(Session::Impl& state, const Kernel& kernel, const LaunchProfile& launch) {
    if (launch.spill_store_bytes + launch.spill_load_bytes == 0) return;
    const auto& spills = launch.spill_traffic;
    if (spills && spills->in_caches == SpillsInCaches::kExact) return;
    const bool is_estimate = spills && spills->in_caches == SpillsInCaches::kEstimate;
    const std::string what = is_estimate ? "spilled registers are in the figures of the caches by an estimate"
                                         : "spilled registers are not in the figures of the caches";
    state.note_once({Diagnostic{Severity::kNote, "caches-without-spills", {}, kernel.info.name + ": " + what, {}}});
}

}  // namespace tilescope
