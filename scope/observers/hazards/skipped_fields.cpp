#include "scope/observers/hazards/skipped_fields.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <unordered_map>

#include "scope/observers/hazards/block_clock.h"
#include "scope/observers/hazards/hazards.h"
#include "scope/observers/hazards/undefined_memory.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::kWarpSize;
using machine::Site;
using machine::Space;

// Bounds of what is followed: a structure's bytes, stores to one buffer, and places that a pair of stores leaves out.
constexpr std::int64_t kMostBytes = 256;
constexpr std::size_t kMostStores = 12, kMostSkips = 64;
// Threads that make both stores for each one that leaves one out, and at least.
constexpr std::uint64_t kOthersPerSkip = 100, kLeastOthers = 7;

bool is_store(const Site& site) {
    return site.is_access && site.is_announced && site.kind == machine::AccessKind::kStore && site.pointer >= 0 &&
           site.width <= 16;
}

class SkippedFields final : public HazardObserver {
public:
    std::uint32_t wants(const Site& site) const override {
        return is_store(site) ? machine::bit_of(Space::kGlobal) : 0;
    }
    bool sees_all_blocks() const override { return true; }
    void prepare(const HazardContext& context) override { context_ = context; }

    void end_block(const machine::BlockPlace& place) override {
        const auto at = blocks_.find(place.number);
        if (at == blocks_.end()) return;
        for (std::uint32_t number = 0; number < at->second.size(); ++number) {
            const WarpState& warp = at->second[number];
            for (std::size_t i = 0; i < warp.open.size(); ++i)
                skip(pairs_[i], true, warp.last[number_of_[pairs_[i].first]], warp.open[i],
                     {place.number, number * kWarpSize});
        }
        blocks_.erase(at);
    }

    void on_access(const Access& access) override {
        const std::vector<std::uint32_t>& mine = pairs_of_[access.site];
        if (mine.empty()) return;
        std::vector<WarpState>& warps = blocks_[access.block->number];
        if (warps.size() <= access.warp()) warps.resize(access.warp() + 1);
        WarpState& warp = warps[access.warp()];
        if (warp.open.empty()) {
            warp.open.resize(pairs_.size());
            warp.last.resize(stores_);
        }
        Lanes& last = warp.last[number_of_[access.site]];
        Lanes now = last;
        for_lanes(access.mask, [&](unsigned lane) { now[lane] = access.address(lane); });
        const Place place{access.block->number, access.thread};
        for (const std::uint32_t i : mine) {
            Pair& pair = pairs_[i];
            if (pair.is_broken) continue;
            std::uint32_t& open = warp.open[i];
            if (pair.first == access.site) {
                skip(pair, true, last, open & access.mask, place);
                open |= access.mask;
                continue;
            }
            meet(warp, pair, access, open & access.mask);
            skip(pair, false, now, access.mask & ~open, place);
            open &= ~access.mask;
        }
        last = now;
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<SkippedFields>();
        shard->context_ = context_;
        shard->find_pairs(program);
        return shard;
    }
    void merge(const Observer& other) override {
        const auto& all = static_cast<const SkippedFields&>(other);
        pairs_ = all.pairs_;
        program_ = all.program_;
    }

    void report_hazards(const machine::Program& program, HazardList&) const override {
        for (const Pair& pair : pairs_)
            for (const Skip& skip : pair.skips)
                if (is_telling(pair)) context_.undefined->note_skipped(field_of(program, pair, skip));
    }

private:
    using Lanes = std::array<std::uint64_t, kWarpSize>;
    struct Place {
        std::uint64_t block = 0;
        std::uint32_t thread = 0;  // of lane 0
    };
    struct WarpState {
        std::vector<std::uint32_t> open;  // by pair: lanes that have made the first store and not yet the second
        std::vector<Lanes> last;          // by store: address of each lane's latest
    };
    struct Skip {
        bool is_second = false;     // the store that is left out
        std::uint64_t address = 0;  // of the other one
        std::uint64_t block = 0;
        std::uint32_t thread = 0;
    };
    // Two stores to one buffer, in the order of the code.
    struct Pair {
        std::uint32_t first = 0, second = 0;  // sites
        bool is_broken = false, is_met = false;
        std::int64_t distance = 0;  // from the first one's address to the second one's
        std::uint64_t others = 0;   // threads that made both, as often as they did
        std::vector<Skip> skips;
    };

    void find_pairs(const machine::Program& program) {
        program_ = &program;
        pairs_of_.resize(program.sites.size());
        number_of_.resize(program.sites.size());
        std::unordered_map<std::int32_t, std::vector<std::uint32_t>> buffers;
        for (std::uint32_t i = 0; i < program.sites.size(); ++i) {
            const Site& site = program.sites[i];
            if (!is_store(site) || !program.pointers[static_cast<std::size_t>(site.pointer)].is_parameter) continue;
            number_of_[i] = stores_++;
            buffers[site.pointer].push_back(i);
        }
        for (auto& [pointer, sites] : buffers) {
            if (sites.size() < 2 || sites.size() > kMostStores) continue;
            std::sort(sites.begin(), sites.end(),
                      [&](std::uint32_t a, std::uint32_t b) { return program.sites[a].op < program.sites[b].op; });
            for (std::size_t a = 0; a < sites.size(); ++a)
                for (std::size_t b = a + 1; b < sites.size(); ++b) {
                    pairs_of_[sites[a]].push_back(static_cast<std::uint32_t>(pairs_.size()));
                    pairs_of_[sites[b]].push_back(static_cast<std::uint32_t>(pairs_.size()));
                    Pair& pair = pairs_.emplace_back();
                    pair.first = sites[a];
                    pair.second = sites[b];
                }
        }
    }

    // Lanes make the second store, having made the first.
    void meet(const WarpState& warp, Pair& pair, const Access& access, std::uint32_t lanes) {
        const Lanes& first = warp.last[number_of_[pair.first]];
        std::uint64_t before = 0;
        bool has_before = false;
        for_lanes(lanes, [&](unsigned lane) {
            const auto distance = static_cast<std::int64_t>(access.address(lane) - first[lane]);
            if (!pair.is_met) {
                pair.distance = distance;
                pair.is_met = true;
            }
            pair.is_broken =
                pair.is_broken || distance != pair.distance || distance == 0 || std::abs(distance) > kMostBytes;
            if (has_before) {
                const auto stride = static_cast<std::int64_t>(access.address(lane) - before);
                pair.is_broken = pair.is_broken || std::abs(stride) <= std::abs(distance);
            }
            before = access.address(lane);
            has_before = true;
        });
        pair.others += static_cast<unsigned>(std::popcount(lanes));
    }

    // Lanes have left one store of a pair out, and made the other one at these addresses.
    static void skip(Pair& pair, bool is_second, const Lanes& made, std::uint32_t lanes, const Place& place) {
        if (lanes == 0 || pair.is_broken) return;
        if (pair.skips.size() + static_cast<unsigned>(std::popcount(lanes)) > kMostSkips) {
            pair.is_broken = true;
            pair.skips.clear();
            return;
        }
        for_lanes(lanes, [&](unsigned lane) {
            pair.skips.push_back({is_second, made[lane], place.block, place.thread + lane});
        });
    }

    static bool is_telling(const Pair& pair) {
        return !pair.is_broken && pair.is_met && pair.others >= kLeastOthers &&
               (pair.skips.size() == 1 || pair.skips.size() * kOthersPerSkip <= pair.others);
    }

    SkippedField field_of(const machine::Program& program, const Pair& pair, const Skip& skip) const {
        const Site& left_out = program.sites[skip.is_second ? pair.second : pair.first];
        const Site& made = program.sites[skip.is_second ? pair.first : pair.second];
        SkippedField field;
        field.address = skip.address + static_cast<std::uint64_t>(skip.is_second ? pair.distance : -pair.distance);
        field.bytes = left_out.width;
        field.parameter = static_cast<std::uint32_t>(program.pointers[static_cast<std::size_t>(made.pointer)].at);
        field.store = {&program, left_out.op, {}, {}, 0};
        field.beside = {&program, made.op, {}, {}, 0};
        field.block = skip.block;
        field.thread = skip.thread;
        field.others = pair.others;
        std::copy_n(context_.grid, 3, field.grid);
        std::copy_n(context_.block, 3, field.threads);
        return field;
    }

    HazardContext context_;
    const machine::Program* program_ = nullptr;
    std::vector<std::vector<std::uint32_t>> pairs_of_;  // by site
    std::vector<std::uint32_t> number_of_;              // of stores, by site
    std::uint32_t stores_ = 0;
    std::vector<Pair> pairs_;
    std::unordered_map<std::uint64_t, std::vector<WarpState>> blocks_;
};

}  // namespace

std::unique_ptr<HazardObserver> make_skipped_fields() { return std::make_unique<SkippedFields>(); }

}  // namespace tilescope::observers
