// Patterns of addresses: see memory_access.h.
#include <algorithm>

#include "scope/isa/memory_access.h"

namespace tilescope::isa::TILESCOPE_TARGET {

namespace {

// Whether each half-warp reads one address or 16 neighbours; notes which.
bool halves(SiteMemo& memo, unsigned width) {
    for (unsigned half = 0; half < 2; ++half) {
        const std::int64_t* deltas = memo.deltas + half * kWarpSize / 2;
        bool uniform = true, contiguous = true;
        for (unsigned i = 0; i < kWarpSize / 2; ++i) {
            uniform = uniform && deltas[i] == deltas[0];
            contiguous = contiguous && deltas[i] == deltas[0] + static_cast<std::int64_t>(i) * width;
        }
        if (!uniform && !contiguous) return false;
        memo.half_uniform[half] = uniform;
    }
    return true;
}

}  // namespace

void remember_pattern(SiteMemo& memo, const std::int64_t* deltas, std::uint32_t mask, unsigned width) {
    std::int64_t low = 0, high = 0;
    std::uint64_t bits = 0;
    bool uniform = mask == kFullMask, contiguous = mask == kFullMask;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        const std::int64_t delta = deltas[i];
        memo.deltas[i] = delta;
        memo.narrow[i] = static_cast<std::uint32_t>(delta);
        low = std::min(low, delta);
        high = std::max(high, delta);
        bits |= static_cast<std::uint64_t>(delta);
        uniform = uniform && delta == 0;
        contiguous = contiguous && delta == static_cast<std::int64_t>(i) * width;
    }
    memo.mask = mask;
    memo.low = low;
    memo.high = high;
    memo.delta_bits = bits;
    memo.shape = uniform                                    ? Shape::kUniform
                 : contiguous                               ? Shape::kContiguous
                 : mask == kFullMask && halves(memo, width) ? Shape::kHalves
                                                            : Shape::kGeneral;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
