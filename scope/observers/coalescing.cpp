// Coalescing: a request's 32-byte sectors.
//
// Rule (H200, tests/truth): one request per warp instruction that has an active lane; its sectors are the distinct
// aligned 32-byte pieces that the active lanes touch, whatever the width. cp.async reads count as global loads; past L1
// their sectors hang on where they go (sector_rule.h). An
// atomic or a reduction takes turns where lanes share an address (bench/hardware, H200), unless the assembler combined
// the lanes beforehand (AccessKind::kCombined and kCombinedAtomic).
#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "scope/observers/address_set.h"
#include "scope/observers/atomic_addresses.h"
#include "scope/observers/counting.h"
#include "scope/observers/hierarchy/rules.h"
#include "scope/observers/request_pictures.h"
#include "scope/observers/sector_rule.h"
#include "scope/observers/swap_loop.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;
using machine::Space;

struct SectorSiteCount {
    AccessKind kind = AccessKind::kLoad;
    std::uint64_t requests = 0, sectors = 0, ideal_sectors = 0, bytes = 0, lanes = 0, addresses = 0;
    // The pattern at hand: sectors depend on where in a sector it begins, the rest does not.
    std::array<std::uint16_t, kSectorBytes> sectors_from{};
    std::uint64_t tries = 0, loads = 0;  // of loops that try to swap: requests, and sectors that are loaded before
    std::array<std::uint8_t, kSectorBytes> tries_from{}, loads_from{};
    std::uint32_t pattern_ideal = 0, pattern_bytes = 0, pattern_lanes = 0, pattern_addresses = 0;
    RequestTally with_sectors{};
    RequestExamples examples;
};

// The counters a kind of access goes to.
struct Destination {
    Counter requests, sectors, ideal, bytes;
};

Destination destination_of(AccessKind kind) {
    switch (kind) {
        case AccessKind::kLoad:
        case AccessKind::kMatrixLoad:
        case AccessKind::kFactorLoad:
        case AccessKind::kAsyncCopyRead:
            return {Counter::kGlobalLoadRequests, Counter::kGlobalLoadSectors, Counter::kGlobalLoadIdealSectors,
                    Counter::kGlobalLoadBytesRequested};
        case AccessKind::kStore:
        case AccessKind::kMatrixStore:
        case AccessKind::kAsyncCopyWrite:
            return {Counter::kGlobalStoreRequests, Counter::kGlobalStoreSectors, Counter::kGlobalStoreIdealSectors,
                    Counter::kGlobalStoreBytesRequested};
        case AccessKind::kAtomic:
        case AccessKind::kSwapLoop:
        case AccessKind::kCombinedAtomic:
            return {Counter::kGlobalAtomicRequests, Counter::kGlobalAtomicSectors, Counter::kCount, Counter::kCount};
        case AccessKind::kReduction:
        case AccessKind::kIncrement:
        case AccessKind::kCombined:
            return {Counter::kGlobalReductionRequests, Counter::kGlobalReductionSectors, Counter::kCount,
                    Counter::kCount};
    }
    return {Counter::kCount, Counter::kCount, Counter::kCount, Counter::kCount};
}

// Lanes that update one address take turns: each turn is a pass over the sectors it touches, so that a sector counts as
// often as its busiest address is wanted.
bool takes_turns(AccessKind kind) { return kind == AccessKind::kAtomic || kind == AccessKind::kReduction; }

class Coalescing final : public CountingObserver {
public:
    std::uint32_t wants(const machine::Site&) const override { return machine::bit_of(Space::kGlobal); }
    void prepare(const LaunchContext& context) override {
        memory_ = context.memory;
        parameter_offsets_ = context.parameter_offsets;
        name_of_ = context.name_of;
    }

    void on_access(const Access& access) override {
        SectorSiteCount& site = sites_[access.site];
        if (is_atomic(access.kind)) atomics_.on_atomic(access);
        const unsigned phase = phase_of(access);
        if (!access.same_pattern || site.sectors_from[phase] == 0) look_at(site, access, phase);
        site.requests += 1;
        const std::uint16_t sectors = site.sectors_from[phase];
        site.sectors += sectors;
        ++site.with_sectors[std::min<std::size_t>(sectors, kMostUnits)];
        site.ideal_sectors += site.pattern_ideal;
        site.bytes += site.pattern_bytes;
        site.lanes += site.pattern_lanes;
        site.addresses += site.pattern_addresses;
        if (site.kind != AccessKind::kSwapLoop) return;
        site.tries += site.tries_from[phase];
        site.loads += site.loads_from[phase];
    }

    void end_block(const machine::BlockPlace&) override { atomics_.end_block(); }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Coalescing>();
        shard->atomics_ = AtomicAddresses(program, memory_);
        shard->parameter_offsets_ = parameter_offsets_;
        shard->name_of_ = name_of_;
        shard->sites_.resize(program.sites.size());
        return shard;
    }

    void merge(const Observer& other) override {
        atomics_.merge(static_cast<const Coalescing&>(other).atomics_);
        const auto& theirs = static_cast<const Coalescing&>(other).sites_;
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            if (theirs[i].requests == 0) continue;
            sites_[i].kind = theirs[i].kind;
            sites_[i].requests += theirs[i].requests;
            sites_[i].sectors += theirs[i].sectors;
            sites_[i].ideal_sectors += theirs[i].ideal_sectors;
            sites_[i].bytes += theirs[i].bytes;
            sites_[i].lanes += theirs[i].lanes;
            sites_[i].addresses += theirs[i].addresses;
            sites_[i].tries += theirs[i].tries;
            sites_[i].loads += theirs[i].loads;
            for (std::size_t units = 0; units <= kMostUnits; ++units)
                sites_[i].with_sectors[units] += theirs[i].with_sectors[units];
            sites_[i].examples.merge(theirs[i].examples);
        }
    }

    void finish(const machine::Program& program, OpCounters& counters) const override {
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            const SectorSiteCount& site = sites_[i];
            if (site.requests == 0) continue;
            CounterSet& op = counters[program.sites[i].op];
            const Destination to = destination_of(site.kind);
            const bool is_loop = site.kind == AccessKind::kSwapLoop;
            op[to.requests] += is_loop ? site.tries : site.requests;
            if (is_loop) {
                op[Counter::kGlobalLoadRequests] += site.requests;
                op[Counter::kGlobalLoadSectors] += site.loads;
                op[Counter::kGlobalLoadIdealSectors] += site.loads;
                op[Counter::kGlobalLoadBytesRequested] += site.bytes;
            }
            op[to.sectors] += site.sectors;
            if (to.ideal != Counter::kCount) op[to.ideal] += site.ideal_sectors;
            if (to.bytes != Counter::kCount) op[to.bytes] += site.bytes;
            if (to.ideal != Counter::kCount && !is_loop) sort_out(program.facts[program.sites[i].op], site, to, op);
            if (!is_atomic(site.kind)) continue;
            op[Counter::kGlobalAtomicThreadOperations] += site.lanes;
            op[Counter::kGlobalAtomicAddresses] += site.addresses;
        }
        atomics_.finish(program, counters);
    }

    // Lines all of whose accesses are of matrices.
    void add_layouts(const machine::Program& program, LaunchProfile& launch) const {
        std::map<std::pair<std::string, std::uint32_t>, bool> by_line;
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            const machine::OpFacts& facts = program.facts[program.sites[i].op];
            if (sites_[i].requests == 0 || facts.place.line == 0) continue;
            const auto [at, is_new] = by_line.try_emplace({program.files[facts.place.file], facts.place.line}, true);
            at->second = at->second && facts.by_layout;
        }
        for (LineProfile& line : launch.lines)
            if (const auto found = by_line.find({line.file, line.line}); found != by_line.end())
                line.by_layout = found->second;
    }

    void add_to_profile(const machine::Program& program, LaunchProfile& launch) const override {
        std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> by_line;
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            const machine::OpFacts& facts = program.facts[program.sites[i].op];
            if (facts.is_further_part && is_scattered(sites_[i]) && facts.place.line != 0)
                by_line[{program.files[facts.place.file], facts.place.line}] = facts.structure_bytes;
        }
        for (LineProfile& line : launch.lines)
            if (const auto found = by_line.find({line.file, line.line}); found != by_line.end())
                line.structure_bytes = found->second;
        add_layouts(program, launch);
        std::vector<SeenRequests> seen;
        for (std::uint32_t i = 0; i < sites_.size(); ++i) {
            if (is_atomic(sites_[i].kind)) continue;
            seen.push_back({i, sites_[i].kind, &sites_[i].with_sectors, &sites_[i].examples, {}, {}});
            name_source(program, program.sites[i].pointer, seen.back());
        }
        add_pictures(program, std::move(seen), /*banks=*/false, launch);
    }

private:
    // What the address counts from, where that is certain.
    void name_source(const machine::Program& program, std::int32_t pointer, SeenRequests& seen) const {
        if (pointer < 0) return;
        const machine::PointerSource& source = program.pointers[static_cast<std::size_t>(pointer)];
        if (!source.is_parameter) {
            if (name_of_) seen.variable = name_of_(source.at);
            return;
        }
        const auto found = std::find(parameter_offsets_.begin(), parameter_offsets_.end(), source.at);
        if (found != parameter_offsets_.end())
            seen.parameter = static_cast<std::uint32_t>(found - parameter_offsets_.begin());
    }

    static bool is_scattered(const SectorSiteCount& site) {
        return site.requests != 0 && 2 * site.sectors >= 3 * site.ideal_sectors;
    }

    // Of requests that take more sectors than their bytes need, those that ask for a further part of a structure, and
    // those whose index is data.
    static void sort_out(const machine::OpFacts& facts, const SectorSiteCount& site, const Destination& to,
                         CounterSet& op) {
        const bool scattered = is_scattered(site);
        const bool is_load = to.requests == Counter::kGlobalLoadRequests;
        if (scattered && facts.is_further_part) {
            op[is_load ? Counter::kGlobalLoadPartRequests : Counter::kGlobalStorePartRequests] += site.requests;
            op[is_load ? Counter::kGlobalLoadPartSectors : Counter::kGlobalStorePartSectors] += site.sectors;
        } else if (facts.by_data) {
            const std::uint64_t parts = scattered && facts.structure_bytes != 0 && site.lanes != 0
                                            ? facts.structure_bytes * site.lanes / site.bytes
                                            : 1;
            op[is_load ? Counter::kGlobalLoadDataSectors : Counter::kGlobalStoreDataSectors] += site.sectors;
            op[is_load ? Counter::kGlobalLoadDataIdealSectors : Counter::kGlobalStoreDataIdealSectors] +=
                parts * site.ideal_sectors;
        }
    }

    // Where in a sector it begins; of a copy whose place in the line counts, of 16 bytes each, where in a line.
    static unsigned phase_of(const Access& access) {
        constexpr unsigned kPhaseBytes = kLineBytes / kSectorBytes;
        return access.to_deltas != nullptr ? access.first % kLineBytes / kPhaseBytes : access.first % kSectorBytes;
    }

    __attribute__((noinline)) static void look_at(SectorSiteCount& site, const Access& access, unsigned phase) {
        const AddressKeys addresses(access);
        if (!access.same_pattern) new_pattern(site, access, addresses);
        site.sectors_from[phase] = static_cast<std::uint16_t>(
            access.to_deltas != nullptr ? copied_sectors(access) : sectors_of(site, addresses));
        if (!is_atomic(site.kind))
            site.examples.offer(access, access.first % kSectorBytes, site.sectors_from[phase], site.pattern_ideal);
        if (site.kind != AccessKind::kSwapLoop) return;
        const SwapLoop loop = swap_loop(access);
        site.loads_from[phase] = static_cast<std::uint8_t>(addresses.count_distinct(kSectorShift));
        site.tries_from[phase] = static_cast<std::uint8_t>(loop.turns);
        site.sectors_from[phase] = static_cast<std::uint16_t>(loop.sectors);
    }

    static void new_pattern(SectorSiteCount& site, const Access& access, const AddressKeys& addresses) {
        site.kind = access.kind;
        site.sectors_from.fill(0);
        site.pattern_lanes = access.lanes();
        site.pattern_bytes = site.pattern_lanes * access.width;
        site.pattern_addresses = addresses.count_distinct();
        site.pattern_ideal = ideal_sectors(site.pattern_addresses, access.width);
    }

    static unsigned sectors_of(const SectorSiteCount& site, const AddressKeys& addresses) {
        if (!takes_turns(site.kind) || site.pattern_addresses == site.pattern_lanes) return touched_sectors(addresses);
        return site.pattern_addresses == 1 ? site.pattern_lanes : addresses.count_in_turns(kSectorShift);
    }

    const machine::Memory* memory_ = nullptr;
    std::vector<std::uint64_t> parameter_offsets_;
    std::function<std::string(std::uint64_t base)> name_of_;
    AtomicAddresses atomics_;
    std::vector<SectorSiteCount> sites_;
};

// Local memory is interleaved: word w of lane l of a warp lies at (w * 32 + l) * 4, so that lanes which read the same
// element of their own arrays read neighbouring words.
class LocalCoalescing final : public CountingObserver {
public:
    std::uint32_t wants(const machine::Site&) const override { return machine::bit_of(Space::kLocal); }

    void on_access(const Access& access) override {
        Count& site = sites_[access.site];
        site.store = access.kind != AccessKind::kLoad;
        site.requests += 1;
        site.bytes += std::uint64_t{access.lanes()} * access.width;
        const unsigned words = (access.width + 3u) / 4u;
        for (unsigned word = 0; word < words; ++word)
            site.sectors += count_distinct(access.mask, [&](unsigned lane) {
                return ((access.address(lane) / 4 + word) * machine::kWarpSize + lane) * 4 / kSectorBytes;
            });
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<LocalCoalescing>();
        shard->sites_.resize(program.sites.size());
        return shard;
    }

    void merge(const Observer& other) override {
        const auto& theirs = static_cast<const LocalCoalescing&>(other).sites_;
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            sites_[i].store |= theirs[i].store;
            sites_[i].requests += theirs[i].requests;
            sites_[i].sectors += theirs[i].sectors;
            sites_[i].bytes += theirs[i].bytes;
        }
    }

    void finish(const machine::Program& program, OpCounters& counters) const override {
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            const Count& site = sites_[i];
            if (site.requests == 0) continue;
            CounterSet& op = counters[program.sites[i].op];
            op[site.store ? Counter::kLocalStoreRequests : Counter::kLocalLoadRequests] += site.requests;
            op[site.store ? Counter::kLocalStoreSectors : Counter::kLocalLoadSectors] += site.sectors;
            op[site.store ? Counter::kLocalStoreBytesRequested : Counter::kLocalLoadBytesRequested] += site.bytes;
        }
    }

private:
    struct Count {
        bool store = false;
        std::uint64_t requests = 0, sectors = 0, bytes = 0;
    };
    std::vector<Count> sites_;
};

}  // namespace

std::unique_ptr<CountingObserver> make_coalescing() { return std::make_unique<Coalescing>(); }
std::unique_ptr<CountingObserver> make_local_coalescing() { return std::make_unique<LocalCoalescing>(); }

}  // namespace tilescope::observers
