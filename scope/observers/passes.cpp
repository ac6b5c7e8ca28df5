// What requests to global memory cost on their way, whether they hit or not: passes of loads through L1, the lines that
// requests touch, and how unevenly atomics fall on the units of L2 (atomic_units.h). Only looked at where the caches
// are modelled, for the time model alone asks.
//
// Passes of loads are bank_rule.h's (load_passes).
#include <algorithm>
#include <array>

#include "scope/machine/program.h"
#include "scope/observers/atomic_units.h"
#include "scope/observers/bank_rule.h"
#include "scope/observers/counting.h"
#include "scope/observers/hierarchy/record/addresses.h"
#include "scope/observers/hierarchy/rules.h"
#include "scope/observers/sector_rule.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;
using machine::Space;

bool is_load(AccessKind kind) {
    return kind == AccessKind::kLoad || kind == AccessKind::kMatrixLoad || kind == AccessKind::kAsyncCopyRead;
}

struct PassSiteCount {
    AccessKind kind = AccessKind::kLoad;
    std::uint64_t load_passes = 0, load_lines = 0, store_lines = 0;
    // The pattern at hand, by where in a line it begins; 0 lines: not looked at.
    std::array<std::uint8_t, kLineBytes> lines{}, passes{};
    CacheAddresses::Range range;
    bool sums_floats = false;  // of atomics
    SectorTurns turns;
};

class Passes final : public CountingObserver {
public:
    std::uint32_t wants(const machine::Site&) const override {
        return addresses_ ? machine::bit_of(Space::kGlobal) | machine::bit_of(Space::kLocal) : 0;
    }
    void prepare(const LaunchContext& context) override {
        if (!context.caches) return;
        addresses_ = context.cache_addresses;
        l2_ = context.caches->l2;
        lookup_tenths_ = context.caches->l1.hit_tenths;
    }

    void begin_block(const machine::BlockPlace&) override { warps_.fill(0); }
    void end_block(const machine::BlockPlace&) override {
        for (const std::uint64_t asked : warps_) {
            busiest_ = std::max(busiest_, asked);
            asked_ += asked;
        }
    }

    void on_access(const Access& access) override {
        if (is_load(access.kind) || is_atomic(access.kind)) ++warps_[access.warp() % warps_.size()];
        if (access.space != Space::kGlobal) return;
        PassSiteCount& site = sites_[access.site];
        const unsigned phase = access.first % kLineBytes;
        if (!access.same_pattern) site.lines.fill(0);
        if (site.lines[phase] == 0) look_at(site, access, phase);
        if (is_load(access.kind)) {
            site.load_passes += site.passes[phase];
            site.load_lines += site.lines[phase];
            return;
        }
        site.store_lines += site.lines[phase];
        if (is_atomic(access.kind)) update(site, access);
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Passes>();
        shard->addresses_ = addresses_;
        shard->lookup_tenths_ = lookup_tenths_;
        if (!addresses_) return shard;
        shard->sites_.resize(program.sites.size());
        bool any_sums_floats = false;
        for (std::size_t i = 0; i < shard->sites_.size(); ++i) {
            const bool sums_floats = program.facts[program.sites[i].op].each_try != Counter::kCount;
            shard->sites_[i].sums_floats = sums_floats;
            any_sums_floats |= sums_floats;
        }
        shard->units_ = AtomicUnits(l2_, any_sums_floats);
        return shard;
    }

    void merge(const Observer& other) override {
        const auto& theirs = static_cast<const Passes&>(other);
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            if (theirs.sites_[i].load_lines + theirs.sites_[i].store_lines != 0) sites_[i].kind = theirs.sites_[i].kind;
            sites_[i].load_passes += theirs.sites_[i].load_passes;
            sites_[i].load_lines += theirs.sites_[i].load_lines;
            sites_[i].store_lines += theirs.sites_[i].store_lines;
        }
        units_.merge(theirs.units_);
        busiest_ = std::max(busiest_, theirs.busiest_);
        asked_ += theirs.asked_;
    }

    void finish(const machine::Program& program, OpCounters& counters) const override {
        if (!addresses_) return;
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            if (sites_[i].load_lines + sites_[i].store_lines == 0) continue;
            CounterSet& op = counters[program.sites[i].op];
            op[Counter::kGlobalLoadLines] += sites_[i].load_lines;
            if (!is_atomic(sites_[i].kind)) op[Counter::kGlobalStoreLines] += sites_[i].store_lines;
        }
    }

    void add_to_profile(const machine::Program&, LaunchProfile& launch) const override {
        if (!addresses_) return;
        if (!launch.work) launch.work.emplace();
        PassSiteCount all;
        for (const PassSiteCount& site : sites_) {
            all.load_passes += site.load_passes;
            all.load_lines += site.load_lines;
            all.store_lines += site.store_lines;
        }
        launch.work->load_passes = static_cast<double>(all.load_passes);
        launch.work->load_lines = static_cast<double>(all.load_lines);
        launch.work->store_lines = static_cast<double>(all.store_lines);
        const AtomicUnits::Busiest busiest_unit = units_.busiest();
        launch.work->hottest_updates = busiest_unit.turns;
        launch.work->hottest_waits = busiest_unit.waits;
        const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
        const std::uint64_t of_a_block = (threads + 31) / 32;
        const double warps = static_cast<double>(launch.blocks_run) * static_cast<double>(of_a_block);
        if (asked_ != 0)
            launch.work->busiest_warp =
                std::max(1.0, static_cast<double>(busiest_) * warps / static_cast<double>(asked_));
    }

private:
    __attribute__((noinline)) void look_at(PassSiteCount& site, const Access& access, unsigned phase) const {
        const unsigned lines = touched_lines(access);
        site.kind = access.kind;
        site.lines[phase] = static_cast<std::uint8_t>(lines);
        site.passes[phase] = 0;
        if (!is_load(access.kind)) return;
        site.passes[phase] = static_cast<std::uint8_t>(load_passes(access, lines, lookup_tenths_));
    }

    void update(PassSiteCount& site, const Access& access) {
        if (!site.range.holds(access.first)) site.range = addresses_->find(access.first);
        units_.add(access, AtomicUnits::shift_of(site.range.from, site.range.shift), site.sums_floats, site.turns);
    }

    std::shared_ptr<const CacheAddresses> addresses_;
    std::vector<PassSiteCount> sites_;
    L2Rules l2_;
    unsigned lookup_tenths_ = 0;
    AtomicUnits units_;
    std::array<std::uint64_t, kMaxWarps> warps_{};  // of the block at hand: what each asks for
    std::uint64_t busiest_ = 0, asked_ = 0;
};

}  // namespace

std::unique_ptr<CountingObserver> make_passes() { return std::make_unique<Passes>(); }

}  // namespace tilescope::observers
