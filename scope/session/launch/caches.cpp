#include "scope/session/launch/caches.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scope/machine/program.h"
#include "scope/models/occupancy.h"
#include "scope/models/time/stations.h"
#include "scope/observers/hierarchy/known_launches.h"
#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/record/addresses.h"
#include "scope/session/launch/cache_figures.h"
#include "scope/session/launch/spill_plan.h"

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
        work.add(block.on_pipes());
        const double turns = work[Wait::kGlobal] + work[Wait::kLocal] + work[Wait::kAtomic];
        paces.push_back(pace_of(device, work, turns));
    }
    return paces;
}

// A load, the arithmetic, a compare-and-swap, a comparison and a branch (ptxas 13.0, sm_90), each of which needs the
// one before.
machine::WarpClock swap_try_of(const models::Device& device) {
    WarpWork work;
    work.instructions = 5;
    work[Pipe::kMemory] = 2;
    machine::WarpClock pace = pace_of(device, work, 0);
    pace.chain = static_cast<std::uint64_t>(device.pace.shared_swap * machine::kClockTicks);
    return pace;
}

std::optional<std::uint64_t> preferred_of(const Prepared& launch) {
    return launch.request.carveout_percent ? std::optional(launch.occupancy.carveout_bytes) : std::nullopt;
}

std::optional<observers::HierarchyRules> rules_of(const Prepared& launch) {
    return cache_figures(launch.settings.device, launch.grid.shape, launch.grid.blocks_per_sm, preferred_of(launch));
}

CacheTerms::Key key_of(const Prepared& launch) {
    const machine::LaunchShape& shape = launch.grid.shape;
    return {.program = launch.grid.program,
            .block = launch.request.block,
            .shared_bytes = shape.shared_bytes,
            .local_bytes = shape.local_bytes,
            .blocks_per_sm = launch.grid.blocks_per_sm,
            .preferred = preferred_of(launch),
            .persisting = launch.request.persisting_bytes};
}

// What the caches are to a launch of such a shape; no rules where they cannot be modelled.
CacheTerms terms_of(const Prepared& launch) {
    const SessionOptions& options = launch.settings.options;
    const models::Device& device = launch.settings.device;
    const machine::Program& program = *launch.grid.program;
    CacheTerms terms{key_of(launch), {}, {}};
    auto rules = rules_of(launch);
    if (!rules) return terms;
    if (options.caches_in_full) rules->sampling = observers::SamplingRules::never();
    if (options.memory_limit != 0)
        rules->max_traffic_bytes = std::min(rules->max_traffic_bytes, options.memory_limit / 2);
    const Dim3& block = launch.request.block;
    if (launch.kernel.facts && launch.kernel.facts->machine_code)
        terms.spills =
            spill_plan(*launch.kernel.facts->machine_code, program, block[0] * block[1] * block[2], rules->local_bytes);
    if (terms.spills) rules->local_bytes = terms.spills->local_bytes;
    if (launch.request.persisting_bytes)
        rules->l2.last_ways = last_ways(device, *rules, *launch.request.persisting_bytes);
    rules->paces = paces_of(device, program);
    rules->swaps = {swap_try_of(device),
                    static_cast<std::uint64_t>(device.pace.shared_swap_next * machine::kClockTicks)};
    terms.rules = std::make_shared<const observers::HierarchyRules>(*std::move(rules));
    return terms;
}

// The same with the lines for which this launch asks for a priority.
std::shared_ptr<const observers::HierarchyRules> with_windows(std::shared_ptr<const observers::HierarchyRules> rules,
                                                              std::vector<observers::AccessWindow> windows) {
    if (windows.empty()) return rules;
    auto own = std::make_shared<observers::HierarchyRules>(*rules);
    own->l2.windows = std::move(windows);
    return own;
}

// What textures fetch, and surfaces, would be missing from L2, DRAM and time.
bool lacks_textures(const observers::HierarchyRules& rules, const machine::GridRequest& grid) {
    return grid.program->touches_texels && rules.textures.latency == 0;
}

}  // namespace

void add_caches(Prepared& launch, DeviceMemory& device_memory, observers::LaunchContext& context) {
    const SessionOptions& options = launch.settings.options;
    machine::GridRequest& grid = launch.grid;
    if (!options.caches || grid.sample < 1) return;
    std::shared_ptr<const CacheTerms>& terms = launch.kernel.cache_terms;
    if (!terms || terms->key != key_of(launch)) terms = std::make_shared<const CacheTerms>(terms_of(launch));
    const auto& rules = terms->rules;
    if (!rules || lacks_textures(*rules, grid)) return;
    context.spills = terms->spills;
    grid.paces = rules->paces;
    auto& second_level = device_memory.second_level;
    if (!second_level)
        second_level = std::make_shared<observers::SecondLevel>(*rules);
    else if (options.warm)
        second_level->settle();
    else
        second_level->clear();
    second_level->keep_last(rules->l2.last_ways);
    auto& addresses = device_memory.cache_addresses;
    if (!addresses) addresses = std::make_shared<observers::CacheAddresses>();
    addresses->update(launch.memory);
    context.caches = with_windows(rules, windows_of(launch.request.window, *addresses));
    context.second_level = second_level;
    context.cache_addresses = addresses;
    context.keeps_caches = options.warm;
    context.cache_state = options.warm ? second_level->state() : std::optional<std::uint64_t>(0);
    if (!options.recalls_launches) return;
    if (!device_memory.known_launches) device_memory.known_launches = std::make_shared<observers::KnownLaunches>();
    context.known_launches = device_memory.known_launches;
}

Diagnostic missing_caches(const Prepared& launch) {
    // What follows from the choice of the user is no alarm.
    Severity severity = Severity::kNote;
    std::string why;
    if (launch.grid.sample < 1) {
        why = "only a sample of its blocks ran";
    } else if (const auto rules = rules_of(launch); !rules) {
        why = "the description of " + launch.settings.device.name +
              " does not say how large and how fast they are, or more than is modeled";
    } else if (lacks_textures(*rules, launch.grid)) {
        why = "the description of " + launch.settings.device.name + " does not say how fast its textures are";
    } else {
        severity = Severity::kWarning;
        why = "it asks more of memory at once than can be kept here";
    }
    return {severity, "caches-not-modelled", {}, launch.name() + ": caches were not modeled: " + why, {}};
}

std::optional<Diagnostic> missing_spills(const Prepared& launch, const LaunchProfile& profile) {
    if (profile.spill_store_bytes + profile.spill_load_bytes == 0) return std::nullopt;
    const auto& spills = profile.spill_traffic;
    if (spills && spills->in_caches == SpillsInCaches::kExact) return std::nullopt;
    const bool is_estimate = spills && spills->in_caches == SpillsInCaches::kEstimate;
    const std::string what = is_estimate ? "spilled registers are in the figures of the caches by an estimate"
                                         : "spilled registers are not in the figures of the caches";
    return Diagnostic{Severity::kNote, "caches-without-spills", {}, launch.name() + ": " + what, {}};
}

}  // namespace tilescope
