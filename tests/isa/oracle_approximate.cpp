// Oracles of the approximate family: PTX's error bounds against long double, and its special values.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tests/isa/oracle_float.h"

namespace tilescope::isa::test {
namespace {

using Real = long double;

Real value32(const Form& form, std::uint64_t bits) {
    const Soft x = unpack(kSoftF32, bits);
    return value_of(form.has("ftz") ? flushed(kSoftF32, x) : x);
}

// What a result may be off by: a part of it, and an amount.
struct Bound {
    Real relative, absolute;
};

bool close(const Form& form, Real want, std::uint64_t bits, Bound bound) {
    if (std::isnan(want)) return bits == 0x7fffffffu;
    const Real got = value_of(unpack(kSoftF32, bits));
    // The largest number rounds up to infinity from half a step above it.
    if (std::isinf(want) || std::isinf(got))
        return std::isinf(got) && (want < 0) == (got < 0) && std::fabs(want) > 0x1.fffffcp127L;
    if (want == 0 && got == 0) return std::signbit(want) == std::signbit(got);
    const Real least = form.has("ftz") ? 0x1p-126L : 0x1p-149L;  // a result may be flushed, or has no more digits
    return std::fabs(got - want) <= std::fabs(want) * bound.relative + bound.absolute + least;
}

template <Real (*kFunction)(Real)>
bool accepts(const Form& form, const Thread& inputs, Bound bound, const Scalar& actual) {
    return close(form, kFunction(value32(form, inputs.u(1))), actual.lo, bound);
}

Real reciprocal(Real a) { return 1 / a; }
Real reciprocal_root(Real a) { return 1 / std::sqrt(a); }

// f64: rsqrt exact to a few units, or of the upper words alone.
bool double_is_close(const Form& form, Real (*function)(Real), const Thread& inputs, const Scalar& actual) {
    const bool upper = form.has("ftz");
    std::uint64_t bits = inputs.u(1);
    if (upper) bits &= 0xffffffff00000000u;
    const Soft x = upper ? flushed(kSoftF64, unpack(kSoftF64, bits)) : unpack(kSoftF64, bits);
    const Real want = function(value_of(x)), got = value_of(unpack(kSoftF64, actual.lo));
    if (upper && (actual.lo & 0xffffffffu) != 0) return false;
    if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
    if (std::isinf(want) || want == 0) return got == want && std::signbit(got) == std::signbit(want);
    const Real least = upper ? 0x1p-1022L : 0x1p-1074L;
    return std::fabs(got - want) <= std::fabs(want) * (upper ? 0x1p-19L : 0x1p-51L) + least;
}

bool rcp_is_close(const Form& form, const Thread& inputs, const Scalar&, const Scalar& actual) {
    if (form.type() == Type::kF64) return double_is_close(form, &reciprocal, inputs, actual);
    return accepts<reciprocal>(form, inputs, {0x1p-23L, 0}, actual);
}
bool rsqrt_is_close(const Form& form, const Thread& inputs, const Scalar&, const Scalar& actual) {
    if (form.type() == Type::kF64) return double_is_close(form, &reciprocal_root, inputs, actual);
    return accepts<reciprocal_root>(form, inputs, {0x1p-22L, 0}, actual);
}
template <Real (*kFunction)(Real)>
bool within_2_to_22(const Form& form, const Thread& inputs, const Scalar&, const Scalar& actual) {
    return accepts<kFunction>(form, inputs, {0x1p-22L, 0}, actual);
}
// The unit counts the angle in turns, rounded toward zero, so the error grows with the angle.
template <Real (*kFunction)(Real)>
bool angle_is_close(const Form& form, const Thread& inputs, const Scalar&, const Scalar& actual) {
    const Real angle = std::fabs(value32(form, inputs.u(1)));
    return accepts<kFunction>(form, inputs, {0, 0x1p-20L + (std::isfinite(angle) ? angle * 0x1p-21L : 0)}, actual);
}
// Its logarithms are fixed-point numbers, also near 1.
bool log2_is_close(const Form& form, const Thread& inputs, const Scalar&, const Scalar& actual) {
    return accepts<std::log2>(form, inputs, {0x1p-22L, 0x1p-22L}, actual);
}
// Powers below 2^-126 are squares of the unit's.
bool exp2_is_close(const Form& form, const Thread& inputs, const Scalar&, const Scalar& actual) {
    return accepts<std::exp2>(form, inputs, {0x1p-21L, 0}, actual);
}
bool tanh_is_close(const Form& form, const Thread& inputs, const Scalar&, const Scalar& actual) {
    return accepts<std::tanh>(form, inputs, {0x1p-11L, 0}, actual);
}
bool quotient_is_close(const Form& form, const Thread& inputs, const Scalar&, const Scalar& actual) {
    const Real a = value32(form, inputs.u(1)), b = value32(form, inputs.u(2));
    Real want = a / b;
    if (form.has("approx") && std::fabs(b) > 0x1p126L) want = a * std::copysign(Real(0), b);
    return close(form, want, actual.lo, {0x1p-22L, 0});
}

constexpr Oracle kApproximateOracles[] = {
    {"div", &leave, &quotient_is_close},
    {"rcp", &leave, &rcp_is_close},
    {"sqrt", &leave, &within_2_to_22<std::sqrt>},
    {"rsqrt", &leave, &rsqrt_is_close},
    {"sin", &leave, &angle_is_close<std::sin>},
    {"cos", &leave, &angle_is_close<std::cos>},
    {"lg2", &leave, &log2_is_close},
    {"ex2", &leave, &exp2_is_close},
    {"tanh", &leave, &tanh_is_close},
};

TEST(ApproximateRows, StayWithinTheSpecifiedErrors) {
    HarnessOptions options;
    options.rounds = 100;
    expect_family_agrees("approximate", kApproximateOracles, options);
}

}  // namespace
}  // namespace tilescope::isa::test
