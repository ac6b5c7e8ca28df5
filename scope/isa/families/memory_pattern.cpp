// Patterns of addresses: see memory_access.h.
#include <algorithm>

#include "scope/isa/families/memory_access.h"

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

void announce_written(Warp& warp, const Op& op, const SiteMemo& memo, const Located& at, Space space, AccessKind kind,
                      const std::uint32_t* sizes) {
    Access access = describe(warp, op, memo, at, space, kind);
    access.width = op.width;
    access.sizes = sizes;
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
