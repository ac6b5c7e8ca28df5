#include "scope/models/occupancy.h"

#include <algorithm>
#include <array>
#include <utility>

#include "scope/base/rounding.h"

namespace tilescope::models {
namespace {

std::uint32_t count(std::uint64_t blocks) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, kUnlimited - 1));
}

std::uint32_t limit_of_threads(const Device& device, std::uint64_t threads, std::uint64_t warps) {
    if (threads > device.max_threads_per_block) return 0;
    return count(device.max_warps_per_sm() / warps);
}

// Registers are given out per warp, and every warp lives in one sub-partition with its own part of the register file.
std::uint32_t limit_of_registers(const Device& device, std::uint32_t registers, std::uint64_t warps,
                                 std::uint64_t& per_block) {
    if (registers == 0) return kUnlimited;
    const std::uint64_t per_warp =
        round_up(std::uint64_t{registers} * device.warp_size, device.register_allocation_unit);
    per_block = per_warp * warps;
    if (registers > device.max_registers_per_thread) return 0;
    // A launch is checked as if each sub-partition held equally many warps of the block.
    if (per_warp * round_up(warps, device.sub_partitions) > device.registers_per_block) return 0;
    const std::uint64_t warps_per_partition = device.registers_per_sm / device.sub_partitions / per_warp;
    return count(warps_per_partition * device.sub_partitions / warps);
}

// Smallest carve-out that holds the share asked for, and at least one block.
std::uint64_t carveout(const Device& device, std::optional<unsigned> percent, std::uint64_t one_block) {
    if (!percent) return device.shared_bytes_per_sm;
    const std::uint64_t share = device.shared_bytes_per_sm * std::min(*percent, 100U) / 100;
    const std::uint64_t wanted = std::max(share, one_block);
    const auto& known = device.shared_carveouts;
    const auto it = std::lower_bound(known.begin(), known.end(), wanted);
    return it == known.end() ? device.shared_bytes_per_sm : *it;
}

std::uint32_t limit_of_shared(const Device& device, const KernelResources& kernel, Occupancy& result) {
    const std::uint64_t limit = device.shared_bytes_per_block_optin;
    // Each by itself, too: their sum may wrap around.
    const bool fits =
        kernel.static_shared_bytes <= limit && kernel.dynamic_shared_bytes <= limit - kernel.static_shared_bytes;
    result.shared_per_block =
        round_up(kernel.shared_bytes() + device.shared_bytes_reserved, device.shared_allocation_unit);
    result.carveout_bytes = carveout(device, kernel.carveout_percent, fits ? result.shared_per_block : 0);
    if (!fits) return 0;
    return result.shared_per_block == 0 ? kUnlimited : count(result.carveout_bytes / result.shared_per_block);
}

}  // namespace

Occupancy occupancy(const Device& device, const KernelResources& kernel) {
    Occupancy result;
    if (kernel.threads_per_block == 0) return result;
    const std::uint64_t warps =
        kernel.threads_per_block / device.warp_size + (kernel.threads_per_block % device.warp_size != 0);
    result.warps_per_block = warps;
    result.by_threads = limit_of_threads(device, kernel.threads_per_block, warps);
    result.by_blocks = device.max_blocks_per_sm;
    result.by_registers = limit_of_registers(device, kernel.registers_per_thread, warps, result.registers_per_block);
    result.by_shared = limit_of_shared(device, kernel, result);
    result.by_barriers = device.max_barriers_per_sm == 0 || kernel.barriers == 0
                             ? kUnlimited
                             : device.max_barriers_per_sm / kernel.barriers;
    const std::array<std::pair<SmResource, std::uint32_t>, 5> limits = {{{SmResource::kThreads, result.by_threads},
                                                                         {SmResource::kBlocks, result.by_blocks},
                                                                         {SmResource::kRegisters, result.by_registers},
                                                                         {SmResource::kShared, result.by_shared},
                                                                         {SmResource::kBarriers, result.by_barriers}}};
    result.blocks_per_sm = kUnlimited;
    for (const auto& [resource, blocks] : limits) result.blocks_per_sm = std::min(result.blocks_per_sm, blocks);
    for (const auto& [resource, blocks] : limits)
        if (blocks == result.blocks_per_sm) result.limiters.push_back(resource);
    result.warps_per_sm = static_cast<std::uint32_t>(result.blocks_per_sm * warps);
    result.fraction = static_cast<double>(result.warps_per_sm) / device.max_warps_per_sm();
    return result;
}

}  // namespace tilescope::models
