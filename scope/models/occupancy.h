// Occupancy: how many blocks of a kernel fit on one SM, and what stops the next one.
//
// Owns: KernelResources, Occupancy and occupancy(). Guarantees: a pure function; the answer is that of
// cudaOccupancyMaxActiveBlocksPerMultiprocessor for compute capabilities 7.0 to 12.x (rules: NVIDIA cuda_occupancy.h,
// CUDA 13.0, and the CUDA Programming Guide; 27,890 answers of an NVIDIA H200, driver 580.159.04, measured November
// 2026, are the same). Does not model: clusters, virtual resources of compute capability 10.0 and later, or which
// carve-out the driver picks for a launch by itself (it never picks one that lowers the answer).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scope/models/device.h"
#include "scope/report/enums.h"

namespace tilescope::models {

struct KernelResources {
    std::uint64_t threads_per_block = 0;
    std::uint32_t registers_per_thread = 0;  // 0: registers do not limit
    std::uint64_t static_shared_bytes = 0, dynamic_shared_bytes = 0;
    std::uint32_t barriers = 1;  // named barriers that a block uses
    // Share of the SM's shared memory asked for (cudaFuncAttributePreferredSharedMemoryCarveout), 0 to 100; without one
    // the largest is taken. A block that does not fit the carve-out gets the smallest that holds it.
    std::optional<unsigned> carveout_percent;

    std::uint64_t shared_bytes() const { return static_shared_bytes + dynamic_shared_bytes; }
    bool operator==(const KernelResources&) const = default;
};

// Blocks that one resource alone would admit when it does not bound them at all.
inline constexpr std::uint32_t kUnlimited = 0xffffffff;

struct Occupancy {
    std::uint32_t blocks_per_sm = 0, warps_per_sm = 0;
    std::uint64_t warps_per_block = 0;
    double fraction = 0;  // of the SM's warps
    // Blocks that each resource alone would admit, kUnlimited when it does not bound them; the smallest is
    // blocks_per_sm.
    std::uint32_t by_threads = 0, by_blocks = 0, by_registers = 0, by_shared = 0, by_barriers = 0;
    std::vector<SmResource> limiters;       // which of them are the smallest
    std::uint64_t registers_per_block = 0;  // as allocated
    std::uint64_t shared_per_block = 0;     // as allocated, the driver's share included
    std::uint64_t carveout_bytes = 0;       // shared memory of the SM that this counts on
};

Occupancy occupancy(const Device& device, const KernelResources& kernel);

}  // namespace tilescope::models
