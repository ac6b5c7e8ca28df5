// Patterns of addresses: see memory_access.h.
#include <algorithm>
#include <bit>

#include "scope/isa/families/memory_move.h"

namespace tilescope::isa::TILESCOPE_TARGET {

void announce_more(Warp& warp, const Op& op, const Listeners& listeners, unsigned count, Access access,
                   std::uint64_t first) {
    for (unsigned piece = 1; piece <= count; ++piece) {
        access.site = op.site + 1 + piece;
        const SiteMemo& memo = warp.worker->memos[access.site];
        access.width = memo.counted_width;
        access.first = first + static_cast<std::uint64_t>(std::int64_t{memo.counted_shift});
        listeners.tell(access);
    }
}

namespace {

// Where the bytes of all lanes lie, at one distance from their addresses; nullptr when they do not.
const std::byte* place_of(const Warp& warp, const SiteMemo& memo, const Located& at, Space space) {
    if (space == Space::kShared) return warp.worker->shared + at.first;
    if (space != Space::kGlobal) return nullptr;
    const std::uint64_t offset = at.first + static_cast<std::uint64_t>(memo.low) - memo.allowed_from;
    const bool is_one_allocation = offset <= memo.allowed_bytes && memo.extent <= memo.allowed_bytes - offset;
    return is_one_allocation ? reinterpret_cast<const std::byte*>(at.first + memo.shift) : nullptr;
}

template <class E>
void collect(const Warp& warp, const ElementList& list, unsigned width, std::byte* values) {
    alignas(64) E lanes[kWarpSize];
    for (unsigned k = 0; k < list.count; ++k) {
        read_register(warp, list.registers[k], list.register_bytes[k], lanes);
        for (unsigned i = 0; i < kWarpSize; ++i) std::memcpy(values + i * width + k * sizeof(E), &lanes[i], sizeof(E));
    }
}

// What the lanes of a store write, lane by lane.
const std::byte* stored_by(const Warp& warp, const Op& op, std::byte* values) {
    if (!op.extra) return warp.source<std::byte>(op.b);
    const auto& list = *static_cast<const ElementList*>(op.extra);
    switch (op.width / list.count) {
        case 1: collect<std::uint8_t>(warp, list, op.width, values); break;
        case 2: collect<std::uint16_t>(warp, list, op.width, values); break;
        case 4: collect<std::uint32_t>(warp, list, op.width, values); break;
        case 8: collect<std::uint64_t>(warp, list, op.width, values); break;
        default: collect<Wide>(warp, list, op.width, values); break;
    }
    return values;
}

}  // namespace

void announce_written(Warp& warp, const Op& op, const SiteMemo& memo, const Located& at, Space space, AccessKind kind,
                      const std::uint32_t* sizes, const std::byte* stored) {
    constexpr unsigned kWidest = 32;
    alignas(64) std::byte values[kWarpSize * kWidest];
    Access access = describe(warp, op, memo, at, space, kind);
    access.width = op.width;
    access.sizes = sizes;
    access.bytes_now = place_of(warp, memo, at, space);
    if (kind == AccessKind::kStore && access.bytes_now != nullptr)
        access.stored = stored != nullptr ? stored : stored_by(warp, op, values);
    memo.written->tell(access);
}

namespace {

// Whether each half-warp reads one address or 16 neighbours; notes which.
bool halves(SiteMemo& memo, unsigned width) {
    for (unsigned half = 0; half < 2; ++half) {
        // Without signs: lanes may lie anywhere in 64 bits.
        const auto delta = [&](std::uint64_t i) {
            return static_cast<std::uint64_t>(memo.deltas[half * kWarpSize / 2 + i]) -
                   static_cast<std::uint64_t>(memo.deltas[half * kWarpSize / 2]);
        };
        const std::uint64_t step = delta(1);  // most other patterns end here
        if (step != 0 && step != width) return false;
        std::uint64_t differ = 0;
        for (std::uint64_t i = 0; i < kWarpSize / 2; ++i) differ |= delta(i) ^ step * i;
        if (differ != 0) return false;
        memo.half_uniform[half] = step == 0;
    }
    return true;
}

Shape shape_of(SiteMemo& memo, unsigned width, bool contiguous) {
    if (memo.mask != kFullMask) return Shape::kGeneral;
    if (memo.delta_bits == 0) return Shape::kUniform;
    if (contiguous) return Shape::kContiguous;
    return halves(memo, width) ? Shape::kHalves : Shape::kGeneral;
}

}  // namespace

void remember_pattern(SiteMemo& memo, const std::int64_t* __restrict deltas, std::uint32_t mask, unsigned width) {
    std::int64_t low = 0, high = 0;
    std::uint64_t bits = 0, off_row = 0;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        const std::int64_t delta = deltas[i];
        memo.deltas[i] = delta;
        memo.narrow[i] = static_cast<std::uint32_t>(delta);
        low = std::min(low, delta);
        high = std::max(high, delta);
        bits |= static_cast<std::uint64_t>(delta);
        off_row |= static_cast<std::uint64_t>(delta) ^ std::uint64_t{i * width};
    }
    memo.mask = mask;
    memo.low = low;
    // The span of 64-bit addresses can be all there is, so the sum is the place where a wrap would hide lanes.
    const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    memo.extent = span > ~std::uint64_t{0} - width ? ~std::uint64_t{0} : span + width;
    memo.delta_bits = bits;
    memo.shape = shape_of(memo, width, off_row == 0);
}

bool permit_slowly(Warp& warp, const Op& op, SiteMemo& memo, Located& at, Space space, bool writes,
                   const std::uint32_t* sizes) {
    const LawfulLanes lawful = lawful_lanes(warp, op, memo, at.first, space, writes, sizes);
    const std::uint32_t lanes = lawful.lanes;
    std::uint64_t addresses[kWarpSize];
    bool as_they_were = lanes == warp.exec;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        addresses[i] = lane_address(op, at.first, memo.deltas[i]);
        as_they_were = as_they_were &&
                       (!(lanes >> i & 1) || addresses[i] == at.first + static_cast<std::uint64_t>(memo.deltas[i]));
    }
    if (as_they_were) return lawful.together;
    warp.exec = lanes;
    at.same = false;
    if (lanes == 0) {
        memo.mask = 0;  // nothing is announced, so no later access repeats it
        return true;
    }
    at.first = addresses[std::countr_zero(lanes)];
    std::int64_t deltas[kWarpSize];
    for (unsigned i = 0; i < kWarpSize; ++i)
        deltas[i] = lanes >> i & 1 ? static_cast<std::int64_t>(addresses[i] - at.first) : 0;
    remember_pattern(memo, deltas, lanes, op.width);
    return lawful.together;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
