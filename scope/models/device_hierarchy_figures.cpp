#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "scope/models/device_figures.h"

namespace tilescope::models {
namespace {

template <class T>
bool put_all(std::vector<T>& field, const FigureValues& values) {
    field.clear();
    for (const double value : values)
        if (!put(field.emplace_back(), value)) return false;
    return true;
}

// A description is a file that somebody wrote: whatever it says, a replay must come to its end.
constexpr double kMaxL1 = 1 << 20, kMaxWays = 16, kMaxSms = 4096, kMaxGpc = 62, kMaxTurns = 4096;
constexpr double kMaxReads = 32, kMaxSectors = 1024, kMaxRow = 4096, kMaxLaunch = 1 << 30, kMaxDirty = 1 << 30;
constexpr double kMaxConstants = 1 << 16, kMaxLine = 128, kMaxConstantLine = 1 << 12;
constexpr double kMaxMask = 9007199254740992.0;  // 2^53, as far as JSON's numbers are exact
constexpr double kMaxStoreLines = 64, kMaxSlices = 1024, kMaxRowBytes = 1 << 20, kMaxCost = 64, kMaxBlocks = 64;
constexpr double kMaxBusiest = 0.999;  // all of it would be waited for without end

// Gathers rows; each function adds one.
class HierarchyTable {
public:
    std::vector<FigureRow> rows;

    template <class T>
    void one(const char* key, const char* unit, T CacheLayout::*field, double max, const char* description) {
        add(
            key, unit, 1, description,
            [field](Device& device, const FigureValues& v) { return put(device.caches.*field, v[0]); }, max);
    }
    // Of one of CacheLayout's parts.
    template <class Part, class T>
    void part(const char* key, const char* unit, Part CacheLayout::*part, T Part::*field, double max,
              const char* description) {
        add(
            key, unit, 1, description,
            [part, field](Device& device, const FigureValues& v) { return put(device.caches.*part.*field, v[0]); },
            max);
    }
    void list(const char* key, const char* unit, std::vector<std::uint32_t> CacheLayout::*field, double max,
              const char* description) {
        add(
            key, unit, 0, description,
            [field](Device& device, const FigureValues& values) { return put_all(device.caches.*field, values); }, max);
    }

private:
    void add(const char* key, const char* unit, std::size_t count, const char* description,
             std::function<bool(Device&, const FigureValues&)> store, double max) {
        rows.push_back({{key, unit, Theme::kCaches, false, description}, count, std::move(store), max});
    }
};

void add_layout(HierarchyTable& t) {
    t.one("cache_l1_loss", "bytes", &CacheLayout::l1_loss, kMaxL1, "of L1 that a ring of lines cannot use");
    t.one("cache_l1_loss_small", "bytes", &CacheLayout::l1_loss_small, kMaxL1, "the same, of a small L1");
    t.one("cache_l1_small", "bytes", &CacheLayout::l1_small, kMaxL1, "below which an L1 is small");
    t.one("cache_l2_parts", "parts", &CacheLayout::l2_parts, 2, "of L2, one nearer to an SM than the other");
    t.one("cache_l2_home_mask", "address bits", &CacheLayout::l2_home_mask, kMaxMask,
          "whose parity names a line's part");
    t.one("cache_l2_ways", "lines", &CacheLayout::l2_ways, kMaxWays, "of a set of L2");
    t.one("cache_l2_dirty_ways", "lines", &CacheLayout::l2_dirty_ways, kMaxWays,
          "of a set that may wait to be written back");
    t.one("cache_l2_partial_ways", "lines", &CacheLayout::l2_partial_ways, kMaxWays,
          "of these, not written as a whole");
    t.one("cache_l2_last_ways", "lines", &CacheLayout::l2_last_ways, kMaxWays,
          "of a set that give way last, by default");
    t.list("cache_turn_sms", "SMs", &CacheLayout::turn_sms, kMaxSms, "groups of SMs to which blocks go in turn");
    t.list("cache_turn_gpc", "", &CacheLayout::turn_gpc, kMaxGpc, "GPC of each group, whose reads meet before L2");
    t.list("cache_turn_side", "", &CacheLayout::turn_side, 1, "part of L2 that each group is near to");
    t.one("cache_first_turns", "turns", &CacheLayout::first_turns, kMaxTurns,
          "of the first group, between the others'");
    t.one("cache_turns_between", "turns", &CacheLayout::turns_between, kMaxTurns,
          "of others, before the first comes again");
    t.one("cache_block_interval", "cycles", &CacheLayout::block_interval, kMaxCycles,
          "from one block of a GPC to the next");
    t.one("cache_block_pause", "cycles", &CacheLayout::block_pause, kMaxCycles,
          "from a block's end to the next one's begin");
    t.one("cache_warp_interval", "cycles", &CacheLayout::warp_interval, kMaxCycles,
          "from one warp of a block to the next");
    t.one("cache_first_interval", "cycles", &CacheLayout::first_interval, kMaxCycles,
          "between a GPC's warps while a launch begins");
    t.one("cache_merged_reads", "reads", &CacheLayout::merged_reads, kMaxReads,
          "of a GPC for one line that become one");
    t.one("cache_merge_cycles", "cycles", &CacheLayout::merge_cycles, kMaxCycles,
          "for which a read of what L2 has is joined");
    t.one("cache_gpc_sectors", "sectors/cycle", &CacheLayout::gpc_sectors, kMaxSectors, "that a GPC asks L2 for");
    t.one("cache_row_read_bytes", "bytes", &CacheLayout::row_read_bytes, kMaxRow,
          "that could be read while a row is opened");
    t.one("cache_row_write_bytes", "bytes", &CacheLayout::row_write_bytes, kMaxRow,
          "that could be written while a row is opened");
    t.one("cache_launch_bytes", "bytes", &CacheLayout::launch_bytes, kMaxLaunch, "of DRAM that a launch itself reads");
    t.one("cache_launch_dirty", "bytes", &CacheLayout::launch_dirty, kMaxDirty,
          "of others that are dirty in L2 as a launch begins");
    t.one("cache_constant_size", "bytes", &CacheLayout::constant_size, kMaxConstants, "an SM's cache for constants");
    t.one("cache_constant_ways", "lines", &CacheLayout::constant_ways, kMaxWays, "of a set of it");
    t.one("cache_constant_line", "bytes", &CacheLayout::constant_line, kMaxLine, "of a line of it");
    t.one("cache_constant_second_line", "bytes", &CacheLayout::constant_second_line, kMaxConstantLine,
          "of a line of the GPC's cache for constants");
}

// What was a rule of the model's code before.
void add_l1(HierarchyTable& t) {
    const auto one = [&](const char* key, const char* unit, auto L1Figures::*field, double max, const char* is) {
        t.part(key, unit, &CacheLayout::l1, field, max, is);
    };
    one("cache_l1_victims", "lines", &L1Figures::victims, kMaxSectors, "used least recently, of which one is replaced");
    one("cache_l1_last_tags", "", &L1Figures::last_of_tags, 1, "of L1's tags, that may give way last");
    one("cache_l1_last_lines", "", &L1Figures::last_of_lines, 1, "of L1's lines, that may give way last");
    one("cache_l1_hit_lookup", "cycles", &L1Figures::hit_lookup, kMaxCost, "that L1 looks up a line it has");
    one("cache_l1_miss_lookup", "cycles", &L1Figures::miss_lookup, kMaxCost, "that L1 looks up a line it lacks");
}

void add_misses(HierarchyTable& t) {
    const auto one = [&](const char* key, const char* unit, auto MissFigures::*field, double max, const char* is) {
        t.part(key, unit, &CacheLayout::misses, field, max, is);
    };
    one("cache_queue_sectors", "sectors", &MissFigures::queue_sectors, kMaxReads, "of a load that others may join");
    one("cache_queue_wait", "cycles", &MissFigures::queue_wait, kMaxCycles, "for which it waits for others");
    one("cache_queue_line", "cycles", &MissFigures::queue_line, kMaxCost,
        "from one line of it that leaves to the next");
    one("cache_port_line", "cycles", &MissFigures::port_line, kMaxCost, "of an SM's way from L2, for a line");
    one("cache_port_sector", "cycles", &MissFigures::port_sector, kMaxCost, "of an SM's way from L2, for each sector");
}

void add_stores(HierarchyTable& t) {
    const auto one = [&](const char* key, const char* unit, auto StorePathFigures::*field, double max, const char* is) {
        t.part(key, unit, &CacheLayout::stores, field, max, is);
    };
    one("cache_store_lines", "lines", &StorePathFigures::lines, kMaxStoreLines, "stored to, that can wait to leave");
    one("cache_store_wait", "cycles", &StorePathFigures::wait, kMaxCycles, "for which these wait for more");
    one("cache_store_settle", "cycles", &StorePathFigures::settle, kMaxCycles, "until L1 knows that one has left");
}

void add_beyond(HierarchyTable& t) {
    const auto slices = [&](const char* key, const char* unit, auto L2SliceFigures::*field, double max,
                            const char* is) { t.part(key, unit, &CacheLayout::slices, field, max, is); };
    slices("cache_l2_slices", "slices", &L2SliceFigures::count, kMaxSlices, "of L2, that do atomics side by side");
    slices("cache_l2_slice_mask", "address bits", &L2SliceFigures::side_mask, kMaxMask,
           "whose parity names a slice's side");
    const auto dram = [&](const char* key, const char* unit, auto DramFigures::*field, double max, const char* is) {
        t.part(key, unit, &CacheLayout::dram, field, max, is);
    };
    dram("cache_dram_row", "bytes", &DramFigures::row_bytes, kMaxRowBytes, "of addresses in a row of DRAM");
    dram("cache_dram_history", "cycles", &DramFigures::history, kMaxCycles, "for which it counts how busy memory was");
    dram("cache_dram_reached", "", &DramFigures::reached, 1, "of DRAM's peak, what is reached");
    dram("cache_dram_busiest", "", &DramFigures::busiest, kMaxBusiest, "of that, what is still a queue");
    dram("cache_dram_write_cost", "", &DramFigures::write_cost, kMaxCost, "bytes read in the time of one written");
}

void add_texture(HierarchyTable& t) {
    const auto one = [&](const char* key, const char* unit, auto TextureFigures::*field, double max, const char* is) {
        t.part(key, unit, &CacheLayout::texture, field, max, is);
    };
    one("texture_latency", "cycles", &TextureFigures::latency, kMaxCycles, "until a fetch of what L1 has comes");
    one("texture_interval", "cycles", &TextureFigures::interval, kMaxCost,
        "from one pass of the texture unit to the next");
    one("texture_tags", "lines", &TextureFigures::tags, kMaxSectors, "that such a pass looks up");
    one("texture_gather_passes", "passes", &TextureFigures::gather, kMaxCost, "of four texels for one channel each");
    one("texture_wide_passes", "passes", &TextureFigures::wide, kMaxCost, "of texels of 16 bytes");
    one("texture_wide_filter_bytes", "bytes", &TextureFigures::wide_filtered, kMaxSectors, "of these that one filters");
    one("surface_wide_passes", "passes", &TextureFigures::wide_surface, kMaxCost, "of reads of 16 bytes of surfaces");
}

void add_scheduler(HierarchyTable& t) {
    const auto one = [&](const char* key, const char* unit, auto SchedulerFigures::*field, double max, const char* is) {
        t.part(key, unit, &CacheLayout::scheduler, field, max, is);
    };
    one("cache_few_left", "blocks", &SchedulerFigures::few_left, kMaxTurns, "left over, that are shared out soon");
    one("cache_few_turns", "turns", &SchedulerFigures::few_turns, kMaxTurns,
        "later the first group gets its share of them");
    one("cache_left_turns", "turns", &SchedulerFigures::left_turns, kMaxTurns,
        "likewise, where more blocks are left over");
    one("cache_left_turns_each", "turns", &SchedulerFigures::turns_per_left, kMaxTurns, "more, for each of those");
    one("cache_four_behind", "cycles", &SchedulerFigures::four_behind, kMaxCycles,
        "of each four warps behind the last");
    one("cache_pair_files", "files", &SchedulerFigures::pair_files, kMaxSms,
        "of a GPC's pairs of SMs as a launch begins");
    one("cache_file_delay", "cycles", &SchedulerFigures::file_delay, kMaxCycles, "from one such file to the next");
    one("cache_in_order", "accesses", &SchedulerFigures::in_order, kMaxSectors,
        "that wait for a scheduler as they came");
}

void add_launch(HierarchyTable& t) {
    const auto share = [&](const char* key, const char* unit, auto CarveoutFigures::*field, double max,
                           const char* is) { t.part(key, unit, &CacheLayout::carveout, field, max, is); };
    share("cache_carveout_spare", "", &CarveoutFigures::spare, kMaxCost,
          "blocks with room in shared memory, to one there");
    share("cache_carveout_spare_of_two", "", &CarveoutFigures::spare_of_two, kMaxCost,
          "likewise, where two fill an SM");
    share("cache_carveout_blocks", "blocks", &CarveoutFigures::max_blocks, kMaxBlocks, "with such room at most");
    share("cache_carveout_max", "bytes", &CarveoutFigures::max_bytes, kMaxL1, "of such room at most");
    share("cache_carveout_without", "bytes", &CarveoutFigures::without, kMaxL1, "for a block without shared memory");
    share("cache_carveout_max_without", "bytes", &CarveoutFigures::max_without, kMaxL1, "for all of these at most");
    const auto clock = [&](const char* key, const char* unit, auto ReplayClockFigures::*field, const char* is) {
        t.part(key, unit, &CacheLayout::clock, field, kMaxCycles, is);
    };
    clock("cache_clock_l1", "cycles", &ReplayClockFigures::l1, "of L1, where latency_l1 is not known");
    clock("cache_clock_l2", "cycles", &ReplayClockFigures::l2, "of L2, where latency_l2_near is not known");
    clock("cache_clock_dram", "cycles", &ReplayClockFigures::dram, "of DRAM, where latency_dram is not known");
    clock("cache_clock_dram_rate", "bytes/cycle", &ReplayClockFigures::dram_rate, "where dram_bandwidth is not known");
}

}  // namespace

std::vector<FigureRow> hierarchy_figure_rows() {
    HierarchyTable table;
    add_layout(table);
    add_l1(table);
    add_misses(table);
    add_stores(table);
    add_beyond(table);
    add_scheduler(table);
    add_texture(table);
    add_launch(table);
    return std::move(table.rows);
}

}  // namespace tilescope::models
