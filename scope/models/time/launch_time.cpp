#include "scope/models/time/launch_time.h"

#include <algorithm>
#include <cmath>

#include "scope/models/time/queue.h"
#include "scope/models/time/stations.h"

namespace tilescope::models {
namespace {

std::size_t index_of(TimeBound bound) { return static_cast<std::size_t>(bound); }

struct Shape {
    double blocks = 0, warps_per_block = 0, at_once = 0, sms = 0, schedulers = 0;
    double in_step = 1;
};

Shape shape_of(const Device& device, const LaunchProfile& launch) {
    Shape shape;
    shape.blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    const double threads = static_cast<double>(launch.block[0]) * launch.block[1] * launch.block[2];
    shape.warps_per_block = std::ceil(threads / device.warp_size);
    shape.at_once = launch.blocks_per_sm;
    shape.sms = std::min<double>(device.sm_count, shape.blocks);
    shape.schedulers = std::max(1u, device.sub_partitions);
    return shape;
}

// How much warps are in step: all wait at the same time, and all want the stations at the same time. Those of one wave
// begin in step and part with every turn, those of barriers are brought together again, waves of few blocks stay.
double in_step(const LaunchProfile& launch, const Shape& shape) {
    constexpr double kLeast = 0.3;
    const double turns = turns_of(launch);
    const double waves = std::max(1.0, shape.blocks / shape.sms / shape.at_once);
    const double begin = (1 / shape.at_once + (1 - 1 / shape.at_once) / waves) / turns;
    return std::max({kLeast, begin, std::min(1.0, barriers_of(launch) / turns)});
}

// So many blocks on the busiest SM, side by side.
Residence side_by_side(const Demands& demands, const Shape& shape, double blocks) {
    Sharers sharers;
    sharers.sm = blocks * shape.warps_per_block;
    sharers.scheduler = std::max(1.0, sharers.sm / shape.schedulers);
    sharers.device = std::min(sharers.sm * shape.sms, shape.blocks * shape.warps_per_block);
    // In step: the waiting covers nothing, it comes on top of what the stations take. Else others work meanwhile.
    Demands working = demands;
    working.waiting = 0;
    const Residence apart = residence(demands, sharers), together = residence(working, sharers);
    Residence result;
    for (std::size_t i = 0; i < kTimeBounds; ++i)
        result.parts[i] = shape.in_step * together.parts[i] + (1 - shape.in_step) * apart.parts[i];
    result.parts[index_of(TimeBound::kLatency)] = demands.waiting;
    for (const double part : result.parts) result.cycles += part;
    return result;
}

// Cycles by what they are spent on: as many waves as the busiest SM takes, the last of them with what is left. What the
// others wait for it is imbalance, and so is what the busiest warp takes beyond all that.
TimeParts parts_of(const Demands& demands, const Shape& shape, double busiest_warp, double before) {
    TimeParts parts{};
    const double on_busiest = std::ceil(shape.blocks / shape.sms);
    const double full = std::floor(on_busiest / shape.at_once), rest = on_busiest - full * shape.at_once;
    double cycles = 0;
    const auto add = [&](double waves, const Residence& wave) {
        cycles += waves * wave.cycles;
        for (std::size_t i = 0; i < kTimeBounds; ++i) parts[i] += waves * wave.parts[i];
    };
    if (full > 0) add(full, side_by_side(demands, shape, shape.at_once));
    if (rest > 0) add(1, side_by_side(demands, shape, rest));
    const double idle = cycles > 0 ? cycles * (1 - shape.blocks / shape.sms / on_busiest) : 0;
    if (cycles > 0)
        for (double& part : parts) part *= 1 - idle / cycles;
    // The busiest warp needs its time even when all others have gone.
    double alone = demands.waiting;
    for (const Station& station : demands.stations) alone += station.cycles;
    parts[index_of(TimeBound::kImbalance)] = idle + std::max(0.0, busiest_warp * alone - cycles);
    parts[index_of(TimeBound::kLaunch)] += before;
    return parts;
}

double sum_of(const TimeParts& parts) {
    double sum = 0;
    for (const double part : parts) sum += part;
    return sum;
}

// Imbalance is a matter of the grid's shape, and has a row of advice of its own; it bounds nothing by itself.
TimeBound largest(const TimeParts& parts) {
    return static_cast<TimeBound>(std::max_element(parts.begin(), parts.end() - 1) - parts.begin());
}

// What would be left if nothing were spent on a bound.
Demands without(Demands demands, TimeBound bound) {
    std::erase_if(demands.stations, [&](const Station& station) { return station.bound == bound; });
    if (bound == TimeBound::kLatency) demands.waiting = 0;
    return demands;
}

TimeBreakdown breakdown_of(const TimeParts& parts, double cycles_per_microsecond) {
    const auto of = [&](TimeBound bound) { return parts[index_of(bound)] / cycles_per_microsecond; };
    TimeBreakdown breakdown;
    breakdown.launch = of(TimeBound::kLaunch);
    breakdown.issue = of(TimeBound::kIssue);
    breakdown.fp32 = of(TimeBound::kFp32);
    breakdown.integer = of(TimeBound::kInteger);
    breakdown.fp64 = of(TimeBound::kFp64);
    breakdown.special = of(TimeBound::kSpecial);
    breakdown.l1 = of(TimeBound::kL1);
    breakdown.constant = of(TimeBound::kConstant);
    breakdown.writes = of(TimeBound::kWrites);
    breakdown.l2 = of(TimeBound::kL2);
    breakdown.dram = of(TimeBound::kDram);
    breakdown.atomics = of(TimeBound::kAtomics);
    breakdown.latency = of(TimeBound::kLatency);
    breakdown.imbalance = of(TimeBound::kImbalance);
    return breakdown;
}

}  // namespace

std::optional<TimeProfile> launch_time(const Device& device, const LaunchProfile& launch) {
    if (!launch.counters.modelled || !launch.work || launch.blocks_per_sm == 0 || launch.folded != 1) return {};
    if (!missing_for_time(device).empty()) return {};
    Shape shape = shape_of(device, launch);
    if (shape.blocks < 1 || shape.warps_per_block < 1) return {};
    shape.in_step = in_step(launch, shape);
    const Demands demands = demands_of(device, launch);
    const double before = launch_cycles(device);
    const TimeParts parts = parts_of(demands, shape, launch.work->busiest_warp, before);
    const double per_microsecond = device.clock_khz / 1e3;
    TimeProfile time;
    time.microseconds = sum_of(parts) / per_microsecond;
    time.clock_ghz = device.clock_khz / 1e6;
    time.bound = largest(parts);
    time.breakdown = breakdown_of(parts, per_microsecond);
    const TimeParts next = parts_of(without(demands, time.bound), shape, launch.work->busiest_warp,
                                    time.bound == TimeBound::kLaunch ? 0 : before);
    time.next_bound = largest(next);
    time.next_microseconds = sum_of(next) / per_microsecond;
    return time;
}

}  // namespace tilescope::models
