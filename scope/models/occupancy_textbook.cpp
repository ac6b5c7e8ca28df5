#include "scope/models/occupancy_textbook.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <utility>

#include "scope/base/rounding.h"

namespace tilescope::models {
namespace {

using SmRule = OccupancyRule;
using SmFigure = OccupancyFigure;

// As a count of blocks; nothing needed is no limit.
std::optional<std::uint32_t> divided(std::uint64_t available, std::uint64_t needed) {
    if (needed == 0) return std::nullopt;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(available / needed, kUnlimited - 1));
}

// The rules between division and the hardware, one after another. A rule has its say when it changed the number.
class Stages {
public:
    explicit Stages(std::uint64_t blocks) : blocks_(blocks) {}
    void next(std::uint64_t blocks, const OccupancyReason& reason) {
        if (blocks != blocks_) reasons_.push_back(reason);
        blocks_ = blocks;
    }
    const std::vector<OccupancyReason>& reasons() const { return reasons_; }

private:
    std::uint64_t blocks_;
    std::vector<OccupancyReason> reasons_;
};

OccupancyReason reason(SmRule rule, std::initializer_list<std::pair<SmFigure, std::uint64_t>> figures) {
    OccupancyReason reason{rule, {}};
    for (const auto& [figure, count] : figures) reason.figures.set(figure, static_cast<double>(count));
    return reason;
}

OccupancyReason whole_warps(const Device& device, std::uint64_t threads, std::uint64_t warps) {
    return reason(
        SmRule::kWholeWarps,
        {{SmFigure::kAsked, threads}, {SmFigure::kHeld, warps}, {SmFigure::kTaken, warps * device.warp_size}});
}

std::vector<OccupancyReason> why_threads(const Device& device, const KernelResources& kernel, const Occupancy& found) {
    Stages stages(device.max_threads_per_sm / kernel.threads_per_block);
    stages.next(found.by_threads, whole_warps(device, kernel.threads_per_block, found.warps_per_block));
    return stages.reasons();
}

std::vector<OccupancyReason> why_registers(const Device& device, const KernelResources& kernel,
                                           const Occupancy& found) {
    const std::uint64_t registers = kernel.registers_per_thread, warps = found.warps_per_block;
    const std::uint64_t asked = registers * device.warp_size;
    const std::uint64_t given = round_up(asked, device.register_allocation_unit);
    const std::uint64_t all = device.registers_per_sm, parts = device.sub_partitions;
    if (registers > device.max_registers_per_thread)
        return {reason(SmRule::kRegistersOfThread, {{SmFigure::kLimit, device.max_registers_per_thread}})};
    Stages stages(all / (registers * kernel.threads_per_block));
    stages.next(all / (asked * warps), whole_warps(device, kernel.threads_per_block, warps));
    stages.next(all / (given * warps),
                reason(SmRule::kRegisterUnits, {{SmFigure::kAsked, asked},
                                                {SmFigure::kTaken, given},
                                                {SmFigure::kUnit, device.register_allocation_unit}}));
    const std::uint64_t per_part = all / parts / given;
    stages.next(per_part * parts / warps,
                reason(SmRule::kSubPartitions,
                       {{SmFigure::kParts, parts}, {SmFigure::kHeld, per_part}, {SmFigure::kTaken, given}}));
    stages.next(found.by_registers,
                reason(SmRule::kRegistersOfBlock, {{SmFigure::kLimit, device.registers_per_block},
                                                   {SmFigure::kTaken, round_up(warps, parts) * given}}));
    return stages.reasons();
}

std::vector<OccupancyReason> why_shared(const Device& device, const KernelResources& kernel, const Occupancy& found) {
    const std::uint64_t asked = kernel.shared_bytes(), all = device.shared_bytes_per_sm;
    const std::uint64_t kept = asked + device.shared_bytes_reserved;
    const auto blocks = [&](std::uint64_t bytes, std::uint64_t of) {
        return bytes == 0 ? std::numeric_limits<std::uint64_t>::max() : of / bytes;
    };
    Stages stages(blocks(asked, all));
    if (found.by_shared == 0) {
        stages.next(0, reason(SmRule::kSharedOfBlock, {{SmFigure::kLimit, device.shared_bytes_per_block_optin}}));
        return stages.reasons();
    }
    stages.next(blocks(kept, all), reason(SmRule::kSharedOfDriver,
                                          {{SmFigure::kKept, device.shared_bytes_reserved}, {SmFigure::kTaken, kept}}));
    stages.next(blocks(found.shared_per_block, all),
                reason(SmRule::kSharedUnits, {{SmFigure::kUnit, device.shared_allocation_unit},
                                              {SmFigure::kAsked, kept},
                                              {SmFigure::kTaken, found.shared_per_block}}));
    stages.next(blocks(found.shared_per_block, found.carveout_bytes),
                reason(SmRule::kCarveout, {{SmFigure::kTaken, found.carveout_bytes}, {SmFigure::kLimit, all}}));
    return stages.reasons();
}

std::uint32_t limit_of(std::optional<std::uint32_t> limit) { return limit.value_or(kUnlimited); }

}  // namespace

OccupancyTextbook textbook_occupancy(const Device& device, const KernelResources& kernel) {
    OccupancyTextbook result;
    const std::uint64_t threads = kernel.threads_per_block, shared = kernel.shared_bytes();
    if (threads == 0) return result;
    result.by.threads = threads > device.max_threads_per_block ? 0 : divided(device.max_threads_per_sm, threads);
    result.by.blocks = device.max_blocks_per_sm;
    result.by.registers = kernel.registers_per_thread == 0
                              ? std::nullopt
                              : divided(device.registers_per_sm / kernel.registers_per_thread, threads);
    result.by.shared = divided(device.shared_bytes_per_sm, shared);
    const std::array<std::pair<SmResource, std::uint32_t>, 4> limits = {
        {{SmResource::kThreads, limit_of(result.by.threads)},
         {SmResource::kBlocks, limit_of(result.by.blocks)},
         {SmResource::kRegisters, limit_of(result.by.registers)},
         {SmResource::kShared, limit_of(result.by.shared)}}};
    result.blocks_per_sm = kUnlimited;
    for (const auto& [resource, blocks] : limits) result.blocks_per_sm = std::min(result.blocks_per_sm, blocks);
    for (const auto& [resource, blocks] : limits)
        if (blocks == result.blocks_per_sm) result.limiters.push_back(resource);
    const auto all = static_cast<double>(device.max_threads_per_sm);
    result.threads_per_sm = result.blocks_per_sm * threads;
    result.fraction = static_cast<double>(result.threads_per_sm) / all;
    if (result.blocks_per_sm == 0) return result;
    result.division_threads = std::min(all, static_cast<double>(device.max_blocks_per_sm * threads));
    const auto hold = [&](double most) { result.division_threads = std::min(result.division_threads, most); };
    if (kernel.registers_per_thread != 0)
        hold(static_cast<double>(device.registers_per_sm) / kernel.registers_per_thread);
    if (shared != 0)
        hold(static_cast<double>(device.shared_bytes_per_sm) * static_cast<double>(threads) /
             static_cast<double>(shared));
    result.division_fraction = result.division_threads / all;
    return result;
}

std::vector<OccupancyReason> occupancy_reasons(const Device& device, const KernelResources& kernel) {
    const Occupancy found = occupancy(device, kernel);
    const OccupancyTextbook textbook = textbook_occupancy(device, kernel);
    if (found.blocks_per_sm >= textbook.blocks_per_sm) return {};
    // Only what leaves fewer blocks than the textbook has is worth a word.
    const auto binds = [&](std::uint32_t blocks) { return blocks < textbook.blocks_per_sm; };
    std::vector<OccupancyReason> reasons;
    const auto add = [&](std::vector<OccupancyReason> more) {
        // A block's threads are rounded up to warps both for their own limit and for the registers': say so once.
        for (OccupancyReason& one : more)
            if (std::find(reasons.begin(), reasons.end(), one) == reasons.end()) reasons.push_back(std::move(one));
    };
    if (binds(found.by_threads)) add(why_threads(device, kernel, found));
    if (binds(found.by_registers)) add(why_registers(device, kernel, found));
    if (binds(found.by_shared)) add(why_shared(device, kernel, found));
    if (binds(found.by_barriers))
        reasons.push_back(reason(
            SmRule::kBarriers, {{SmFigure::kAsked, kernel.barriers}, {SmFigure::kLimit, device.max_barriers_per_sm}}));
    return reasons;
}

double full_shared_per_thread(const Device& device) {
    return static_cast<double>(device.shared_bytes_per_sm) / device.max_threads_per_sm;
}

double full_shared_per_thread(const Device& device, const KernelResources& kernel) {
    const Occupancy found = occupancy(device, kernel);
    const std::uint64_t blocks = std::min(found.by_threads, found.by_blocks);
    if (blocks == 0) return 0;
    const std::uint64_t unit = device.shared_allocation_unit;
    const std::uint64_t most = device.shared_bytes_per_sm / blocks / unit * unit;
    const std::uint64_t left = most > device.shared_bytes_reserved ? most - device.shared_bytes_reserved : 0;
    return static_cast<double>(std::min(left, device.shared_bytes_per_block_optin)) /
           static_cast<double>(kernel.threads_per_block);
}

std::uint32_t full_registers_per_thread(const Device& device, const KernelResources& kernel) {
    KernelResources other = kernel;
    for (std::uint32_t registers = device.max_registers_per_thread; registers > 0; --registers) {
        other.registers_per_thread = registers;
        const Occupancy found = occupancy(device, other);
        if (found.by_registers >= std::min(found.by_threads, found.by_blocks)) return registers;
    }
    return 0;
}

}  // namespace tilescope::models
