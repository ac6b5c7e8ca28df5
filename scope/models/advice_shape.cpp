// Rules about the launch's shape and its lanes: occupancy, divergence, partial warps, tiny grids.
#include <algorithm>
#include <cmath>
#include <optional>

#include "scope/models/advice_rules.h"
#include "scope/models/occupancy_steps.h"

namespace tilescope::models {
namespace {

using C = Counter;

// At more than half of the warps an SM holds, other things decide; many of the best kernels run at less, on loads that
// one thread has under way at once, which counts do not show.
constexpr double kLowOccupancy = 0.5;
// A quarter of the lanes idle: the last steps of a reduction and the edges of a grid stay below.
constexpr double kManyLanes = 0.75;
// Beyond a quarter of the SMs, larger blocks' reuse may well be worth the idle SMs: products in large tiles do that.
constexpr double kTinyGrid = 0.25;

// A change that lets more warps in.
struct Cure {
    AdviceVariant what = AdviceVariant::kNone;
    std::int64_t change = 0;
    std::uint64_t of = 0;  // what there is now
    std::uint32_t warps = 0;

    // The share of what there is that changes.
    double effort() const { return std::abs(static_cast<double>(change)) / as_double(std::max<std::uint64_t>(1, of)); }
};

// Nothing for changes that are no advice here: another block size for a kernel whose shared memory goes with its block
// size.
std::optional<Cure> cure_of(const OccupancyChange& change, const KernelResources& now) {
    if (change.resource == SmResource::kRegisters)
        return Cure{AdviceVariant::kFewerRegisters, change.change, now.registers_per_thread};
    if (change.resource == SmResource::kShared)
        return Cure{AdviceVariant::kFewerSharedBytes, change.change, now.shared_bytes()};
    if (change.resource == SmResource::kThreads && now.shared_bytes() == 0)
        return Cure{AdviceVariant::kOtherBlockSize, change.change, now.threads_per_block};
    return std::nullopt;
}

// The next step up that changes least, among those of one change.
std::optional<Cure> cheapest_cure(const Case& about, const KernelResources& resources) {
    std::optional<Cure> best;
    for (const OccupancyStep& step : next_steps(about.device, resources)) {
        if (step.changes.size() != 1) continue;
        std::optional<Cure> cure = cure_of(step.changes.front(), resources);
        if (!cure || (best && best->effort() <= cure->effort())) continue;
        cure->warps = static_cast<std::uint32_t>(std::lround(step.fraction * about.device.max_warps_per_sm()));
        best = cure;
    }
    return best;
}

}  // namespace

KernelResources resources_of(const Case& about) {
    KernelResources resources;
    resources.threads_per_block = about.threads;
    resources.registers_per_thread = about.launch.registers_per_thread;
    resources.static_shared_bytes = about.launch.static_shared_bytes;
    resources.dynamic_shared_bytes = about.launch.dynamic_shared_bytes;
    if (about.launch.occupancy_profile) {
        resources.barriers = about.launch.occupancy_profile->barriers;
        resources.carveout_percent = about.launch.occupancy_profile->carveout_percent;
    }
    return resources;
}

// Little's law: the bytes under way on an SM, at one request of each resident warp, against those that it takes to keep
// its share of the DRAM bandwidth flowing for the time that a load takes.
std::vector<Finding> find_low_occupancy(const Case& about) {
    const Device& device = about.device;
    const Occupancy now = occupancy(device, resources_of(about));
    const std::uint64_t requests = about[C::kGlobalLoadRequests] + about[C::kGlobalStoreRequests];
    if (now.blocks_per_sm == 0 || now.fraction > kLowOccupancy || requests == 0 || device.clock_khz == 0) return {};
    // Nobody waits for a place on an SM: more places stay empty.
    if (about.blocks <= std::uint64_t{now.blocks_per_sm} * device.sm_count) return {};
    // Where arithmetic or shared memory bounds the launch, a thread's own independent work fills the gaps.
    Work memory;
    memory.memory_bytes = about.work.memory_bytes;
    if (seconds(memory, device) < about.seconds) return {};
    const double latency = as_double(device.latency.dram) / (1e3 * device.clock_khz);
    const double needed = device.dram_bandwidth / device.sm_count * latency;
    const double request = about.work.memory_bytes / as_double(requests);
    const double under_way = now.warps_per_sm * request;
    if (under_way <= 0 || under_way >= needed) return {};
    const std::optional<Cure> cure = cheapest_cure(about, resources_of(about));
    if (!cure) return {};
    Finding finding;
    finding.after = about.work;
    finding.speedup = std::min(needed / under_way, as_double(cure->warps) / now.warps_per_sm);
    finding.facts.variant = cure->what;
    finding.facts.limiters = now.limiters;
    finding.facts.figures = {{AdviceFigure::kWarps, now.warps_per_sm},
                             {AdviceFigure::kMaxWarps, device.max_warps_per_sm()},
                             {AdviceFigure::kWarpsThen, cure->warps},
                             {AdviceFigure::kChange, static_cast<double>(cure->change)},
                             {AdviceFigure::kChangeOf, as_double(cure->of)}};
    return {finding};
}

std::vector<Finding> find_partial_warps(const Case& about) {
    const std::uint64_t warp = about.device.warp_size;
    const std::uint64_t lanes = (about.threads + warp - 1) / warp * warp;
    if (lanes == about.threads) return {};
    Finding finding;
    finding.after = about.work;
    finding.after.instructions *= as_double(about.threads) / as_double(lanes);
    // Requests of few lanes end in sectors that are not full.
    const double rounding =
        kSectorBytes * (as_double(about[C::kGlobalLoadIdealSectors]) + as_double(about[C::kGlobalStoreIdealSectors])) -
        as_double(about[C::kGlobalLoadBytesRequested]) - as_double(about[C::kGlobalStoreBytesRequested]);
    finding.saves_bytes = std::max(0.0, rounding);
    finding.after.memory_bytes -= finding.saves_bytes;
    finding.facts.figures = {{AdviceFigure::kThreads, as_double(about.threads)},
                             {AdviceFigure::kLanes, as_double(lanes)},
                             {AdviceFigure::kWarpSize, as_double(warp)}};
    return {finding};
}

std::vector<Finding> find_divergence(const Case& about) {
    const double issued = as_double(about.device.warp_size) * as_double(about[C::kInstructions]);
    const double active = as_double(about[C::kThreadInstructions]);
    const LineProfile* place = line_of_most(about, C::kDivergentBranches);
    if (place == nullptr || active > kManyLanes * issued) return {};
    const std::uint64_t warp = about.device.warp_size;
    const double filled = as_double(about.threads) / as_double((about.threads + warp - 1) / warp * warp);
    Finding finding{place->file, place->line, 0, about.work};
    // The lanes that the block's shape leaves empty are another rule's.
    finding.after.instructions *= std::min(1.0, active / (issued * filled));
    finding.facts.figures = {{AdviceFigure::kActiveShare, active / issued},
                             {AdviceFigure::kBranches, as_double(about[C::kDivergentBranches])}};
    return {finding};
}

std::vector<Finding> find_tiny_grid(const Case& about) {
    const std::uint64_t sms = about.device.sm_count;
    if (sms == 0 || as_double(about.blocks) >= kTinyGrid * as_double(sms)) return {};
    const double now = seconds(about.work, about.device, about.blocks);
    if (now < kLaunchSeconds) return {};
    Finding finding;
    finding.after = about.work;
    finding.speedup = std::min(as_double(sms) / as_double(about.blocks), now / about.seconds);
    finding.facts.figures = {{AdviceFigure::kBlocks, as_double(about.blocks)}, {AdviceFigure::kSms, as_double(sms)}};
    return {finding};
}

}  // namespace tilescope::models
