// Multiply-adds of doubles, and which NaN they give.
#pragma once

#include "scope/isa/families/float_lanes.h"

namespace tilescope::isa::TILESCOPE_TARGET {

// Unlike single precision, double precision hands a NaN operand on, made quiet; an invalid operation yields kInvalid.
// Of several NaNs an H200 takes the second operand's, then the third's, then the first's; a division the first's.
inline constexpr std::uint64_t kInvalid = 0xfff8000000000000u;

inline bool is_nan(double x) { return x != x; }

template <bool NegativeProduct, bool NegativeSum>
struct Float64Fma {
    TILESCOPE_LANE static double apply(double a, double b, double c) {
        const double r = fused(NegativeProduct ? -a : a, b, NegativeSum ? -c : c);
        double nan = is_nan(a) ? quiet(a) : double_of(kInvalid);
        nan = is_nan(c) ? quiet(c) : nan;
        nan = is_nan(b) ? quiet(b) : nan;
        return is_nan(r) ? nan : r;
    }
};

}  // namespace tilescope::isa::TILESCOPE_TARGET
