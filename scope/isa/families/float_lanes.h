// What the floating-point families share: flushing, saturating, canonical NaNs, and directed rounding.
//
// Guarantees: results are IEEE-exact in the wanted rounding, with the NaNs, the flushing and the zeros that an H200 was
// seen to produce; the host's rounding is as before when an instruction returns. Does not model: exception flags.
#pragma once

#include <bit>
#include <cfenv>
#include <cstdint>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/table/binding.h"

namespace tilescope::isa::TILESCOPE_TARGET {

// A lane body that must dissolve in its loop, or the loop stays scalar.
#define TILESCOPE_LANE inline __attribute__((always_inline))

inline constexpr std::uint32_t kNanF32 = 0x7fffffffu;  // what single-precision arithmetic yields for every NaN
inline constexpr std::uint64_t kQuietF64 = std::uint64_t{1} << 51;

TILESCOPE_LANE std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
TILESCOPE_LANE std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
TILESCOPE_LANE float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
TILESCOPE_LANE double double_of(std::uint64_t bits) { return std::bit_cast<double>(bits); }

// A subnormal becomes the zero of its sign.
TILESCOPE_LANE float flush(float x) {
    const std::uint32_t bits = bits_of(x);
    return float_of((bits & 0x7f800000u) ? bits : bits & 0x80000000u);
}

// [0, 1]; NaN and -0 become +0.
TILESCOPE_LANE float saturate(float x) {
    x = x > 0.0f ? x : 0.0f;
    return x < 1.0f ? x : 1.0f;
}

TILESCOPE_LANE float canonical(float x) { return x != x ? float_of(kNanF32) : x; }

// x; a signalling NaN made quiet, its sign and payload kept.
TILESCOPE_LANE double quiet_nan(double x) { return x != x ? double_of(bits_of(x) | kQuietF64) : x; }

// The quiet NaN of a NaN: its sign and payload stay.
TILESCOPE_LANE double quiet(double x) { return double_of(bits_of(x) | kQuietF64); }

TILESCOPE_LANE float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TILESCOPE_LANE double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

// The smaller or the larger; -0 is less than +0. A NaN gives way to the other operand, unless Nan. Xor: of the
// magnitudes, with the exclusive or of the signs, even of an operand that is a NaN.
template <bool Max, bool Nan, bool Xor>
TILESCOPE_LANE float extreme(float a, float b) {
    const std::uint32_t sign = (bits_of(a) ^ bits_of(b)) & 0x80000000u;
    if (Xor) a = __builtin_fabsf(a), b = __builtin_fabsf(b);
    const std::uint32_t x = bits_of(a), y = bits_of(b);
    // Integers in the order of the numbers.
    const auto rank_a = static_cast<std::int32_t>(x ^ (static_cast<std::uint32_t>(-(x >> 31)) >> 1));
    const auto rank_b = static_cast<std::int32_t>(y ^ (static_cast<std::uint32_t>(-(y >> 31)) >> 1));
    std::uint32_t r = (Max ? rank_a > rank_b : rank_a < rank_b) ? x : y;
    const bool nan_a = a != a, nan_b = b != b;
    r = nan_a ? y : r;
    r = nan_b ? x : r;
    if (Xor) r |= sign;
    const bool nan = Nan ? (nan_a | nan_b) : (nan_a & nan_b);
    return float_of(nan ? kNanF32 : r);
}

// Directed rounding: `fn` runs with the host's rounding set. It is called through a pointer that the compiler cannot
// see through, so no arithmetic of its loop can move out of between.
struct Rounded {
    OpFn fn;
    int mode;
};

// Calls fn with the host rounding by `mode`, an FE_ constant.
template <class Call>
inline void in_rounding(int mode, Call call) {
#ifdef __SSE__
    // The control word itself: the library's functions set the older x87 unit too, at a hundred times the cost. Its
    // rounding field has the order nearest, down, up, zero.
    const unsigned field = mode == FE_DOWNWARD ? 1 : mode == FE_UPWARD ? 2 : mode == FE_TOWARDZERO ? 3 : 0;
    const unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr((before & ~0x6000u) | field << 13);
    call();
    __builtin_ia32_ldmxcsr(before);
#else
    const int before = std::fegetround();
    std::fesetround(mode);
    call();
    std::fesetround(before);
#endif
}

inline void run_rounded(Warp& warp, const Op& op) {
    const Rounded& rounded = *static_cast<const Rounded*>(op.extra);
    in_rounding(rounded.mode, [&] { rounded.fn(warp, op); });
}

// FE_TONEAREST when the form names no rounding.
inline int rounding_of(const Form& form) {
    if (form.has("rz")) return FE_TOWARDZERO;
    if (form.has("rm")) return FE_DOWNWARD;
    if (form.has("rp")) return FE_UPWARD;
    return FE_TONEAREST;
}

// fn in the rounding that the form names. fn itself must not use op.extra.
inline OpFn with_rounding(Binding& b, OpFn fn) {
    const int mode = rounding_of(b.form);
    if (mode == FE_TONEAREST) return fn;
    b.op.extra = b.keep(Rounded{fn, mode});
    return &run_rounded;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
