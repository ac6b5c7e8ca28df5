// Rows on what the caches did: what they had, why loads missed, and what was moved of each buffer.
#include <algorithm>
#include <span>
#include <utility>

#include "scope/report/format.h"
#include "scope/report/ratios.h"
#include "scope/views/document/parts.h"

namespace tilescope::views {
namespace {

using C = Counter;

struct MissReason {
    Counter counter;
    const char* words;
};
constexpr MissReason kFirst[] = {{C::kL1MissFirstTouch, "compulsory"},
                                 {C::kL1MissCapacity, "capacity"},
                                 {C::kL1MissPartWritten, "partially written"},
                                 {C::kL1MissFence, "fences"},
                                 {C::kL1MissAtomic, "atomics"},
                                 {C::kL1MissBypass, "bypass L1"}};
constexpr MissReason kSecond[] = {{C::kL2MissFirstTouch, "compulsory"},
                                  {C::kL2MissCapacity, "capacity"},
                                  {C::kL2MissOtherPart, "far L2 partition"},
                                  {C::kL2MissOutdated, "written elsewhere"},
                                  {C::kL2MissPartWritten, "partially written"}};

std::uint64_t sum_of(std::span<const MissReason> reasons, const CounterSet& counters) {
    std::uint64_t sum = 0;
    for (const MissReason& reason : reasons) sum += counters[reason.counter];
    return sum;
}

double part_of(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

// The most frequent first.
std::string reasons_text(const char* level, std::span<const MissReason> reasons, const CounterSet& counters) {
    const std::uint64_t all = sum_of(reasons, counters);
    if (all == 0) return {};
    std::vector<MissReason> order(reasons.begin(), reasons.end());
    std::stable_sort(order.begin(), order.end(), [&](const MissReason& a, const MissReason& b) {
        return counters[a.counter] > counters[b.counter];
    });
    std::string text = level;
    for (const MissReason& reason : order) {
        const std::uint64_t count = counters[reason.counter];
        if (count == all) return text + " all " + reason.words;
        if (!models::is_share_seen(part_of(count, all))) break;
        text += (&reason == &order.front() ? " " : ", ") + percent(part_of(count, all)) + " " + reason.words;
    }
    return text;
}

std::string buffer_name(const CachedBuffer& buffer) {
    if (buffer.kind == BufferKind::kLocal) return "local memory";
    if (buffer.kind == BufferKind::kHeap) return "malloc in kernels";
    if (!buffer.name.empty()) return printable(buffer.name);
    if (buffer.parameter) return "arg" + std::to_string(*buffer.parameter);
    return with_prefix(static_cast<double>(buffer.bytes)) + "B";
}

// "97 % of the misses on N"; empty when no buffer stands out.
std::string missed_buffer_text(const LaunchProfile& launch) {
    const CachedBuffer* most = nullptr;
    std::uint64_t all = 0, loaded = 0, its = 0;
    for (const CachedBuffer& buffer : launch.cached_buffers) {
        const std::uint64_t missed = sum_of(kFirst, buffer.counters);
        all += missed;
        loaded += missed != 0 ? 1 : 0;
        if (missed <= its) continue;
        its = missed;
        most = &buffer;
    }
    if (most == nullptr || loaded < 2 || !models::is_share_most(part_of(its, all))) return {};
    return percent(part_of(its, all)) + " of the misses on " + buffer_name(*most);
}

// "8,192 B read, 50 % of it not requested"
std::string memory_text(const CounterSet& counters) {
    const double unasked = part_of(counters[C::kDramUnaskedBytes], counters[C::kDramReadBytes]);
    return thousands(counters[C::kDramReadBytes]) + " B read" +
           (models::is_share_seen(unasked) ? ", " + percent(unasked) + " of it not requested" : "");
}

// Of what DRAM read, the part that would be read without any access of the kernel; empty where it is next to nothing.
std::string own_text(const LaunchProfile& launch) {
    const std::uint64_t read = launch.counters[C::kDramReadBytes], own = launch.launch_read_bytes;
    if (own == 0 || !models::is_share_seen(part_of(own, read))) return {};
    const std::string what = own == read ? "all of it" : thousands(own) + " B of it";
    return what + " the fixed cost of a launch (code, parameters)";
}

// A figure of a buffer; nothing where there is nothing to have a share of.
Value cell(std::string_view name, std::uint64_t amount) {
    return amount == 0 ? Value{name, std::string(), Unit::kNone} : Value{name, amount, Unit::kNone};
}
Value share_cell(std::string_view name, std::uint64_t part, std::uint64_t all) {
    return all == 0 ? Value{name, std::string(), Unit::kShare} : Value{name, part_of(part, all), Unit::kShare};
}

Row buffer_row(const CachedBuffer& buffer) {
    const CounterSet& c = buffer.counters;
    const std::uint64_t loads =
        c[C::kGlobalLoadSectors] + c[C::kLocalLoadSectors] + c[C::kTextureSectors] + c[C::kSurfaceLoadSectors];
    const std::uint64_t hits = c[C::kGlobalLoadL1HitSectors] + c[C::kLocalLoadL1HitSectors] + c[C::kTextureHitSectors] +
                               c[C::kSurfaceLoadHitSectors];
    const std::uint64_t reads = c[C::kL2ReadSectors];
    Row row{.kind = RowKind::kFigures, .key = "buffer", .label = buffer_name(buffer), .source = RowSource::kModelled};
    row.values = {cell("loaded_sectors", loads),
                  share_cell("l1_hit_rate", hits, loads),
                  cell("stored_sectors", c[C::kL2WriteSectors]),
                  cell("l2_read_sectors", reads),
                  share_cell("l2_hit_rate", c[C::kL2ReadHitSectors], reads),
                  {"dram_bytes", c[C::kDramReadBytes] + c[C::kDramWriteBytes], Unit::kBytes}};
    const auto part = [&](std::string_view key, std::string text) {
        if (!text.empty()) row.rows.push_back({.key = key, .label = "", .text = std::move(text), .is_part = true});
    };
    if (buffer.atomic_sectors != 0)
        part("atomics", counted(buffer.atomic_sectors, "sector") + " of atomics and reductions");
    part("misses", misses_text(c));
    return row;
}

// Of what threads ask for, as people reckon it of a copy: its bytes over its time. Beyond DRAM's peak caches serve it.
void add_effective(const LaunchProfile& launch, std::vector<Row>& rows) {
    const double effective = launch.time->effective_gb_per_second;
    if (effective <= 0) return;
    Row row{.key = "effective_bandwidth",
            .label = "",
            .text = "effective " + rate_text(effective) + ": " + thousands(requested_bytes(launch.counters)) +
                    " B requested by threads, over the time",
            .is_part = true,
            .shown = Shown::kInFull,
            .values = {{"effective", effective, Unit::kGigabytesPerSecond}},
            .source = RowSource::kModelled};
    const double share = (*launch.time->of_peak)[TimeBound::kDram], dram = launch.time->dram_gb_per_second;
    if (share > 0 && dram > 0) {
        const double of_peak = effective * share / dram;
        row.values.push_back({"of_dram_peak", of_peak, Unit::kShare});
        row.text += of_peak > 1 ? ", " + times_text(of_peak) + "× DRAM's peak: caches serve it"
                                : ", " + percent(of_peak) + " of DRAM's peak";
    }
    rows.push_back(std::move(row));
}

// Of DRAM and L2, over the modelled time.
void add_bandwidth(const LaunchProfile& launch, std::vector<Row>& rows) {
    if (!launch.time || !launch.time->of_peak) return;
    const double dram = launch.time->dram_gb_per_second, l2 = launch.time->l2_gb_per_second;
    rows.push_back({.key = "bandwidth",
                    .label = "bandwidth",
                    .text = "DRAM " + rate_text(dram) + ", L2 " + rate_text(l2),
                    .values = {{"dram", dram, Unit::kGigabytesPerSecond}, {"l2", l2, Unit::kGigabytesPerSecond}},
                    .source = RowSource::kModelled});
    add_effective(launch, rows);
}

void add_dram(const LaunchProfile& launch, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    Row row{.key = "dram", .label = "DRAM", .text = memory_text(c), .source = RowSource::kModelled};
    if (std::string own = own_text(launch); !own.empty()) row.clauses.push_back({ClauseJoin::kAnd, std::move(own)});
    row.clauses.push_back({ClauseJoin::kAnd, thousands(c[C::kDramWriteBytes]) + " B written during the launch"});
    row.values = {{"read", c[C::kDramReadBytes], Unit::kBytes},
                  {"written", c[C::kDramWriteBytes], Unit::kBytes},
                  {"unasked", c[C::kDramUnaskedBytes], Unit::kBytes}};
    if (launch.launch_read_bytes != 0) row.values.push_back({"of_launch", launch.launch_read_bytes, Unit::kBytes});
    rows.push_back(std::move(row));
}

// Where only a part had a clock: what a reader has to know of all these figures.
void add_replayed(const LaunchProfile& launch, std::vector<Row>& rows) {
    if (launch.caches_replayed.value_or(1) >= 1) return;
    rows.push_back({.key = "replayed",
                    .label = "simulated",
                    .text = percent(*launch.caches_replayed) + " of its requests, as the launch is repetitive",
                    .clauses = {{ClauseJoin::kThen, "--caches full simulates all"}},
                    .values = {{"replayed", *launch.caches_replayed, Unit::kShare}},
                    .source = RowSource::kModelled});
}

// How much of what went to a cache it had, why the rest missed, and on which buffer.
void add_cache(Row row, const std::string& missed, const std::string& most, std::vector<Row>& rows) {
    if (row.text.empty())
        row.text = missed;
    else if (!missed.empty())
        row.clauses.push_back({ClauseJoin::kThen, missed});
    if (row.text.empty()) return;
    if (!most.empty()) row.clauses.push_back({ClauseJoin::kThen, most});
    rows.push_back(std::move(row));
}

void add_l1(const LaunchProfile& launch, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    Row row{.key = "l1", .label = "L1", .source = RowSource::kModelled};
    const auto add = [&](double share, std::string_view key, const char* what) {
        row.text += (row.text.empty() ? "" : ", ") + percent(share) + " of " + what;
        row.values.push_back({key, share, Unit::kShare});
    };
    if (const auto hit = ratio_by_name("l1_hit_rate")->value(c)) add(*hit, "l1_hit_rate", "global loads");
    if (c[C::kTextureSectors] != 0)
        add(part_of(c[C::kTextureHitSectors], c[C::kTextureSectors]), "texture_hit_rate", "textures");
    if (c[C::kSurfaceLoadSectors] != 0)
        add(part_of(c[C::kSurfaceLoadHitSectors], c[C::kSurfaceLoadSectors]), "surface_hit_rate", "surface loads");
    if (!row.text.empty()) row.text += " hit";
    add_cache(std::move(row), reasons_text("misses:", kFirst, c), missed_buffer_text(launch), rows);
}

void add_l2(const LaunchProfile& launch, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    Row row{.key = "l2", .label = "L2", .source = RowSource::kModelled};
    if (const auto hit = ratio_by_name("l2_hit_rate")->value(c)) {
        row.text = percent(*hit) + " of " + counted(c[C::kL2ReadSectors], "sector") + " read hit";
        row.values = {{"l2_hit_rate", *hit, Unit::kShare}, {"l2_read_sectors", c[C::kL2ReadSectors], Unit::kSectors}};
    }
    add_cache(std::move(row), reasons_text("misses:", kSecond, c), {}, rows);
}

}  // namespace

std::string misses_text(const CounterSet& counters) {
    const std::string first = reasons_text("L1", kFirst, counters), second = reasons_text("L2", kSecond, counters);
    return first + (first.empty() || second.empty() ? "" : "; ") + second;
}

bool is_worth_reasons(const LaunchProfile& launch, const LineProfile& line) {
    return models::is_worth_reasons(sum_of(kFirst, line.counters), line.counters[C::kL1MissFirstTouch],
                                    sum_of(kFirst, launch.counters));
}

void add_caches(const LaunchProfile& launch, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    if (!c.modelled) return;
    add_bandwidth(launch, rows);
    add_dram(launch, rows);
    add_l1(launch, rows);
    add_l2(launch, rows);
    add_replayed(launch, rows);
    Row buffers{.kind = RowKind::kTable, .key = "buffers", .label = "buffers", .shown = Shown::kInFull};
    buffers.source = RowSource::kModelled;
    buffers.columns = {"sectors, bytes", "loaded", "L1 hits", "stored", "read from L2", "L2 hits", "DRAM bytes"};
    for (const CachedBuffer& buffer : launch.cached_buffers) buffers.rows.push_back(buffer_row(buffer));
    rows.push_back(std::move(buffers));
}

}  // namespace tilescope::views
