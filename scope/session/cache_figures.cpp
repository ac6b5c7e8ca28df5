#include "scope/session/cache_figures.h"

#include <algorithm>

namespace tilescope {
namespace {

// A ring of lines stays whole in so much less than what L1 has by its size (bench/hardware/README.md, H200, November
// 2026).
constexpr std::uint64_t kL1Overhead = 10 << 10, kSmallL1Overhead = 7 << 10, kSmallL1 = 100 << 10;

// GH100 as in an H200 (bench/hardware/groups.cu and sides.cu, November 2026): SMs that get blocks in turn, the GPC
// whose reads meet before L2, and the part of L2 that it is near to. The GPC 0 comes in two turns.
struct GpcTurn {
    std::uint32_t sms;
    std::uint8_t gpc, side;
};
constexpr GpcTurn kGh100[] = {{8, 0, 0},  {8, 0, 0},  {16, 1, 1}, {16, 2, 1}, {16, 3, 1},
                              {16, 4, 0}, {16, 5, 0}, {18, 6, 0}, {18, 7, 1}};
constexpr std::uint32_t kFirstTurns = 5, kTurnsBetween = 6, kMergedReads = 4;
// Chosen so that reads of eight blocks that begin one after the other (read_broadcast of tests/truth) meet as seldom as
// there, and those of blocks in step (tiled and register-tiled products, tables) as often.
constexpr std::uint32_t kMergeCycles = 4, kGroupSectors = 24, kCyclesPerBlock = 8;

// Of every launch of tests/truth at least 88 sectors are read that no access asks for (H200, November 2026).
constexpr std::uint64_t kLaunchBytes = 88 * 32;

// The share for shared memory that the driver sets up for a launch whose program prefers none. It leaves room for twice
// the blocks that an SM can hold, up to a limit, and never less than for those. What it does with 113 different shapes
// of launches of an H200 (bench/hardware/README.md, "Shares of L1 and shared memory", November 2026); other cards are
// taken to be alike.
std::uint64_t carveout(const models::Device& device, std::uint64_t shared_bytes, std::uint64_t blocks,
                       std::uint64_t threads) {
    constexpr std::uint64_t kMaxSpare = 132 << 10, kMaxBlocks = 27;
    constexpr std::uint64_t kWithoutAny = 4 << 10, kMaxWithoutAny = 32 << 10;
    const std::uint64_t unit = std::max<std::uint64_t>(1, device.shared_allocation_unit);
    const std::uint64_t each = (shared_bytes + unit - 1) / unit * unit + device.shared_bytes_reserved;
    // Where the threads of two blocks fill an SM, half as many again.
    const std::uint64_t twice = device.max_threads_per_sm / std::max<std::uint64_t>(1, threads) == 2 ? 3 : 4;
    std::uint64_t spare = std::min(std::min(twice * blocks * each / 2, kMaxBlocks * each), kMaxSpare);
    if (shared_bytes == 0) spare = std::min(kWithoutAny * blocks, kMaxWithoutAny);
    const std::uint64_t wanted = std::max(blocks * each, spare);
    for (std::uint64_t size : device.shared_carveouts)
        if (size >= wanted) return size;
    return device.shared_bytes_per_sm;
}

}  // namespace

std::optional<observers::CacheFigures> cache_figures(const models::Device& device, const machine::LaunchShape& shape,
                                                     std::uint64_t blocks_per_sm) {
    // Descriptions come from files, too.
    constexpr std::uint64_t kMaxSms = 4096, kMaxL2 = std::uint64_t{1} << 30;
    if (device.l1_and_shared_bytes == 0 || device.l2_bytes == 0) return std::nullopt;
    if (device.sm_count > kMaxSms || device.l2_bytes > kMaxL2) return std::nullopt;
    observers::CacheFigures figures;
    figures.sms = std::max(1u, device.sm_count);
    figures.blocks_per_sm = std::max<std::uint64_t>(1, blocks_per_sm);
    const std::uint64_t threads = std::uint64_t{shape.block[0]} * shape.block[1] * shape.block[2];
    figures.warps = static_cast<std::uint32_t>((threads + 31) / 32);
    figures.local_bytes = shape.local_bytes;

    const std::uint64_t left =
        device.l1_and_shared_bytes -
        std::min(device.l1_and_shared_bytes, carveout(device, shape.shared_bytes, blocks_per_sm, threads));
    const std::uint64_t overhead = left < kSmallL1 ? kSmallL1Overhead : kL1Overhead;
    figures.l1_bytes = left - std::min(left, overhead);

    figures.l2_bytes = device.l2_bytes;
    const bool is_hopper = device.compute_major == 9;
    figures.l2_parts = is_hopper || (device.compute_major == 8 && device.compute_minor == 0) ? 2 : 1;
    // Measured on an H200. Of an A100 only that it changes every 8 KB is known; further bits are taken to be alike.
    figures.home_mask = is_hopper ? 0xab000 : 0xaa000;
    figures.launch_bytes = is_hopper ? kLaunchBytes : 0;
    figures.merged_reads = is_hopper ? kMergedReads : 1;
    figures.merge_cycles = kMergeCycles;
    figures.group_sectors = kGroupSectors;
    figures.cycles_per_block = kCyclesPerBlock;
    figures.sms_in_turn.clear();
    std::uint32_t left_sms = figures.sms;
    for (const GpcTurn& turn : kGh100) {
        if (!is_hopper) break;
        const std::uint32_t here = std::min(turn.sms, left_sms);
        figures.sms_in_turn.push_back(here);
        figures.group.insert(figures.group.end(), here, turn.gpc);
        figures.near_part.insert(figures.near_part.end(), here, turn.side);
        left_sms -= here;
    }
    if (is_hopper) {
        figures.first_turns = kFirstTurns;
        figures.turns_between = kTurnsBetween;
    }
    if (left_sms != 0) figures.sms_in_turn.push_back(left_sms);
    while (figures.group.size() < figures.sms) {
        figures.near_part.push_back(static_cast<std::uint8_t>(figures.group.size() * figures.l2_parts / figures.sms));
        figures.group.push_back(0);
    }
    if (device.latency.l1 != 0) figures.l1_latency = device.latency.l1;
    if (device.latency.l2_near != 0) figures.near_latency = device.latency.l2_near;
    figures.far_latency = std::max(figures.near_latency, device.latency.l2_far);
    if (device.latency.dram != 0) figures.dram_latency = device.latency.dram;
    if (device.dram_bandwidth > 0 && device.clock_khz != 0)
        figures.dram_bytes_per_cycle = device.dram_bandwidth / device.cycles_per_second();
    return figures;
}

}  // namespace tilescope
