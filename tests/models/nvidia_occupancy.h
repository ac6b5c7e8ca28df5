// What NVIDIA's cuda_occupancy.h answers, where a CUDA toolkit is installed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scope/models/occupancy.h"

namespace tilescope::models {

struct NvidiaAnswer {
    std::uint32_t blocks = 0, by_threads = 0, by_blocks = 0, by_registers = 0, by_shared = 0, by_barriers = 0;
    std::vector<SmResource> limiters;
    std::uint64_t registers_per_block = 0, shared_per_block = 0;
};

NvidiaAnswer nvidia_occupancy(const Device& device, const KernelResources& kernel);
// The block size that cudaOccupancyMaxPotentialBlockSize suggests, for shared memory that stays the same.
std::uint64_t nvidia_block_size(const Device& device, const KernelResources& kernel);

}  // namespace tilescope::models
