#include "scope/session/launch/cache_figures.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilescope {
namespace {

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

// Groups of SMs, as far as the device has SMs for them; those that are left are a group of their own.
void lay_out(const models::CacheLayout& caches, observers::CacheFigures& figures) {
    figures.sms_in_turn.clear();
    std::uint32_t left = figures.sms;
    const auto of = [](const std::vector<std::uint32_t>& list, std::size_t i) {
        return static_cast<std::uint8_t>(i < list.size() ? list[i] : 0);
    };
    for (std::size_t i = 0; i < caches.turn_sms.size(); ++i) {
        const std::uint32_t here = std::min(caches.turn_sms[i], left);
        figures.sms_in_turn.push_back(here);
        figures.group.insert(figures.group.end(), here, of(caches.turn_gpc, i));
        figures.near_part.insert(figures.near_part.end(), here,
                                 static_cast<std::uint8_t>(of(caches.turn_side, i) % figures.l2_parts));
        left -= here;
    }
    figures.first_turns = caches.first_turns;
    figures.turns_between = caches.turns_between;
    if (left != 0) figures.sms_in_turn.push_back(left);
    while (figures.group.size() < figures.sms) {
        figures.near_part.push_back(static_cast<std::uint8_t>(figures.group.size() * figures.l2_parts / figures.sms));
        figures.group.push_back(0);
    }
}

// Of devices whose description says what they keep of constants.
void lay_out_constants(const models::Device& device, observers::CacheFigures& figures) {
    const models::CacheLayout& caches = device.caches;
    if (caches.constant_line == 0 || caches.constant_ways == 0) return;
    figures.constant_sets = caches.constant_size / caches.constant_line / caches.constant_ways;
    figures.constant_ways = caches.constant_ways;
    figures.constant_line_shift = static_cast<std::uint32_t>(std::countr_zero(caches.constant_line));
    figures.constant_second_shift =
        static_cast<std::uint32_t>(std::countr_zero(std::max(caches.constant_line, caches.constant_second_line)));
    figures.constant_miss_cycles =
        device.latency.constant_miss - std::min(device.latency.constant_miss, device.latency.constant);
}

}  // namespace

std::optional<observers::CacheFigures> cache_figures(const models::Device& device, const machine::LaunchShape& shape,
                                                     std::uint64_t blocks_per_sm,
                                                     std::optional<std::uint64_t> preferred) {
    // Descriptions come from files, too.
    constexpr std::uint64_t kMaxSms = 4096, kMaxL1 = 256 << 10, kMaxL2 = std::uint64_t{1} << 30;
    constexpr std::uint64_t kMaxThreads = 1024;  // a request's warp has five bits
    if (device.l1_and_shared_bytes == 0 || device.l2_bytes == 0) return std::nullopt;
    if (device.sm_count > kMaxSms || device.l1_and_shared_bytes > kMaxL1 || device.l2_bytes > kMaxL2)
        return std::nullopt;
    observers::CacheFigures figures;
    figures.sms = std::max(1u, device.sm_count);
    figures.blocks_per_sm = std::max<std::uint64_t>(1, blocks_per_sm);
    const std::uint64_t threads = std::uint64_t{shape.block[0]} * shape.block[1] * shape.block[2];
    if (threads > kMaxThreads) return std::nullopt;
    figures.warps = static_cast<std::uint32_t>((threads + 31) / 32);
    figures.local_bytes = shape.local_bytes;

    const std::uint64_t shared = preferred.value_or(carveout(device, shape.shared_bytes, blocks_per_sm, threads));
    const std::uint64_t left = device.l1_and_shared_bytes - std::min(device.l1_and_shared_bytes, shared);
    const models::CacheLayout& caches = device.caches;
    const std::uint64_t loss = left < caches.l1_small ? caches.l1_loss_small : caches.l1_loss;
    figures.l1_bytes = left - std::min(left, loss);
    // There are tags for all of the memory, whatever shared memory takes of it.
    figures.l1_tags = static_cast<std::uint32_t>(device.l1_and_shared_bytes >> observers::kLineShift);

    figures.l2_bytes = device.l2_bytes;
    // Without bits of an address that name the part, all lines live in one.
    figures.home_mask = caches.l2_home_mask >> observers::kLineShift << observers::kLineShift;
    figures.l2_parts = caches.l2_parts == 2 && figures.home_mask != 0 ? 2 : 1;
    // No device's file has to know these; the replay's own stand for what it lacks.
    if (caches.l2_ways != 0) figures.l2_ways = caches.l2_ways;
    if (caches.l2_dirty_ways != 0) figures.dirty_ways = std::min(caches.l2_dirty_ways, figures.l2_ways);
    if (caches.l2_partial_ways != 0) figures.partial_ways = std::min(caches.l2_partial_ways, figures.l2_ways);
    if (caches.l2_last_ways != 0) figures.last_ways = std::min(caches.l2_last_ways, figures.l2_ways);
    if (caches.gpc_sectors != 0) figures.group_sectors = caches.gpc_sectors;
    figures.row_read_bytes = caches.row_read_bytes;
    figures.row_write_bytes = caches.row_write_bytes;
    figures.launch_bytes = caches.launch_bytes;
    figures.launch_dirty = caches.launch_dirty;
    figures.merged_reads = std::max(caches.merged_reads, 1u);
    figures.merge_cycles = caches.merge_cycles;
    figures.cycles_per_block = caches.block_interval;
    figures.cycles_per_first_block = caches.first_interval == 0
                                         ? caches.block_interval
                                         : static_cast<std::uint32_t>(std::ceil(figures.warps * caches.first_interval));
    figures.cycles_per_warp = caches.warp_interval;
    figures.block_pause = caches.block_pause;
    lay_out(caches, figures);
    lay_out_constants(device, figures);
    if (device.latency.l1 != 0) figures.l1_latency = device.latency.l1;
    if (device.latency.l2_near != 0) figures.near_latency = device.latency.l2_near;
    figures.far_latency = std::max(figures.near_latency, device.latency.l2_far);
    // The device's figure is of lines in both parts, the far one among them, and of a thread alone.
    if (device.latency.dram != 0) {
        const double farther = figures.l2_parts == 2 ? (figures.far_latency - figures.near_latency) / 2.0 : 0;
        figures.dram_latency =
            static_cast<std::uint32_t>(std::max(1.0, device.latency.dram + device.pace.dram_warp - farther));
    }
    // No device moves less than a byte a cycle, and with much less the replay's clocks would run over.
    const auto per_cycle = [&](double bytes) { return std::max(1.0, bytes / device.cycles_per_second()); };
    if (device.dram_bandwidth > 0 && device.clock_khz != 0)
        figures.dram_bytes_per_cycle = per_cycle(device.dram_bandwidth);
    if (device.l2_intake > 0 && device.clock_khz != 0) figures.intake_bytes_per_cycle = per_cycle(device.l2_intake);
    figures.store_line_cycles = device.pace.request_interval;
    figures.store_sector_cycles = device.pace.sector_interval;
    figures.store_part_cycles = device.pace.part_interval;
    figures.dram_read_wait = device.pace.dram_read_wait;
    figures.dram_write_wait = device.pace.dram_write_wait;
    return figures;
}

// In whole ways, rounded up, and one at least: what a limit of 0, 8, 11.25, 16 and 31 MiB keeps of 60 on an H200
// (bench/hardware/README.md, "What code asks of the caches", November 2026).
unsigned last_ways(const models::Device& device, const observers::CacheFigures& figures, std::uint64_t bytes) {
    if (device.l2_persisting_bytes != 0) bytes = std::min(bytes, device.l2_persisting_bytes);
    const std::uint64_t way = std::max<std::uint64_t>(1, figures.l2_bytes / figures.l2_ways);
    return static_cast<unsigned>(std::clamp<std::uint64_t>((bytes + way - 1) / way, 1, figures.l2_ways));
}

// A window says its ratio in sixteenths, and gets one more: of 0.5, 56.1 % stayed.
std::vector<observers::AccessWindow> windows_of(const LaunchRequest::AccessWindow& window,
                                                const observers::CacheAddresses& addresses) {
    constexpr unsigned kWhole = machine::CachePolicy::kWhole;
    std::vector<observers::AccessWindow> found;
    const bool asks = window.inside != machine::Eviction::kNormal || window.others != machine::Eviction::kNormal;
    if (!asks) return found;
    const unsigned sixteenths =
        window.hit_ratio > 0 ? std::min(kWhole, static_cast<unsigned>(window.hit_ratio * kWhole) + 1) : 0;
    for (const auto& piece : addresses.pieces(window.address, window.bytes)) {
        const std::uint64_t first = piece.place >> observers::kLineShift;
        const std::uint64_t last = (piece.place + piece.bytes - 1) >> observers::kLineShift;
        found.push_back({first, last - first + 1, sixteenths, window.inside, window.others});
    }
    return found;
}

}  // namespace tilescope
