// Ratios: figures that follow from counters by arithmetic alone, by the name a user writes in a budget.
//
// Owns: the list of ratios. Guarantees: pure functions; a ratio with nothing to divide by has no value rather than a
// made-up one. Does not model: caches (l1_hit_rate and l2_hit_rate are known by name only, and say so).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "scope/report/counters.h"
#include "scope/report/profile.h"

namespace tilescope::report {

struct Ratio {
    std::string_view name, unit, description;
    // Nothing where there is nothing to divide by, or caches were not modelled.
    std::optional<double> (*value)(const CounterSet&);
    bool modelled;  // it is no count but what a model of the caches says
};

std::span<const Ratio> ratios();
const Ratio* ratio_by_name(std::string_view name);

// Floating-point operations of every type, a fused multiply-add counted as two. A division or a root counts as the
// additions and multiplications that the hardware runs for it, without the special function they begin with.
std::uint64_t flop(const CounterSet& counters);
// Bytes that threads asked of global memory: loads and stores, before any coalescing.
std::uint64_t requested_bytes(const CounterSet& counters);
// FLOP per byte asked of global memory without what is known to be padding; nothing where there is none.
std::optional<double> useful_intensity(const LaunchProfile& launch);
// Bytes that SMs moved from and to L2, and that L2 moved from and to device memory; nothing where caches were not
// modelled.
std::optional<std::uint64_t> l2_bytes(const CounterSet& counters);
std::optional<std::uint64_t> dram_bytes(const CounterSet& counters);
// Bytes that passed through L1 and shared memory: 32 a sector, 128 a wavefront. What lines are ranked by.
std::uint64_t traffic_bytes(const CounterSet& counters);

}  // namespace tilescope::report
