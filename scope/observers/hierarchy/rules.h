// The rules of all parts of the cache simulation, and its facts about a launch.
//
// Guarantees: plain figures without defaults of any GPU. Their sources are in the device's description
// (models::Device) and in bench/hardware. scope/session/launch/cache_figures.h fills them.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/machine/access.h"
#include "scope/observers/hierarchy/dram/dram_rules.h"
#include "scope/observers/hierarchy/l1/l1_rules.h"
#include "scope/observers/hierarchy/l2/l2_rules.h"
#include "scope/observers/hierarchy/lines.h"
#include "scope/observers/hierarchy/misses_in_flight/miss_rules.h"
#include "scope/observers/hierarchy/record/swap_rules.h"
#include "scope/observers/hierarchy/sampling/sampling_rules.h"
#include "scope/observers/hierarchy/scheduler/scheduler_rules.h"
#include "scope/observers/hierarchy/store_path/store_path_rules.h"
#include "scope/observers/texture_rule.h"

namespace tilescope::observers {

// Its cycles decide what meets what on its way, and nothing else.
struct HierarchyRules {
    L1Rules l1;
    ConstantRules constants;
    MissRules misses;
    StorePathRules stores;
    L2Rules l2;
    DramRules dram;
    SchedulerRules scheduler;
    TextureRules textures;

    // Of the launch.
    std::uint32_t warps = 1;        // of a block
    std::uint64_t local_bytes = 0;  // of a thread's stack
    // What a launch itself reads of device memory, its code and its parameters among it: the least that was seen.
    std::uint64_t launch_bytes = 0;
    std::vector<machine::WarpClock> paces;  // by basic block, what it adds to a warp's clock
    SwapRules swaps;
    SamplingRules sampling;
    // Of requests that are kept until their turn; a launch that needs more is not followed.
    std::uint64_t max_traffic_bytes = std::uint64_t{3} << 30;  // numeric: 3 GB of the host's memory
    bool operator==(const HierarchyRules&) const = default;
};

}  // namespace tilescope::observers
