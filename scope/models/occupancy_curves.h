// Occupancy as one resource changes: over block size, registers and shared memory; and the block sizes that fill the
// SM.
//
// Owns: OccupancyCurve, occupancy_curve(), block_sizes(), best_block_sizes() and the charts of the curves. Guarantees:
// pure functions; a curve over registers or shared memory holds every value at which the hardware's answer changes.
// Does not model: which of the best block sizes runs fastest.
#pragma once

#include <vector>

#include "scope/models/occupancy.h"
#include "scope/models/occupancy_steps.h"
#include "scope/report/chart.h"

namespace tilescope::models {

enum class OccupancyResource : std::uint8_t { kThreads, kRegisters, kShared };

struct OccupancyPoint {
    std::uint64_t at = 0;  // threads per block, registers per thread or shared bytes per block
    std::uint32_t blocks_per_sm = 0, warps_per_sm = 0;
    double textbook_warps = 0;
};

struct OccupancyCurve {
    OccupancyResource resource = OccupancyResource::kThreads;
    std::vector<OccupancyPoint> points;  // rising; each holds up to the next. Over threads: every whole warp
};

OccupancyCurve occupancy_curve(const Device& device, const KernelResources& kernel, OccupancyResource resource,
                               SharedScaling scaling = SharedScaling::kPerBlock);

// One block size, in whole warps, and what comes of it.
struct BlockSize {
    std::uint64_t threads = 0;
    Occupancy occupancy;
};

// Every whole number of warps that a block may have.
std::vector<BlockSize> block_sizes(const Device& device, const KernelResources& kernel,
                                   SharedScaling scaling = SharedScaling::kPerBlock);
// Those that keep most warps on an SM, the largest first: that one is what cudaOccupancyMaxPotentialBlockSize suggests.
// Empty when no size fits.
std::vector<BlockSize> best_block_sizes(const std::vector<BlockSize>& sizes);

// Warps per SM over the curve's resource: the hardware's answer, the textbook's, and the kernel where it stands.
report::Chart occupancy_chart(const Device& device, const KernelResources& kernel, const OccupancyCurve& curve);

}  // namespace tilescope::models
