// ByteFlow: where a launch's bytes went, from DRAM to its threads and back, and why caches missed.
//
// Owns: FlowLink, FlowMiss and byte_flow(). Guarantees: a pure function of counters; links without a byte are left out;
// what only a model of the caches says is marked. Does not model: anything. Sectors are 32 bytes, wavefronts of shared
// memory 128.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "scope/report/counters.h"

namespace tilescope::report {

struct FlowLink {
    std::string_view from, to;  // "dram", "l2_far", "l2", "l1", "shared", "local", "threads"
    std::string_view what;      // "load", "store", "atomic"
    std::uint64_t bytes = 0;    // that moved, in whole sectors or wavefronts
    // Of these, that nobody asked for, or that turns at the banks cost; from L2 to L1 at the least so many.
    std::uint64_t wasted = 0;
    std::optional<std::uint64_t> asked{};  // by threads; more than moved where several ask for the same
    bool modelled = false;
};

struct FlowMiss {
    std::string_view level, why;  // "l1", "first touch"
    std::uint64_t sectors = 0;
};

struct ByteFlow {
    std::vector<FlowLink> links;
    std::vector<FlowMiss> misses;
};

ByteFlow byte_flow(const CounterSet& counters);

}  // namespace tilescope::report
