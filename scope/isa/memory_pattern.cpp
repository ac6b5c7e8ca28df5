// Patterns of addresses: see memory_access.h.
#include <algorithm>

#include "scope/isa/memory_access.h"

namespace tilescope::isa::TILESCOPE_TARGET {

void remember_pattern(SiteMemo& memo, const std::int64_t* deltas, std::uint32_t mask, unsigned width) {
    std::int64_t low = 0, high = 0;
    std::uint64_t bits = 0;
    bool uniform = mask == kFullMask, contiguous = mask == kFullMask;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        const std::int64_t delta = deltas[i];
        memo.deltas[i] = delta;
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
    memo.shape = uniform ? Shape::kUniform : contiguous ? Shape::kContiguous : Shape::kGeneral;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
