// The side of --check init that looks at memory: what stores define, and what loads find undefined.
#include <algorithm>
#include <bit>
#include <cstring>

#include "scope/machine/program.h"
#include "scope/observers/hazards/surface_access.h"
#include "scope/observers/hazards/undefined_uses.h"
#include "scope/observers/trace_lanes.h"

namespace tilescope::observers {

using machine::Access;
using machine::AccessKind;
using machine::kFullMask;
using machine::kWarpSize;
using machine::Space;

namespace {

// Bytes that lanes lie apart and are yet looked at as one run.
constexpr std::uint64_t kMaxRun = 2048;

}  // namespace

void UndefinedUses::Moved::clear() {
    if (lanes == 0) return;
    lanes = 0;
    std::memset(bits, 0, sizeof bits);
    std::memset(value, 0, sizeof value);
}

void UndefinedUses::measure(SiteState& site, const Access& access) const {
    std::int64_t low = 0, high = 0;
    bool is_row = true, is_one = true;
    std::int64_t next = access.deltas[std::countr_zero(access.mask)];
    for_each_lane(access.mask, [&](unsigned i) {
        const std::int64_t delta = access.deltas[i];
        low = std::min(low, delta);
        high = std::max(high, delta);
        is_row = is_row && delta == next;
        is_one = is_one && delta == 0;
        next += access.width;
    });
    site.low = low;
    const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    site.extent = span > ~std::uint64_t{0} - access.width ? ~std::uint64_t{0} : span + access.width;
    site.is_gapless = is_row || is_one;
    site.is_known = true;
}

// Whether all lanes lie in one allocation, which is then the site's.
bool UndefinedUses::find_region(SiteState& site, std::uint64_t low) {
    const std::uint64_t version = context_.undefined->version();
    if (site.version != version || low - site.from >= site.bytes) {
        site.region = context_.undefined->find(low);
        site.from = site.bytes = 0;
        site.version = version;
        if (site.region) {
            site.from = site.region->allocation.base;
            site.bytes = site.region->allocation.size;
        } else if (const auto other = context_.memory->find(low)) {
            site.from = other->base;
            site.bytes = other->size;
        }
    }
    const std::uint64_t offset = low - site.from;
    return offset < site.bytes && site.extent <= site.bytes - offset;
}

void UndefinedUses::on_access(const Access& access) {
    if (access.space == Space::kLocal) return access_local(access);
    SiteState& site = sites_[access.site];
    if (!access.same_pattern || !site.is_known || context_.blocks_take_turns) measure(site, access);
    if (access.space == Space::kShared)
        return access_run(access, {&block_of(access.block->number).shared, 0, HazardSpace::kShared}, site);
    if (!find_region(site, access.first + static_cast<std::uint64_t>(site.low))) return access_apart(access);
    if (site.region)
        access_run(access, {&site.region->bytes, site.region->allocation.base, HazardSpace::kGlobal}, site);
}

// Of what is written to a surface all bits count as defined.
void UndefinedUses::on_texels(const machine::Texels& event) {
    if (SurfaceAccess::is_one(event)) on_access(SurfaceAccess(event, *program_).access());
}

// Lanes in several allocations, one by one.
void UndefinedUses::access_apart(const Access& access) {
    static constexpr std::int64_t kNoDeltas[kWarpSize] = {};
    for_each_lane(access.mask, [&](unsigned lane) {
        Access one = access;
        SiteState site;
        one.mask = 1u << lane;
        one.first = access.address(lane);
        one.deltas = kNoDeltas;
        measure(site, one);
        bool is_inside = find_region(site, one.first);
        const std::uint64_t left = site.from + site.bytes - one.first;
        if (!is_inside && one.first - site.from < site.bytes && left < one.width) {
            // A word that is swapped whole and passes the end (memory_bounds.cpp).
            one.width = static_cast<std::uint8_t>(left);
            is_inside = true;
        }
        if (is_inside && site.region)
            access_run(one, {&site.region->bytes, site.region->allocation.base, HazardSpace::kGlobal}, site);
    });
}

// All lanes of a warp at one word of their own are a run.
void UndefinedUses::access_local(const Access& access) {
    BlockState& block = block_of(access.block->number);
    if (access.warp() >= block.warps.size() || !block.warps[access.warp()].local) return;
    look_at_frames(access, block.warps[access.warp()].frames);
    const Target target{block.warps[access.warp()].local.get(), 0, HazardSpace::kLocal};
    const bool is_one = std::all_of(access.deltas, access.deltas + kWarpSize, [](std::int64_t d) { return d == 0; });
    SiteState site;
    site.is_gapless = is_one && access.mask == kFullMask && (access.first | access.width) % 4 == 0;
    Access as_run = access;
    if (site.is_gapless) {
        site.extent = std::uint64_t{access.width} * kWarpSize;
        as_run.first = access.first * kWarpSize;
        const bool moves_undefined = stored_.lanes != 0 && access.kind == AccessKind::kStore;
        if (access.kind == AccessKind::kStore && !moves_undefined)
            return target.bytes->define(as_run.first, site.extent);
        if (access.kind == AccessKind::kLoad && !target.bytes->any(as_run.first, site.extent)) return;
    }
    site.is_gapless = false;
    site.extent = ~std::uint64_t{0};
    access_run(access, target, site);
}

// Behind the running function's frame lie those of functions that have returned. Their pointers dangle.
void UndefinedUses::look_at_frames(const Access& access, const DeadFrames& frames) {
    if (!frames.has_returned()) return;
    for_each_lane(access.mask, [&](unsigned lane) {
        const std::uint32_t function = frames.owner_of(access.address(lane));
        if (function == DeadFrames::kNobody) return;
        FoundHazard hazard;
        hazard.kind = HazardKind::kUseAfterFree;
        hazard.space = HazardSpace::kLocal;
        hazard.at = {machine::writes(access.kind) ? Deed::kWrite : Deed::kRead, access.op, access.block->number,
                     access.thread + lane};
        hazard.bytes = access.bytes(lane);
        FoundHazard* const first = hazards_.add(hazard);
        if (first == nullptr) return;
        HazardFacts& facts = first->facts.emplace();
        facts.what = HazardCase::kDeadFrame;
        facts.remedy = Remedy::kOutlive;
        facts.other.function = program_->functions[function].name;
        facts.memory.naming = MemoryNaming::kLocal;
        facts.memory.byte = access.address(lane) - frames.begin_of(function);
    });
}

void UndefinedUses::access_run(const Access& access, const Target& target, const SiteState& site) {
    const std::uint64_t first = access.first + static_cast<std::uint64_t>(site.low) - target.base;
    const bool is_near = site.extent <= kMaxRun;
    switch (access.kind) {
        case AccessKind::kFactorLoad: return;  // sums are not followed back to single factors
        case AccessKind::kLoad:
            if (target.bytes->any() && (!is_near || target.bytes->any(first, site.extent))) load(access, target);
            return;
        case AccessKind::kStore:
            if ((access.mask & ~stored_.lanes) != 0) note_data(access.op);
            if (stored_.lanes == 0 && site.is_gapless)
                target.bytes->define(first, site.extent);
            else if (stored_.lanes != 0 || target.bytes->any())
                store(access, target);
            return;
        case AccessKind::kAsyncCopyWrite:
            for_each_lane(access.mask, [&](unsigned lane) { copy_to_[lane] = access.address(lane); });
            store(access, target);
            return;
        case AccessKind::kAsyncCopyRead:
            if (!is_near || target.bytes->any(first, site.extent)) {
                load(access, target);
                copy_in(access);
            }
            return;
        default:
            if (stored_.lanes != 0 || !is_near || target.bytes->any(first, site.extent)) update(access, target);
    }
}

std::uint64_t UndefinedUses::index_of(const Access& access, const Target& target, unsigned lane, unsigned byte) {
    const std::uint64_t at = access.address(lane) + byte;
    return target.space == HazardSpace::kLocal ? (at / 4 * kWarpSize + lane) * 4 + at % 4 : at - target.base;
}

// Calls visit(index, bytes) for the pieces of a lane's bytes that lie side by side.
template <class Visit>
void UndefinedUses::for_each_run(const Access& access, const Target& target, unsigned lane, unsigned bytes,
                                 Visit visit) {
    const bool is_whole = target.space != HazardSpace::kLocal || bytes <= 4;
    const unsigned piece = is_whole ? bytes : 4;
    for (unsigned at = 0; at < bytes; at += piece)
        visit(index_of(access, target, lane, at), std::min(piece, bytes - at));
}

// The undefined bits that a lane finds, and the value that they are; 0 when all are defined.
std::uint32_t UndefinedUses::load_lane(const Access& access, const Target& target, unsigned lane, std::uint8_t* bits) {
    const unsigned bytes = std::min(access.bytes(lane), kWidest);
    bool is_found = false;
    for_each_run(access, target, lane, bytes,
                 [&](std::uint64_t at, unsigned run) { is_found = is_found || target.bytes->any(at, run); });
    if (!is_found) return 0;
    std::uint32_t value = 0;
    std::uint64_t first = 0;
    is_found = false;
    for (unsigned b = 0; b < bytes; ++b) {
        const std::uint64_t at = index_of(access, target, lane, b);
        bits[b] = target.bytes->bits(at);
        if (bits[b] == 0 || value != 0) continue;
        value = target.bytes->brought_by(at);
        if (!is_found) first = access.address(lane) + b;
        is_found = true;
    }
    if (value != 0) return value;
    UndefinedValue read;
    read.space = target.space;
    read.read = {program_, access.op, {}, {}, 0};
    read.address = first;
    read.block = access.block->number;
    read.thread = access.thread + lane;
    return values().number_of(read);
}

void UndefinedUses::load(const Access& access, const Target& target) {
    for_each_lane(access.mask, [&](unsigned lane) {
        std::uint8_t bits[kWidest] = {};
        const std::uint32_t value = load_lane(access, target, lane, bits);
        if (value == 0) return;
        loaded_.lanes |= 1u << lane;
        loaded_.value[lane] = value;
        std::copy_n(bits, kWidest, loaded_.bits[lane]);
    });
}

void UndefinedUses::store_lane(const Access& access, const Target& target, unsigned lane, const std::uint8_t* bits,
                               std::uint32_t value) {
    const unsigned bytes = std::min<unsigned>(access.width, kWidest);
    const bool is_whole = std::all_of(bits, bits + bytes, [](std::uint8_t of_byte) { return of_byte == 0xff; });
    const std::uint32_t stored = values().stored(value, program_, access.op, is_whole);
    for (unsigned b = 0; b < bytes; ++b) {
        const std::uint64_t at = index_of(access, target, lane, b);
        target.bytes->set_bits(at, bits[b]);
        if (bits[b] != 0) target.bytes->set_brought_by(at, stored);
    }
}

void UndefinedUses::store(const Access& access, const Target& target) {
    for_each_lane(access.mask, [&](unsigned lane) {
        if (access.kind == AccessKind::kStore && (stored_.lanes >> lane & 1) != 0)
            return store_lane(access, target, lane, stored_.bits[lane], stored_.value[lane]);
        for_each_run(access, target, lane, access.width,
                     [&](std::uint64_t at, unsigned run) { target.bytes->define(at, run); });
    });
}

// Lanes take turns. What comes of an undefined operand or an undefined old value is undefined, but for an exchange.
void UndefinedUses::update(const Access& access, const Target& target) {
    const bool is_exchange = !program_->flow.empty() && program_->flow[access.op].is_exchange;
    for_each_lane(access.mask, [&](unsigned lane) {
        std::uint8_t old[kWidest] = {}, now[kWidest] = {};
        std::uint32_t value = load_lane(access, target, lane, old);
        const bool brings = (stored_.lanes >> lane & 1) != 0;
        if (value != 0) {
            loaded_.lanes |= 1u << lane;
            loaded_.value[lane] = value;
            std::copy_n(old, kWidest, loaded_.bits[lane]);
        }
        if (is_exchange) {
            if (brings) return store_lane(access, target, lane, stored_.bits[lane], stored_.value[lane]);
            return for_each_run(access, target, lane, access.width,
                                [&](std::uint64_t at, unsigned run) { target.bytes->define(at, run); });
        }
        if (value == 0 && !brings) return;
        if (value == 0) value = stored_.value[lane];
        std::fill_n(now, access.width, std::uint8_t{0xff});
        store_lane(access, target, lane, now, values().computed(value));
    });
}

// The shared side of an asynchronous copy, which was defined when it was announced.
void UndefinedUses::copy_in(const Access& access) {
    if (loaded_.lanes == 0) return;
    static constexpr std::int64_t kNoDeltas[kWarpSize] = {};
    const Target target{&block_of(access.block->number).shared, 0, HazardSpace::kShared};
    for_each_lane(loaded_.lanes, [&](unsigned lane) {
        Access one = access;
        one.first = copy_to_[lane];
        one.deltas = kNoDeltas;
        store_lane(one, target, lane, loaded_.bits[lane], loaded_.value[lane]);
    });
    loaded_.clear();
}

}  // namespace tilescope::observers
