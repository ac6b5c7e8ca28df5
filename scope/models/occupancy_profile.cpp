#include "scope/models/occupancy_profile.h"

#include "scope/models/occupancy_textbook.h"

namespace tilescope::models {
namespace {

std::optional<std::uint32_t> limit(std::uint32_t blocks) {
    return blocks == kUnlimited ? std::nullopt : std::optional(blocks);
}

}  // namespace

OccupancyProfile occupancy_profile(const Device& device, const KernelResources& kernel, SharedScaling scaling) {
    OccupancyProfile profile;
    if (kernel.threads_per_block == 0) return profile;
    const Occupancy found = occupancy(device, kernel);
    profile.by = {limit(found.by_threads), limit(found.by_blocks), limit(found.by_registers), limit(found.by_shared),
                  limit(found.by_barriers)};
    profile.registers_per_block = found.registers_per_block;
    profile.shared_bytes_per_block = found.shared_per_block;
    profile.shared_bytes_per_sm = found.carveout_bytes;
    profile.barriers = kernel.barriers;
    profile.carveout_percent = kernel.carveout_percent;
    profile.textbook = textbook_occupancy(device, kernel);
    profile.reasons = occupancy_reasons(device, kernel);
    profile.shared_bytes_per_thread =
        static_cast<double>(kernel.shared_bytes()) / static_cast<double>(kernel.threads_per_block);
    profile.full_bytes_per_thread = full_shared_per_thread(device);
    profile.full_bytes_per_thread_allocated = full_shared_per_thread(device, kernel);
    profile.next = next_steps(device, kernel, scaling);
    profile.headroom = headroom(device, kernel);
    profile.threads_per_sm = found.blocks_per_sm * kernel.threads_per_block;
    return profile;
}

std::optional<OccupancyWaves> waves_of(const Device& device, std::uint32_t blocks_per_sm, std::uint64_t blocks) {
    if (blocks_per_sm == 0 || device.sm_count == 0 || blocks == 0) return {};
    OccupancyWaves waves;
    waves.blocks_at_once = std::uint64_t{blocks_per_sm} * device.sm_count;
    waves.full = blocks / waves.blocks_at_once;
    waves.tail_blocks = blocks % waves.blocks_at_once;
    // Blocks go to the SMs in turn, so that as many SMs as possible have one.
    if (waves.tail_blocks != 0 && waves.tail_blocks < device.sm_count)
        waves.idle_sms = device.sm_count - static_cast<std::uint32_t>(waves.tail_blocks);
    return waves;
}

}  // namespace tilescope::models
