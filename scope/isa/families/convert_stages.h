// A conversion in stages over one warp's 32 lanes: raw bits, a canonical number, the converted number, raw bits.
//
// Guarantees: every number type but f64 and the 64-bit integers is exact in both canonical forms (int64, double), and
// those are exact in their own, so that one rounding is made, in the stage that narrows. Common conversions do not come
// here: convert_loops.h has straight loops for them. Does not model: the packed formats (convert_packed.cpp).
#pragma once

#include "scope/isa/families/half_lanes.h"

namespace tilescope::isa::TILESCOPE_TARGET {

// The lanes between two stages; which member is meant is the stage's contract.
struct Lanes {
    alignas(64) std::uint64_t bits[machine::kWarpSize];
    alignas(64) double real[machine::kWarpSize];
};

struct Plan;
using Stage = void (*)(Lanes&, const Plan&);

struct Plan {
    void (*load)(const void* from, Lanes&) = nullptr;                   // register -> bits
    Stage stages[4] = {nullptr, nullptr, nullptr, nullptr};             // up to the first nullptr
    void (*store)(Warp&, machine::Operand to, const Lanes&) = nullptr;  // bits -> register
    int mode = FE_TONEAREST;                                            // rounding of the stages
    unsigned source_bits = 64, result_bits = 64;                        // widths of the integer types
    bool ftz = false, sat = false, relu = false, finite = false;
    bool canonical = true;            // NaNs lose sign and payload
    std::uint64_t low = 0, high = 0;  // the result type's limits, for saturating integers
    double low_real = 0, high_real = 0;
    std::uint64_t nan = 0;  // the integer that a NaN becomes
};

template <class Register>
void load_bits(const void* from, Lanes& lanes) {
    const Register* a = static_cast<const Register*>(from);
    for (unsigned i = 0; i < machine::kWarpSize; ++i) lanes.bits[i] = a[i];
}
template <class Register>
void store_bits(Warp& warp, machine::Operand to, const Lanes& lanes) {
    write_lanes(warp.exec, warp.target<Register>(to), [&](unsigned i) { return static_cast<Register>(lanes.bits[i]); });
}

// bits -> bits, extended from the width of a type.
template <bool Signed>
void extend(std::uint64_t* bits, unsigned width) {
    const unsigned away = 64 - width;
    for (unsigned i = 0; i < machine::kWarpSize; ++i) {
        const std::uint64_t up = bits[i] << away;
        bits[i] = Signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(up) >> away) : up >> away;
    }
}
template <bool Signed>
void extend_source(Lanes& lanes, const Plan& plan) {
    extend<Signed>(lanes.bits, plan.source_bits);
}
template <bool Signed>
void extend_result(Lanes& lanes, const Plan& plan) {
    extend<Signed>(lanes.bits, plan.result_bits);
}

inline void into_upper_half(Lanes& lanes, const Plan&) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i) lanes.bits[i] <<= 16;
}

// bits -> bits, limited to the result type. Limits of the other signedness than the source's have been cut to fit.
template <class Integer>
void clamp(Lanes& lanes, const Plan& plan) {
    const auto low = static_cast<Integer>(plan.low), high = static_cast<Integer>(plan.high);
    for (unsigned i = 0; i < machine::kWarpSize; ++i) {
        auto v = static_cast<Integer>(lanes.bits[i]);
        v = v < low ? low : v;
        lanes.bits[i] = static_cast<std::uint64_t>(v > high ? high : v);
    }
}

// bits -> real
template <class Format>
void real_from_half(Lanes& lanes, const Plan&) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i)
        lanes.real[i] = Format::widen(static_cast<std::uint16_t>(lanes.bits[i]));
}
template <bool Ftz>
void real_from_f32(Lanes& lanes, const Plan&) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i) {
        const float a = float_of(static_cast<std::uint32_t>(lanes.bits[i]));
        lanes.real[i] = Ftz ? canonical(flush(a)) : a;
    }
}
inline void real_from_f64(Lanes& lanes, const Plan&) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i) lanes.real[i] = quiet_nan(double_of(lanes.bits[i]));
}
// An integer's low bits that no 53-bit number holds are gathered in one that it does: a format of half the digits still
// rounds the right way.
template <class Integer>
void real_from_integer(Lanes& lanes, const Plan&) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i) {
        const std::uint64_t v = lanes.bits[i];
        const bool negative = Integer(-1) < 0 && v >> 63;
        const std::uint64_t size = negative ? 0 - v : v;
        const std::uint64_t held = (size >> 53) ? (size & ~0x7ffull) | ((size & 0x7ff) ? 0x800 : 0) : size;
        const double r = static_cast<double>(held >> 32) * 0x1p32 + static_cast<double>(held & 0xffffffffu);
        lanes.real[i] = v == 0 ? 0.0 : negative ? -r : r;
    }
}

// real -> real, an integer; a zero keeps its operand's sign.
enum class Towards { kNearest, kZero, kDown, kUp };
TILESCOPE_LANE double round_integer(double a, Towards towards) {
    const double r = towards == Towards::kNearest ? __builtin_rint(a)
                     : towards == Towards::kZero  ? __builtin_trunc(a)
                     : towards == Towards::kDown  ? __builtin_floor(a)
                                                  : __builtin_ceil(a);
    return __builtin_copysign(r, a);
}
TILESCOPE_LANE float round_integer(float a, Towards towards) {
    const float r = towards == Towards::kNearest ? __builtin_rintf(a)
                    : towards == Towards::kZero  ? __builtin_truncf(a)
                    : towards == Towards::kDown  ? __builtin_floorf(a)
                                                 : __builtin_ceilf(a);
    return __builtin_copysignf(r, a);
}
template <Towards Way>
void round_real(Lanes& lanes, const Plan&) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i) lanes.real[i] = round_integer(lanes.real[i], Way);
}

// real (an integer) -> bits, limited to the result type of at most 32 bits.
inline void integer_from_real(Lanes& lanes, const Plan& plan) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i) {
        const double a = lanes.real[i];
        double v = a > plan.low_real ? a : plan.low_real;
        v = v < plan.high_real ? v : plan.high_real;
        const auto r = static_cast<std::uint64_t>(static_cast<std::int64_t>(v));
        lanes.bits[i] = a != a ? plan.nan : r;
    }
}
inline void s64_from_real(Lanes& lanes, const Plan& plan) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i) {
        const double a = lanes.real[i];
        const bool high = a >= 0x1p63, low = a < -0x1p63;
        const auto v = static_cast<std::int64_t>((high | low | (a != a)) ? 0.0 : a);
        lanes.bits[i] = a != a ? plan.nan : high ? ~0ull >> 1 : low ? 1ull << 63 : static_cast<std::uint64_t>(v);
    }
}
inline void u64_from_real(Lanes& lanes, const Plan& plan) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i) {
        const double a = lanes.real[i];
        const bool high = a >= 0x1p64, low = a < 0.0;
        const double safe = (high | low | (a != a)) ? 0.0 : a;
        const bool upper = safe >= 0x1p63;
        const auto v = static_cast<std::uint64_t>(static_cast<std::int64_t>(upper ? safe - 0x1p63 : safe));
        lanes.bits[i] = a != a ? plan.nan : high ? ~0ull : low ? 0 : upper ? v | 1ull << 63 : v;
    }
}

// real -> real, limited to [0, 1] or to what is not negative.
inline void limit_real(Lanes& lanes, const Plan& plan) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i) {
        double a = lanes.real[i];
        if (plan.sat) {
            a = a > 0.0 ? a : 0.0;
            a = a < 1.0 ? a : 1.0;
        }
        if (plan.relu) a = a <= 0.0 ? 0.0 : a;
        lanes.real[i] = a;
    }
}

// real -> bits, rounded as the host is set.
inline void f64_from_real(Lanes& lanes, const Plan&) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i) lanes.bits[i] = bits_of(lanes.real[i]);
}
inline void f32_from_real(Lanes& lanes, const Plan& plan) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i) {
        const double a = lanes.real[i];
        float r = static_cast<float>(a);
        if (plan.ftz) {  // tiny once rounded to 24 bits
            const float large = __builtin_fabsf(static_cast<float>(a * 0x1p24));
            r = large < 0x1p-102f ? __builtin_copysignf(0.0f, r) : r;
        }
        lanes.bits[i] = plan.canonical && a != a ? kNanF32 : bits_of(r);
    }
}
// What a NaN becomes in a format of `Fraction` fraction bits, when it keeps its payload's upper bits.
template <int Fraction>
TILESCOPE_LANE std::uint64_t half_nan(double a) {
    const std::uint64_t bits = bits_of(a) | kQuietF64;
    const std::uint64_t infinity = (0x7fffu >> Fraction) << Fraction;
    return (bits >> 48 & 0x8000) | infinity | (bits >> (52 - Fraction) & ((1u << Fraction) - 1));
}
inline void f16_from_real(Lanes& lanes, const Plan& plan) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i) {
        const double a = lanes.real[i], y = round_to_grid<11, -14>(a);
        const std::uint64_t sign = bits_of(a) >> 48 & 0x8000;
        // Scaled so that f32's exponent field, then f32's overflow, are those of f16.
        const std::uint32_t small = bits_of(static_cast<float>(y * 0x1p-112)) & 0x7fffffffu;
        const std::uint32_t large = bits_of(static_cast<float>(y * 0x1p112)) & 0x7fffffffu;
        std::uint64_t r = __builtin_fabs(y) < 65536.0 ? small >> 13 : large >> 13 & 0x7fff;
        if (plan.finite) r = r > F16::kLargest ? F16::kLargest : r;
        const std::uint64_t nan = plan.canonical ? kNanHalf : half_nan<10>(a);
        lanes.bits[i] = a != a ? nan : r | sign;
    }
}
inline void bf16_from_real(Lanes& lanes, const Plan& plan) {
    for (unsigned i = 0; i < machine::kWarpSize; ++i) {
        const double a = lanes.real[i], y = round_to_grid<8, -126>(a);
        const std::uint64_t sign = bits_of(a) >> 48 & 0x8000;
        std::uint64_t r = bits_of(static_cast<float>(y)) >> 16 & 0x7fff;
        if (plan.finite) r = r > Bf16::kLargest ? Bf16::kLargest : r;
        const std::uint64_t nan = plan.canonical ? kNanHalf : half_nan<7>(a);
        lanes.bits[i] = a != a ? nan : r | sign;
    }
}

inline void run_plan(Warp& warp, const Op& op) {
    const Plan& plan = *static_cast<const Plan*>(op.extra);
    Lanes lanes;
    plan.load(warp.source<std::byte>(op.a), lanes);
    in_rounding(plan.mode, [&] {
        for (Stage stage : plan.stages) {
            if (!stage) break;
            stage(lanes, plan);
        }
    });
    plan.store(warp, op.dst, lanes);
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
