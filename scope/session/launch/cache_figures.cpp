#include "scope/session/launch/cache_figures.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilescope {
namespace {

// The share for shared memory that the driver sets up for a launch whose program prefers none. It leaves room for more
// blocks than an SM can hold, up to a limit, and never less than for those.
std::uint64_t carveout(const models::Device& device, std::uint64_t shared_bytes, std::uint64_t blocks,
                       std::uint64_t threads) {
    const models::CarveoutFigures& figures = device.caches.carveout;
    const std::uint64_t unit = std::max<std::uint64_t>(1, device.shared_allocation_unit);
    const std::uint64_t each = (shared_bytes + unit - 1) / unit * unit + device.shared_bytes_reserved;
    const bool two_fill = device.max_threads_per_sm / std::max<std::uint64_t>(1, threads) == 2;
    const double more = two_fill ? figures.spare_of_two : figures.spare;
    const double with_more =
        std::min(more * static_cast<double>(blocks * each), static_cast<double>(figures.max_bytes));
    std::uint64_t spare = std::min(static_cast<std::uint64_t>(with_more), figures.max_blocks * each);
    if (shared_bytes == 0) spare = std::min(figures.without * blocks, figures.max_without);
    const std::uint64_t wanted = std::max(blocks * each, spare);
    for (std::uint64_t size : device.shared_carveouts)
        if (size >= wanted) return size;
    return device.shared_bytes_per_sm;
}

// Groups of SMs, as far as the device has SMs for them; those that are left are a group of their own.
void lay_out(const models::CacheLayout& caches, observers::HierarchyRules& rules) {
    rules.scheduler.sms_in_turn.clear();
    std::uint32_t left = rules.scheduler.sms;
    const auto of = [](const std::vector<std::uint32_t>& list, std::size_t i) {
        return static_cast<std::uint8_t>(i < list.size() ? list[i] : 0);
    };
    for (std::size_t i = 0; i < caches.turn_sms.size(); ++i) {
        const std::uint32_t here = std::min(caches.turn_sms[i], left);
        rules.scheduler.sms_in_turn.push_back(here);
        rules.scheduler.gpc.insert(rules.scheduler.gpc.end(), here, of(caches.turn_gpc, i));
        rules.l2.near_part.insert(rules.l2.near_part.end(), here,
                                  static_cast<std::uint8_t>(of(caches.turn_side, i) % rules.l2.parts));
        left -= here;
    }
    rules.scheduler.first_turns = caches.first_turns;
    rules.scheduler.turns_between = caches.turns_between;
    if (left != 0) rules.scheduler.sms_in_turn.push_back(left);
    while (rules.scheduler.gpc.size() < rules.scheduler.sms) {
        rules.l2.near_part.push_back(
            static_cast<std::uint8_t>(rules.scheduler.gpc.size() * rules.l2.parts / rules.scheduler.sms));
        rules.scheduler.gpc.push_back(0);
    }
}

// A device's own, or what stands for it where nobody knows it.
std::uint32_t known(std::uint32_t own, std::uint32_t other) { return std::max(1u, own != 0 ? own : other); }

// In steps of a cycle: the replay counts in whole ones.
std::uint32_t steps(double cycles, std::uint32_t of_a_cycle) {
    return static_cast<std::uint32_t>(std::lround(cycles * of_a_cycle));
}

// What needs no more than the description.
void fill_rules(const models::CacheLayout& caches, observers::HierarchyRules& rules) {
    constexpr std::uint32_t kTenths = 10, kSixteenths = 16;  // numeric: units of the rules
    rules.l1.victims = caches.l1.victims;
    rules.l1.last_of_tags = caches.l1.last_of_tags;
    rules.l1.last_of_lines = caches.l1.last_of_lines;
    rules.l1.hit_tenths = steps(caches.l1.hit_lookup, kTenths);
    rules.l1.miss_tenths = steps(caches.l1.miss_lookup, kTenths);
    rules.misses.gpc_reads = std::max(caches.merged_reads, 1u);
    rules.misses.gpc_join_cycles = caches.merge_cycles;
    rules.misses.gpc_sectors = caches.gpc_sectors;
    rules.misses.queued_sectors = caches.misses.queue_sectors;
    rules.misses.queue_wait = caches.misses.queue_wait;
    rules.misses.queue_line_tenths = steps(caches.misses.queue_line, kTenths);
    rules.misses.port_line = steps(caches.misses.port_line, kSixteenths);
    rules.misses.port_sector = steps(caches.misses.port_sector, kSixteenths);
    rules.stores.lines = std::max(1u, caches.stores.lines);
    rules.stores.wait = caches.stores.wait;
    rules.stores.settle = caches.stores.settle;
    rules.l2.slices = std::max(1u, caches.slices.count);
    rules.l2.slice_mask = caches.slices.side_mask;
    rules.dram.row_bytes = caches.dram.row_bytes;
    rules.dram.history = caches.dram.history;
    rules.dram.reached = caches.dram.reached;
    rules.dram.busiest = caches.dram.busiest;
    if (caches.dram.write_cost > 0) rules.dram.write_cost = caches.dram.write_cost;
    rules.scheduler.few_left = caches.scheduler.few_left;
    rules.scheduler.few_turns = caches.scheduler.few_turns;
    rules.scheduler.left_turns = caches.scheduler.left_turns;
    rules.scheduler.turns_per_left = caches.scheduler.turns_per_left;
    rules.scheduler.four_behind = caches.scheduler.four_behind;
    rules.scheduler.pair_files = std::max(1u, caches.scheduler.pair_files);
    rules.scheduler.file_delay = caches.scheduler.file_delay;
    rules.scheduler.in_order = std::max(1u, caches.scheduler.in_order);
}

void fill_textures(const models::TextureFigures& figures, observers::TextureRules& rules) {
    rules.latency = figures.latency;
    if (figures.interval > 0) rules.interval = figures.interval;
    rules.tags = std::max(1u, figures.tags);
    rules.gather = std::max(1u, figures.gather);
    rules.wide = std::max(1u, figures.wide);
    if (figures.wide_filtered != 0) rules.wide_filtered = figures.wide_filtered;
    rules.wide_surface = std::max(1u, figures.wide_surface);
}

// Of devices whose description says what they keep of constants.
void lay_out_constants(const models::Device& device, observers::HierarchyRules& rules) {
    const models::CacheLayout& caches = device.caches;
    if (caches.constant_line == 0 || caches.constant_ways == 0) return;
    rules.constants.sets = caches.constant_size / caches.constant_line / caches.constant_ways;
    rules.constants.ways = caches.constant_ways;
    rules.constants.line_shift = static_cast<std::uint32_t>(std::countr_zero(caches.constant_line));
    rules.constants.second_shift =
        static_cast<std::uint32_t>(std::countr_zero(std::max(caches.constant_line, caches.constant_second_line)));
    rules.constants.miss_cycles =
        device.latency.constant_miss - std::min(device.latency.constant_miss, device.latency.constant);
}

}  // namespace

std::optional<observers::HierarchyRules> cache_figures(const models::Device& device, const machine::LaunchShape& shape,
                                                       std::uint64_t blocks_per_sm,
                                                       std::optional<std::uint64_t> preferred) {
    // Descriptions come from files, too.
    constexpr std::uint64_t kMaxSms = 4096, kMaxL1 = 256 << 10;  // numeric: what the replay has room for
    constexpr std::uint64_t kMaxL2 = std::uint64_t{1} << 30;     // numeric: likewise
    constexpr std::uint64_t kMaxThreads = machine::kWarpSize * observers::kMaxWarps;
    if (device.l1_and_shared_bytes == 0 || device.l2_bytes == 0) return std::nullopt;
    // The replay goes in steps of that.
    if (device.latency.l2_near == 0 && device.caches.clock.l2 == 0) return std::nullopt;
    if (device.sm_count > kMaxSms || device.l1_and_shared_bytes > kMaxL1 || device.l2_bytes > kMaxL2)
        return std::nullopt;
    observers::HierarchyRules rules;
    rules.scheduler.sms = std::max(1u, device.sm_count);
    rules.scheduler.blocks_per_sm = std::max<std::uint64_t>(1, blocks_per_sm);
    const std::uint64_t threads = std::uint64_t{shape.block[0]} * shape.block[1] * shape.block[2];
    if (threads > kMaxThreads) return std::nullopt;
    rules.warps = static_cast<std::uint32_t>((threads + machine::kWarpSize - 1) / machine::kWarpSize);
    rules.local_bytes = shape.local_bytes;

    const std::uint64_t shared = preferred.value_or(carveout(device, shape.shared_bytes, blocks_per_sm, threads));
    const std::uint64_t left = device.l1_and_shared_bytes - std::min(device.l1_and_shared_bytes, shared);
    const models::CacheLayout& caches = device.caches;
    const std::uint64_t loss = left < caches.l1_small ? caches.l1_loss_small : caches.l1_loss;
    rules.l1.bytes = left - std::min(left, loss);
    // There are tags for all of the memory, whatever shared memory takes of it.
    rules.l1.tags = static_cast<std::uint32_t>(device.l1_and_shared_bytes >> observers::kLineShift);

    rules.l2.bytes = device.l2_bytes;
    // Without bits of an address that name the part, all lines live in one.
    rules.l2.home_mask = caches.l2_home_mask >> observers::kLineShift << observers::kLineShift;
    rules.l2.parts = caches.l2_parts == 2 && rules.l2.home_mask != 0 ? 2 : 1;
    // No device's file has to know these.
    if (caches.l2_ways != 0) rules.l2.ways = caches.l2_ways;
    if (caches.l2_dirty_ways != 0) rules.l2.dirty_ways = std::min(caches.l2_dirty_ways, rules.l2.ways);
    if (caches.l2_partial_ways != 0) rules.l2.partial_ways = std::min(caches.l2_partial_ways, rules.l2.ways);
    if (caches.l2_last_ways != 0) rules.l2.last_ways = std::min(caches.l2_last_ways, rules.l2.ways);
    rules.dram.row_read_bytes = caches.row_read_bytes;
    rules.dram.row_write_bytes = caches.row_write_bytes;
    rules.launch_bytes = caches.launch_bytes;
    rules.l2.launch_dirty = caches.launch_dirty;
    rules.scheduler.cycles_per_block = caches.block_interval;
    rules.scheduler.cycles_per_first_block =
        caches.first_interval == 0 ? caches.block_interval
                                   : static_cast<std::uint32_t>(std::ceil(rules.warps * caches.first_interval));
    rules.scheduler.cycles_per_warp = caches.warp_interval;
    rules.scheduler.block_pause = caches.block_pause;
    lay_out(caches, rules);
    lay_out_constants(device, rules);
    fill_rules(caches, rules);
    fill_textures(caches.texture, rules.textures);
    rules.l1.latency = known(device.latency.l1, caches.clock.l1);
    rules.l2.near_latency = known(device.latency.l2_near, caches.clock.l2);
    rules.l2.far_latency = std::max(rules.l2.near_latency, device.latency.l2_far);
    rules.dram.latency = known(0, caches.clock.dram);
    // The device's figure is of lines in both parts, the far one among them, and of a thread alone.
    if (device.latency.dram != 0) {
        const double farther = rules.l2.parts == 2 ? (rules.l2.far_latency - rules.l2.near_latency) / 2.0 : 0;
        rules.dram.latency =
            static_cast<std::uint32_t>(std::max(1.0, device.latency.dram + device.pace.dram_warp - farther));
    }
    // No device moves less than a byte a cycle, and with much less the replay's clocks would run over.
    const auto per_cycle = [&](double bytes) { return std::max(1.0, bytes / device.cycles_per_second()); };
    if (caches.clock.dram_rate > 0) rules.dram.bytes_per_cycle = std::max(1.0, caches.clock.dram_rate);
    if (device.dram_bandwidth > 0 && device.clock_khz != 0)
        rules.dram.bytes_per_cycle = per_cycle(device.dram_bandwidth);
    if (device.l2_intake > 0 && device.clock_khz != 0) rules.dram.intake_bytes_per_cycle = per_cycle(device.l2_intake);
    rules.stores.line_cycles = device.pace.request_interval;
    rules.stores.sector_cycles = device.pace.sector_interval;
    rules.stores.part_cycles = device.pace.part_interval;
    rules.dram.read_wait = device.pace.dram_read_wait;
    rules.dram.write_wait = device.pace.dram_write_wait;
    return rules;
}

// In whole ways, rounded up, and one at least: what a limit of 0, 8, 11.25, 16 and 31 MiB keeps of 60 on an H200
// (bench/hardware/README.md, "What code asks of the caches", November 2026).
unsigned last_ways(const models::Device& device, const observers::HierarchyRules& rules, std::uint64_t bytes) {
    if (device.l2_persisting_bytes != 0) bytes = std::min(bytes, device.l2_persisting_bytes);
    const std::uint64_t way = std::max<std::uint64_t>(1, rules.l2.bytes / rules.l2.ways);
    return static_cast<unsigned>(std::clamp<std::uint64_t>((bytes + way - 1) / way, 1, rules.l2.ways));
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
