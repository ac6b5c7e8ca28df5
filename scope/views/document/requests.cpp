// Rows on what requests took: one table of counters, memory by memory.
#include <algorithm>
#include <span>

#include "scope/report/format.h"
#include "scope/report/ratios.h"
#include "scope/views/document/groups.h"
#include "scope/views/document/parts.h"
#include "scope/views/words/reuse.h"

namespace tilescope::views {
namespace {

using C = Counter;

double share_of(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

// What is said of one kind of requests. A counter that does not apply is kCount.
struct RequestKind {
    std::string_view key, label;
    C requests, taken;     // how many, and what they took of the memory in all
    C ideal = C::kCount;   // what their bytes would have taken
    C beyond = C::kCount;  // or what they took beyond that
    C lines = C::kCount;   // that they spread over
    Unit each = Unit::kNone, all = Unit::kNone;
    std::string_view each_name, all_name;
    C matrices = C::kCount;  // requests that move matrices of eight rows, whose taken and beyond are among the above
    std::string_view moved_by = {};
};

constexpr RequestKind kGlobal[] = {
    {"global_loads", "global loads", C::kGlobalLoadRequests, C::kGlobalLoadSectors, C::kGlobalLoadIdealSectors,
     C::kCount, C::kGlobalLoadLines, Unit::kSectorsPerRequest, Unit::kSectors, "sectors_per_request", "sectors"},
    {"global_stores", "global stores", C::kGlobalStoreRequests, C::kGlobalStoreSectors, C::kGlobalStoreIdealSectors,
     C::kCount, C::kCount, Unit::kSectorsPerRequest, Unit::kSectors, "sectors_per_request", "sectors"},
    {"global_atomics", "global atomics", C::kGlobalAtomicRequests, C::kGlobalAtomicSectors, C::kCount, C::kCount,
     C::kCount, Unit::kSectorsPerRequest, Unit::kSectors, "sectors_per_request", "sectors"},
    {"reductions", "reductions", C::kGlobalReductionRequests, C::kGlobalReductionSectors, C::kCount, C::kCount,
     C::kCount, Unit::kSectorsPerRequest, Unit::kSectors, "sectors_per_request", "sectors"},
};
constexpr RequestKind kShared[] = {
    {"shared_loads", "shared loads", C::kSharedLoadRequests, C::kSharedLoadWavefronts, C::kCount,
     C::kSharedLoadBankConflicts, C::kCount, Unit::kWavefrontsPerRequest, Unit::kConflicts, "wavefronts_per_request",
     "bank_conflicts", C::kMatrixLoadRequests, "ldmatrix"},
    {"shared_stores", "shared stores", C::kSharedStoreRequests, C::kSharedStoreWavefronts, C::kCount,
     C::kSharedStoreBankConflicts, C::kCount, Unit::kWavefrontsPerRequest, Unit::kConflicts, "wavefronts_per_request",
     "bank_conflicts", C::kMatrixStoreRequests, "stmatrix"},
};

Place place_of(const LineProfile& line) { return {line.file, line.line}; }

void place_at(const LaunchProfile& launch, C counter, Row& row) {
    if (const LineProfile* line = line_of_most(launch, counter)) row.places.push_back(place_of(*line));
}

// How much of a line requests ask for, where they leave a good part of it.
void add_lines(const CounterSet& c, const RequestKind& kind, std::vector<Row>& rows) {
    if (kind.lines == C::kCount || !c.modelled) return;
    if (!models::is_line_left(c[kind.taken], c[kind.lines], c[kind.requests])) return;
    const double each = share_of(c[kind.taken], c[kind.lines]);
    rows.push_back({.key = "sectors_per_line",
                    .label = "",
                    .text = per_request(each) + " of the 4 sectors of each line",
                    .is_part = true,
                    .values = {{"sectors_per_line", each, Unit::kNone}, {"lines", c[kind.lines], Unit::kNone}}});
}

std::uint64_t all_requests(const CounterSet& c, const RequestKind& kind) {
    return c[kind.requests] + (kind.matrices == C::kCount ? 0 : c[kind.matrices]);
}

// Which of the requests move matrices.
void add_matrices(const CounterSet& c, const RequestKind& kind, std::vector<Row>& rows) {
    if (kind.matrices == C::kCount || c[kind.matrices] == 0) return;
    const std::uint64_t requests = c[kind.matrices];
    rows.push_back({.key = "matrices",
                    .label = "",
                    .text = (c[kind.requests] == 0 ? "all " : "") + counted(requests, "request") + " by " +
                            std::string(kind.moved_by) + ", which moves eight rows of 16 bytes per wavefront at best",
                    .is_part = true,
                    .values = {{"matrix_requests", requests, Unit::kRequests}}});
}

// What wgmma reads by itself: no request of a thread, and never in conflict.
void add_factors(const LaunchProfile& launch, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    if (c[C::kFactorLoadBytes] == 0) return;
    Row row{.key = "factors", .label = "wgmma reads"};
    row.text = thousands(c[C::kFactorLoadBytes]) + " B of shared memory in " +
               counted(c[C::kFactorLoadWavefronts], "wavefront") + ", which no load requests";
    row.values = {{"bytes", c[C::kFactorLoadBytes], Unit::kBytes},
                  {"wavefronts", c[C::kFactorLoadWavefronts], Unit::kNone}};
    place_at(launch, C::kFactorLoadWavefronts, row);
    rows.push_back(std::move(row));
}

void add_requests(const LaunchProfile& launch, std::span<const RequestKind> kinds, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    for (const RequestKind& kind : kinds) {
        const std::uint64_t requests = all_requests(c, kind);
        if (requests == 0) continue;
        const double each = share_of(c[kind.taken], requests);
        Row row{.kind = RowKind::kFigures, .key = kind.key, .label = std::string(kind.label)};
        Value first{kind.each_name, each, kind.each};
        Value all{kind.all_name, c[kind.taken], kind.all};
        C where = kind.taken;
        if (kind.ideal != C::kCount) {
            const double ideal = share_of(c[kind.ideal], requests);
            if (ideal > 0) first.ideal = ideal;
            row.verdict = models::sectors_verdict(each, ideal);
        }
        if (kind.beyond != C::kCount) {
            const std::uint64_t beyond = c[kind.beyond];
            first.ideal = share_of(c[kind.taken] - std::min(c[kind.taken], beyond), requests);
            all.amount = beyond;
            row.verdict = models::bank_verdict(beyond);
            if (beyond != 0) where = kind.beyond;
        }
        row.values = {std::move(first), std::move(all)};
        place_at(launch, where, row);
        rows.push_back(std::move(row));
        add_lines(c, kind, rows);
        add_matrices(c, kind, rows);
    }
}

bool uses_shared(const CounterSet& c) {
    return c[C::kSharedLoadRequests] + c[C::kSharedStoreRequests] + c[C::kSharedAtomicRequests] +
               c[C::kMatrixLoadRequests] + c[C::kMatrixStoreRequests] + c[C::kFactorLoadBytes] !=
           0;
}

// In words, beside a row of local memory.
void add_spills(const LaunchProfile& launch, std::vector<Row>& rows) {
    const auto& traffic = launch.spill_traffic;
    if (!traffic && (!launch.observed || launch.spill_store_bytes + launch.spill_load_bytes == 0)) return;
    Row row{.key = "spills", .label = "spills"};
    if (!traffic) {
        row.text = "not counted: how often they execute is not known";
    } else {
        const std::uint64_t sectors = traffic->loads.sectors + traffic->stores.sectors;
        row.source = traffic->counted ? RowSource::kCounted : RowSource::kEstimated;
        row.text = traffic->counted ? counted(sectors, "sector") + " of these"
                                    : "about " + counted(sectors, "sector") + " more (an estimate, not in the counts)";
        row.values.push_back({"sectors", sectors, Unit::kSectors});
    }
    rows.push_back(std::move(row));
}

}  // namespace

std::string reuse_text(const LaunchProfile& launch) {
    using R = models::ReuseVerdict;
    const R verdict = models::reuse_verdict(launch);
    if (verdict == R::kUnknown) return {};
    if (verdict == R::kNone) return "no byte is requested twice by a block: no data reuse";
    if (verdict == R::kLittle) return "few bytes are requested twice by a block: little data reuse";
    if (verdict == R::kOwn || verdict == R::kOwnInRegisters)
        return "each byte is requested " + times_text(launch.tiling->potential()) +
               " times, mostly by one thread: tiling cannot save it" +
               (verdict == R::kOwnInRegisters ? ", registers can" : "");
    const std::string times = times_text(launch.tiling->between_threads());
    const std::string saved = ": tiling can save " + times + "×";
    if (verdict == R::kEven) return "every byte is requested " + times + " times by its block" + saved;
    return "a block requests " + asked_text(launch, models::kAskedAgain) + saved;
}

void add_global_requests(const LaunchProfile& launch, std::vector<Row>& rows) { add_requests(launch, kGlobal, rows); }

void add_shared_requests(const LaunchProfile& launch, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    const std::string reuse = reuse_text(launch);
    std::vector<Value> tiling;
    if (launch.tiling) tiling = {{"potential", launch.tiling->potential(), Unit::kTimes}};
    if (!uses_shared(c)) {
        rows.push_back({.key = "shared",
                        .label = "shared",
                        .text = "not used" + (reuse.empty() ? "" : "; " + reuse),
                        .values = std::move(tiling)});
        return;
    }
    add_requests(launch, kShared, rows);
    add_factors(launch, rows);
    if (c[C::kSharedAtomicRequests] != 0) {
        Row row{.kind = RowKind::kFigures, .key = "shared_atomics", .label = "shared atomics"};
        row.values = {{"requests", c[C::kSharedAtomicRequests], Unit::kRequests},
                      {"bank_conflicts", c[C::kSharedAtomicBankConflicts], Unit::kConflicts}};
        place_at(launch, C::kSharedAtomicRequests, row);
        rows.push_back(std::move(row));
    }
    using R = models::ReuseVerdict;
    const R verdict = models::reuse_verdict(launch);
    if (verdict != R::kUnknown && verdict != R::kNone && verdict != R::kLittle)
        rows.push_back({.key = "tiling", .label = "tiling", .text = reuse, .values = std::move(tiling)});
}

void add_local_requests(const LaunchProfile& launch, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    const std::uint64_t requests = c[C::kLocalLoadRequests] + c[C::kLocalStoreRequests];
    const std::uint64_t sectors = c[C::kLocalLoadSectors] + c[C::kLocalStoreSectors];
    if (requests != 0 && launch.registers_from != RegistersFrom::kEstimate && launch.local_bytes_per_thread == 0) {
        rows.push_back({.key = "local",
                        .label = "local",
                        .text = "in PTX only (" + counted(sectors, "sector") + "): ptxas keeps it in registers"});
    } else if (requests != 0) {
        Row row{.kind = RowKind::kFigures, .key = "local", .label = "local", .source = RowSource::kMachineCode};
        row.values = {{"sectors_per_request", share_of(sectors, requests), Unit::kSectorsPerRequest},
                      {"sectors", sectors, Unit::kSectors}};
        place_at(launch, C::kLocalLoadSectors, row);
        rows.push_back(std::move(row));
    }
    add_spills(launch, rows);
}

void add_constant_requests(const LaunchProfile& launch, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    const std::uint64_t requests = c[C::kConstantRequests], passes = c[C::kConstantPasses];
    if (requests == 0) return;
    const double each = share_of(passes, requests);
    Row row{.kind = RowKind::kFigures, .key = "constant", .label = "constant"};
    row.values = {{"passes_per_request", each, Unit::kPassesPerRequest, 1.0}, {"passes", passes, Unit::kPasses}};
    row.verdict = models::constant_verdict(each);
    place_at(launch, C::kConstantPasses, row);
    rows.push_back(std::move(row));
    const std::uint64_t hits = c[C::kConstantL1Hits], misses = c[C::kConstantL1Misses];
    if (!c.modelled || hits + misses == 0) return;
    const double hit = share_of(hits, hits + misses);
    Row cache{.kind = RowKind::kFigures, .key = "constant_cache", .label = "constant cache", .is_part = true};
    cache.source = RowSource::kModelled;
    cache.values = {{"hit_rate", hit, Unit::kShare, {}, "", "of lookups hit"}, {"misses", misses, Unit::kMisses}};
    cache.verdict = models::constant_cache_verdict(hit);
    place_at(launch, C::kConstantL1Misses, cache);
    rows.push_back(std::move(cache));
}

void add_texel_requests(const LaunchProfile& launch, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    const struct {
        const char *key, *label;
        C requests, sectors;
    } kKinds[] = {{"textures", "textures", C::kTextureRequests, C::kTextureSectors},
                  {"surface_loads", "surface loads", C::kSurfaceLoadRequests, C::kSurfaceLoadSectors},
                  {"surface_stores", "surface stores", C::kSurfaceStoreRequests, C::kSurfaceStoreSectors}};
    for (const auto& kind : kKinds) {
        if (c[kind.requests] == 0) continue;
        Row row{.kind = RowKind::kFigures, .key = kind.key, .label = kind.label};
        row.values = {{"sectors_per_request", share_of(c[kind.sectors], c[kind.requests]), Unit::kSectorsPerRequest},
                      {"sectors", c[kind.sectors], Unit::kSectors}};
        place_at(launch, kind.sectors, row);
        rows.push_back(std::move(row));
    }
}

// Only where lanes idle: full warps are what everybody expects.
void add_lanes(const LaunchProfile& launch, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    const models::Verdict verdict = models::lanes_verdict(c);
    const auto active = ratio_by_name("lane_efficiency")->value(c);
    if (!active || verdict.grade == models::Grade::kGood) return;
    Row row{.kind = RowKind::kFigures, .key = "lanes", .label = "lanes"};
    row.values = {{"active", *active, Unit::kShare, {}, "", "active"},
                  {"divergent_branches", c[C::kDivergentBranches], Unit::kDivergentBranches}};
    row.verdict = verdict;
    place_at(launch, C::kDivergentBranches, row);
    rows.push_back(std::move(row));
}

}  // namespace tilescope::views
