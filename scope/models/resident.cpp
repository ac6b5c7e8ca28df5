#include "scope/models/resident.h"

#include <algorithm>
#include <cmath>

#include "scope/models/occupancy_textbook.h"

namespace tilescope::models {

ResidentSm resident_sm(const Device& device, const KernelResources& kernel) {
    const Occupancy found = occupancy(device, kernel);
    ResidentSm sm;
    sm.blocks = found.blocks_per_sm;
    sm.registers = device.registers_per_sm;
    sm.registers_per_block = found.registers_per_block;
    sm.shared_bytes = found.carveout_bytes;
    sm.shared_per_block = found.shared_per_block;
    const std::size_t parts = std::max(device.sub_partitions, 1U);
    sm.parts.assign(parts, {});
    const std::uint64_t warps = std::uint64_t{found.blocks_per_sm} * found.warps_per_block;
    for (std::uint64_t place = 0; place < std::max<std::uint64_t>(device.max_warps_per_sm(), warps); ++place)
        sm.parts[place % parts].push_back(
            place < warps ? std::optional(static_cast<std::uint32_t>(place / found.warps_per_block)) : std::nullopt);
    return sm;
}

std::vector<FullBlock> full_blocks(const Device& device) {
    std::vector<FullBlock> all;
    for (std::uint64_t threads = device.warp_size; threads <= device.max_threads_per_block; threads *= 2) {
        KernelResources kernel;
        kernel.threads_per_block = threads;
        const Occupancy found = occupancy(device, kernel);
        FullBlock block{threads, std::min(found.by_threads, found.by_blocks), 0, 0, 0, 0};
        block.fraction = static_cast<double>(block.blocks_per_sm * found.warps_per_block) / device.max_warps_per_sm();
        block.registers = full_registers_per_thread(device, kernel);
        block.shared_bytes = full_shared_per_thread(device, kernel);
        block.shared_in_all =
            static_cast<std::uint64_t>(std::llround(block.shared_bytes * static_cast<double>(threads)));
        all.push_back(block);
    }
    return all;
}

}  // namespace tilescope::models
