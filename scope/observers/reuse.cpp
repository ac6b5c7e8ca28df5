// Reuse: how often the threads of a block ask for the same byte of global memory.
//
// Loads and the reads of cp.async count; stores and atomics are no loads, and textures and constants have caches of
// their own. A line's loads are a group: TouchedBytes keeps the bytes of each group apart and adds them up when a block
// ends. A site whose pattern of addresses repeats marks whole granules, worked out once (GranulePattern); one whose
// pattern changes marks lane by lane.
#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include "scope/observers/counting.h"
#include "scope/observers/reuse_results.h"
#include "scope/observers/thread_rereads.h"
#include "scope/observers/touched_bytes.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;
using machine::Space;

bool is_global_load(const machine::Program& program, const machine::Site& site) {
    const Counter what = program.facts[site.op].memory;
    return site.is_access && site.counted_width != 0 &&
           (what == Counter::kGlobalLoadInstructions || what == Counter::kAsyncCopyInstructions);
}

// The loads of a program in groups by source line, and the unit in which all their widths can be told.
struct LoadGroups {
    explicit LoadGroups(const machine::Program& program) : of_site(program.sites.size()) {
        unsigned unit = 16;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> by_place;
        for (std::size_t i = 0; i < program.sites.size(); ++i) {
            if (!is_global_load(program, program.sites[i])) continue;
            unit = std::gcd(unit, unsigned{program.sites[i].counted_width});
            const machine::SourcePlace place = program.facts[program.sites[i].op].place;
            const auto next = static_cast<std::uint32_t>(places.size());
            const auto [it, added] = by_place.try_emplace({place.file, place.line}, next);
            if (added) places.push_back(place);
            of_site[i] = it->second;
        }
        unit_shift = static_cast<unsigned>(std::countr_zero(unit));
    }

    std::vector<std::uint32_t> of_site;
    std::vector<machine::SourcePlace> places;  // by group
    unsigned unit_shift = 0;
};

void set_own_share(const RereadBytes& bytes, Tiling& tiling) {
    if (bytes.asked == 0) return;
    tiling.own_share = static_cast<double>(bytes.own) / static_cast<double>(bytes.asked);
    tiling.register_share = static_cast<double>(bytes.steady) / static_cast<double>(bytes.asked);
}

struct GlobalReuseSite {
    // First addresses for which every lane lies in `bytes`: `span` of them from `from` on.
    std::uint64_t from = 0, span = 0;
    std::uint64_t first_granule = 0;
    std::uint32_t* bits = nullptr;
    std::uint64_t* lanes_asked = nullptr;
    TouchedBytes* bytes = nullptr;
    std::uint32_t group = 0, lanes = 0;
    std::int64_t low = 0, high = 0;  // least and greatest delta
    bool known = false;              // the pattern repeated: low, high and parts are of it
    GranulePattern pattern;
};

class Reuse final : public CountingObserver {
public:
    std::uint32_t wants(const machine::Site&) const override { return machine::bit_of(Space::kGlobal); }
    void prepare(const LaunchContext& context) override { context_ = context; }

    void begin_block(const machine::BlockPlace& block) override { rereads_.begin_block(block.number); }

    void on_access(const Access& access) override {
        if (rereads_.follows()) [[unlikely]]
            rereads_.on_access(access);
        if (access.kind != AccessKind::kLoad && access.kind != AccessKind::kAsyncCopyRead) return;
        GlobalReuseSite& site = sites_[access.site];
        if (!access.same_pattern) {
            site.known = false;
            mark_lanes(site, access);
            return;
        }
        if (!site.known || access.first - site.from >= site.span) [[unlikely]]
            if (!aim(site, access)) return mark_lanes(site, access);
        *site.lanes_asked += site.lanes;
        const std::uint64_t granule = (access.first >> granule_shift_) - site.first_granule;
        // Copies, since the compiler cannot know that marking leaves the site alone.
        TouchedBytes* const bytes = site.bytes;
        std::uint32_t* const bits = site.bits;
        const std::uint32_t group = site.group;
        for (const GranulePart& part : site.pattern.parts(access, unit_shift_))
            bytes->mark(bits, group, granule + static_cast<std::uint64_t>(std::int64_t{part.granule}), part.units,
                        touched_);
    }

    void end_block(const machine::BlockPlace&) override {
        for (const TouchedChunk& item : touched_) item.bytes->fold(item.chunk, units_by_group_, units_);
        touched_.clear();
    }

    std::uint64_t table_bytes() const override {
        std::uint64_t bytes = 0;
        for (const auto& [base, touched] : buffers_) bytes += touched->table_bytes();
        return bytes;
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Reuse>();
        const LoadGroups groups(program);
        shard->context_ = context_;
        shard->rereads_ = ThreadRereads(program, context_);
        shard->sites_.resize(program.sites.size());
        for (std::size_t i = 0; i < groups.of_site.size(); ++i) shard->sites_[i].group = groups.of_site[i];
        shard->units_by_group_.resize(groups.places.size());
        shard->unit_shift_ = groups.unit_shift;
        shard->granule_shift_ = groups.unit_shift + kGranuleShift;
        return shard;
    }

    void merge(const Observer& other) override {
        const auto& theirs = static_cast<const Reuse&>(other);
        units_ += theirs.units_;
        rereads_.merge(theirs.rereads_);
        for (std::size_t i = 0; i < units_by_group_.size(); ++i) units_by_group_[i] += theirs.units_by_group_[i];
        for (const auto& [base, bytes] : theirs.buffers_) buffer(bytes->allocation()).merge(*bytes);
    }

    void add_to_profile(const machine::Program& program, LaunchProfile& launch) const override {
        const LoadGroups groups(program);
        std::vector<Tiling> by_group(groups.places.size());
        std::vector<RereadBytes> rereads_by_group(groups.places.size());
        RereadBytes rereads;
        for (std::size_t g = 0; g < by_group.size(); ++g)
            by_group[g].unique_bytes_per_block = units_by_group_[g] << unit_shift_;
        Tiling whole;
        whole.unique_bytes_per_block = units_ << unit_shift_;
        std::uint64_t unique = 0;
        std::vector<TouchedBuffer> touched;
        for (const auto& [base, bytes] : buffers_) {
            Tiling sum;
            for (std::size_t i = 0; i < program.sites.size(); ++i) {
                const std::uint64_t lanes = bytes->lanes_by_site()[i];
                if (lanes == 0) continue;
                const std::uint64_t asked = lanes * program.sites[i].counted_width;
                by_group[groups.of_site[i]].requests += lanes;
                by_group[groups.of_site[i]].requested_bytes += asked;
                sum.requests += lanes;
                sum.requested_bytes += asked;
            }
            if (sum.requests == 0) continue;
            RereadBytes its_rereads;
            if (const auto found = rereads_.bytes().find(base); found != rereads_.bytes().end())
                for (std::size_t i = 0; i < found->second.size(); ++i) {
                    its_rereads += found->second[i];
                    rereads_by_group[groups.of_site[i]] += found->second[i];
                }
            set_own_share(its_rereads, sum);
            rereads += its_rereads;
            sum.unique_bytes_per_block = bytes->unique_bytes_per_block();
            sum.unique_bytes = bytes->unique_bytes();
            unique += *sum.unique_bytes;
            whole.requests += sum.requests;
            whole.requested_bytes += sum.requested_bytes;
            touched.push_back({bytes->allocation(), sum});
        }
        whole.unique_bytes = unique;
        set_own_share(rereads, whole);
        for (std::size_t g = 0; g < by_group.size(); ++g) set_own_share(rereads_by_group[g], by_group[g]);
        std::vector<LineReuse> lines;
        for (std::size_t g = 0; g < by_group.size(); ++g)
            if (by_group[g].requests != 0 && groups.places[g].line != 0)
                lines.push_back({program.files[groups.places[g].file], groups.places[g].line, by_group[g]});
        store_reuse(context_, whole, lines, touched, launch);
    }

private:
    // Makes the site ready to mark its pattern as a whole. False when its lanes are not all in one allocation.
    bool aim(GlobalReuseSite& site, const Access& access) {
        if (!site.known) {
            const auto [low, high] = std::minmax_element(access.deltas, access.deltas + machine::kWarpSize);
            site.low = *low;
            site.high = *high;
            site.lanes = access.lanes();
            site.span = 0;
            if (!GranulePattern::fits(site.low, site.high, unit_shift_)) return false;
            site.pattern.clear();
            site.known = true;
        }
        TouchedBytes* bytes = find(access.first);
        if (bytes == nullptr) return false;
        const machine::Allocation& allocation = bytes->allocation();
        const std::uint64_t reach = static_cast<std::uint64_t>(site.high - site.low) + access.width;
        const std::uint64_t from = allocation.base - static_cast<std::uint64_t>(site.low);
        if (reach > allocation.size || access.first - from > allocation.size - reach) return false;
        point(site, access, *bytes);
        site.from = from;
        site.span = allocation.size - reach + 1;
        return true;
    }

    void mark_lanes(GlobalReuseSite& site, const Access& access) {
        for (std::uint32_t left = access.mask; left != 0;) {
            const std::uint64_t address = access.address(static_cast<unsigned>(std::countr_zero(left)));
            if (site.bytes == nullptr || !site.bytes->allocation().contains(address, access.width)) {
                TouchedBytes* bytes = find(address);
                // Released meanwhile, by a host thread; or the machine's access is wider than what is there.
                if (bytes == nullptr || !bytes->allocation().contains(address, access.width)) {
                    left &= left - 1;
                    continue;
                }
                point(site, access, *bytes);
                site.span = 0;
            }
            left = mark_inside(site, access, left);
        }
    }

    // Marks lanes until one lies outside site.bytes; returns those that are left.
    std::uint32_t mark_inside(GlobalReuseSite& site, const Access& access, std::uint32_t left) {
        // Copies, as above.
        TouchedBytes& bytes = *site.bytes;
        const machine::Allocation allocation = bytes.allocation();
        std::uint32_t* const bits = site.bits;
        const std::uint64_t first_granule = site.first_granule;
        const std::uint32_t group = site.group, units = unit_bits(0, access.width, unit_shift_);
        // Neighbours in one granule are marked together: a mark waits for the one before it in the same word.
        std::uint64_t marked = 0, granule = 0;
        std::uint32_t of_granule = 0;
        for (; left != 0; left &= left - 1) {
            const std::uint64_t address = access.address(static_cast<unsigned>(std::countr_zero(left)));
            if (!allocation.contains(address, access.width)) break;
            ++marked;
            const std::uint64_t its_granule = (address >> granule_shift_) - first_granule;
            const std::uint32_t its_units = units << (address >> unit_shift_) % kGranuleUnits;
            if (its_granule != granule && of_granule != 0)
                bytes.mark(bits, group, granule, std::exchange(of_granule, 0), touched_);
            granule = its_granule;
            of_granule |= its_units;
        }
        if (of_granule != 0) bytes.mark(bits, group, granule, of_granule, touched_);
        *site.lanes_asked += marked;
        return left;
    }

    void point(GlobalReuseSite& site, const Access& access, TouchedBytes& bytes) {
        site.bytes = &bytes;
        site.bits = bytes.bits_of(site.group);
        site.first_granule = bytes.first_granule();
        site.lanes_asked = &bytes.lanes_by_site()[access.site];
    }

    TouchedBytes* find(std::uint64_t address) {
        auto after = buffers_.upper_bound(address);
        if (after != buffers_.begin()) {
            TouchedBytes* before = std::prev(after)->second.get();
            if (before->allocation().contains(address, 1)) return before;
        }
        const auto allocation = context_.memory->find(address);
        return allocation ? &buffer(*allocation) : nullptr;
    }

    TouchedBytes& buffer(const machine::Allocation& allocation) {
        auto& bytes = buffers_[allocation.base];
        if (!bytes) bytes = std::make_unique<TouchedBytes>(allocation, unit_shift_, sites_.size());
        return *bytes;
    }

    LaunchContext context_;
    ThreadRereads rereads_;
    unsigned unit_shift_ = 0, granule_shift_ = kGranuleShift;
    std::vector<GlobalReuseSite> sites_;
    std::map<std::uint64_t, std::unique_ptr<TouchedBytes>> buffers_;  // by base
    std::vector<TouchedChunk> touched_;                               // by the block at hand
    std::vector<std::uint64_t> units_by_group_;  // distinct units, once for each block, over the blocks that ended
    std::uint64_t units_ = 0;
};

}  // namespace

std::unique_ptr<CountingObserver> make_reuse() { return std::make_unique<Reuse>(); }

}  // namespace tilescope::observers
