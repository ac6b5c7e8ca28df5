#include "scope/report/metrics.h"

#include <cmath>
#include <limits>

namespace tilescope::report {
namespace {

double threads_per_block(const LaunchProfile& launch) {
    return static_cast<double>(launch.block[0]) * launch.block[1] * launch.block[2];
}

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double of_peak(const LaunchProfile& launch, TimeBound bound) {
    if (!launch.time || !launch.time->of_peak) return kUnknown;
    return launch.time->of_peak->shares[static_cast<std::size_t>(bound)];
}

double limit(const LaunchProfile& launch, std::optional<std::uint32_t> OccupancyLimits::*of) {
    if (!launch.occupancy_profile) return kUnknown;
    const std::optional<std::uint32_t>& blocks = launch.occupancy_profile->by.*of;
    return blocks ? *blocks : kUnknown;
}

constexpr Fact kFacts[] = {
    {"registers_per_thread", "registers", "registers of a thread",
     [](const LaunchProfile& launch) -> double { return launch.registers_per_thread; }, false, true},
    {"static_shared_bytes", "bytes", "shared memory of a block, declared",
     [](const LaunchProfile& launch) { return static_cast<double>(launch.static_shared_bytes); }},
    {"dynamic_shared_bytes", "bytes", "shared memory of a block, requested at launch",
     [](const LaunchProfile& launch) { return static_cast<double>(launch.dynamic_shared_bytes); }},
    {"local_bytes_per_thread", "bytes", "local memory of a thread",
     [](const LaunchProfile& launch) { return static_cast<double>(launch.local_bytes_per_thread); }},
    {"spill_store_bytes", "bytes", "spilled by a thread, where a cubin or ptxas told",
     [](const LaunchProfile& launch) -> double { return launch.spill_store_bytes; }},
    {"spill_load_bytes", "bytes", "read back by a thread from spills",
     [](const LaunchProfile& launch) -> double { return launch.spill_load_bytes; }},
    {"threads_per_block", "threads", "threads of a block", threads_per_block},
    {"blocks_per_sm", "blocks", "blocks that fit on one SM of the device",
     [](const LaunchProfile& launch) -> double { return launch.blocks_per_sm; }, false, true},
    {"warps_per_sm", "warps", "warps that fit on one SM of the device",
     [](const LaunchProfile& launch) -> double { return launch.warps_per_sm; }, false, true},
    {"occupancy", "", "of the warps that one SM could hold",
     [](const LaunchProfile& launch) { return launch.occupancy; }, false, true},
    {"occupancy_limit_warps", "blocks", "blocks that fit on one SM by their warps",
     [](const LaunchProfile& launch) { return limit(launch, &OccupancyLimits::threads); }},
    {"occupancy_limit_blocks", "blocks", "blocks that one SM can keep track of",
     [](const LaunchProfile& launch) { return limit(launch, &OccupancyLimits::blocks); }},
    {"occupancy_limit_registers", "blocks", "blocks that fit on one SM by their registers",
     [](const LaunchProfile& launch) { return limit(launch, &OccupancyLimits::registers); }, false, true},
    {"occupancy_limit_shared", "blocks", "blocks that fit on one SM by their shared memory",
     [](const LaunchProfile& launch) { return limit(launch, &OccupancyLimits::shared); }},
    {"microseconds", "us", "that a launch takes on the device: modeled",
     [](const LaunchProfile& launch) { return launch.time ? launch.time->microseconds : kUnknown; }, true},
    {"achieved_occupancy", "", "of the warps that an SM could hold, those that it had while it was busy: modeled",
     [](const LaunchProfile& launch) { return launch.achieved_occupancy.value_or(kUnknown); }, true},
    {"dram_of_peak", "", "of DRAM's peak bandwidth: modeled",
     [](const LaunchProfile& launch) { return of_peak(launch, TimeBound::kDram); }, true},
    {"l2_of_peak", "", "of L2's peak bandwidth: modeled",
     [](const LaunchProfile& launch) { return of_peak(launch, TimeBound::kL2); }, true},
    {"l1_of_peak", "", "of the wavefronts that L1 and shared memory could make: modeled",
     [](const LaunchProfile& launch) { return of_peak(launch, TimeBound::kL1); }, true},
    {"issue_of_peak", "", "of the instructions that schedulers could issue: modeled",
     [](const LaunchProfile& launch) { return of_peak(launch, TimeBound::kIssue); }, true},
    {"dram_gb_per_second", "GB/s", "that DRAM reads and writes: modeled",
     [](const LaunchProfile& launch) {
         return launch.time && launch.time->of_peak ? launch.time->dram_gb_per_second : kUnknown;
     },
     true},
    {"l2_gb_per_second", "GB/s", "that SMs read of L2 and write to it: modeled",
     [](const LaunchProfile& launch) {
         return launch.time && launch.time->of_peak ? launch.time->l2_gb_per_second : kUnknown;
     },
     true},
    {"effective_gb_per_second", "GB/s", "that threads request from global memory: modeled",
     [](const LaunchProfile& launch) {
         return launch.time && launch.time->effective_gb_per_second > 0 ? launch.time->effective_gb_per_second
                                                                        : kUnknown;
     },
     true},
};

}  // namespace

std::span<const Fact> facts() { return kFacts; }

std::optional<double> Fact::value(const LaunchProfile& launch) const {
    if (needs_time && !launch.time) return std::nullopt;
    const double value = figure(launch);
    return std::isnan(value) ? std::nullopt : std::optional(value);
}

std::optional<double> Metric::value(const LaunchProfile& launch) const {
    if (counter && tilescope::is_modelled(*counter) && !launch.counters.modelled) return std::nullopt;
    if (counter) return static_cast<double>(launch.counters[*counter]);
    if (fact != nullptr) return fact->value(launch);
    if (ratio != nullptr) return ratio->value(launch.counters);
    return std::nullopt;
}

std::string_view Metric::origin(const LaunchProfile& launch) const {
    if (is_modelled()) return "modelled";
    if (fact != nullptr && fact->of_registers && launch.registers_from == RegistersFrom::kEstimate) return "estimated";
    return "";
}

Metric metric_by_name(std::string_view name) {
    Metric metric;
    metric.counter = counter_by_name(name);
    if (metric.counter) return metric;
    metric.ratio = ratio_by_name(name);
    if (metric.ratio != nullptr) return metric;
    for (const Fact& fact : kFacts)
        if (fact.name == name) metric.fact = &fact;
    return metric;
}

}  // namespace tilescope::report
