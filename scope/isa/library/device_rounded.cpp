// Device library: arithmetic and conversions with a named rounding.
#include <limits>

#include "scope/isa/library/device_functions.h"

namespace tilescope::isa::device {
namespace {

using C = Counter;
constexpr Operations kNarrowed{{{C::kFp64ToFp32}}};

// Computes in a rounding of the host. The volatile copies pin the arithmetic between the two changes.
template <int kMode, class R, class... A>
R in_rounding(R (*compute)(A...), std::type_identity_t<A>... a) {
    const int before = std::fegetround();
    std::fesetround(kMode);
    volatile R result = compute(a...);
    std::fesetround(before);
    return result;
}

template <class T>
[[gnu::noinline]] T sum(T a, T b) {
    return a + b;
}
template <class T>
[[gnu::noinline]] T difference(T a, T b) {
    return a - b;
}
template <class T>
[[gnu::noinline]] T product(T a, T b) {
    return a * b;
}
template <class T>
[[gnu::noinline]] T quotient(T a, T b) {
    return a / b;
}
template <class T>
[[gnu::noinline]] T reciprocal(T a) {
    return 1 / a;
}
template <class T>
[[gnu::noinline]] T root(T a) {
    return std::sqrt(a);
}
template <class T>
[[gnu::noinline]] T multiply_add(T a, T b, T c) {
    return std::fma(a, b, c);
}
template <class R, class A>
[[gnu::noinline]] R cast(A a) {
    return static_cast<R>(a);
}
// By name: a rint expanded in place takes the host to round to nearest.
template <int kMode, class A>
A integral(A a) {
    if (kMode == FE_TOWARDZERO) return std::trunc(a);
    if (kMode == FE_DOWNWARD) return std::floor(a);
    return kMode == FE_UPWARD ? std::ceil(a) : std::rint(a);
}

F32 clean(F32 x) { return single(x); }
F64 clean(F64 x) { return x; }

// Saturating; a NaN becomes 0, but of a double or in 64 bits the upper bit alone.
template <class R, int kMode, class A>
R to_integer(A a) {
    using Limits = std::numeric_limits<R>;
    if (std::isnan(a)) return sizeof(A) == 8 || sizeof(R) == 8 ? static_cast<R>(U64{1} << (sizeof(R) * 8 - 1)) : R(0);
    const A whole = integral<kMode>(a);
    constexpr A kAbove = static_cast<A>(U64{1} << (Limits::digits - 1)) * 2;
    if (whole >= kAbove) return Limits::max();
    if (whole < static_cast<A>(Limits::min())) return Limits::min();
    return static_cast<R>(whole);
}

template <class R, int kMode, class A>
R from_integer(A a) {
    return a == 0 ? R(0) : in_rounding<kMode>(&cast<R, A>, a);
}

#define TILESCOPE_ROUNDINGS(X) X(rn, FE_TONEAREST) X(rz, FE_TOWARDZERO) X(rd, FE_DOWNWARD) X(ru, FE_UPWARD)

void add_rounded_arithmetic(std::vector<Row>& rows) {
#define TILESCOPE_ARITHMETIC(suffix, mode, div32, sqrt32, div64, rcp64, sqrt64)                                      \
    TILESCOPE_FUNCTION(fadd_##suffix, (F32 a, F32 b)->F32, clean(in_rounding<mode>(&sum<F32>, a, b)), f32(1, 0, 0)); \
    TILESCOPE_FUNCTION(fsub_##suffix, (F32 a, F32 b)->F32, clean(in_rounding<mode>(&difference<F32>, a, b)),         \
                       f32(1, 0, 0));                                                                                \
    TILESCOPE_FUNCTION(fmul_##suffix, (F32 a, F32 b)->F32, clean(in_rounding<mode>(&product<F32>, a, b)),            \
                       f32(0, 1, 0));                                                                                \
    TILESCOPE_FUNCTION(fdiv_##suffix, (F32 a, F32 b)->F32, clean(in_rounding<mode>(&quotient<F32>, a, b)), div32);   \
    TILESCOPE_FUNCTION(frcp_##suffix, (F32 a)->F32, clean(in_rounding<mode>(&reciprocal<F32>, a)), f32(1, 0, 2, 1)); \
    TILESCOPE_FUNCTION(fsqrt_##suffix, (F32 a)->F32, clean(in_rounding<mode>(&root<F32>, a)), sqrt32);               \
    TILESCOPE_FUNCTION(fmaf_##suffix, (F32 a, F32 b, F32 c)->F32,                                                    \
                       clean(in_rounding<mode>(&multiply_add<F32>, a, b, c)), f32(0, 0, 1));                         \
    TILESCOPE_FUNCTION(fmaf_ieee_##suffix, (F32 a, F32 b, F32 c)->F32,                                               \
                       clean(in_rounding<mode>(&multiply_add<F32>, a, b, c)), f32(0, 0, 1));                         \
    TILESCOPE_FUNCTION(dadd_##suffix, (F64 a, F64 b)->F64, clean(in_rounding<mode>(&sum<F64>, a, b)), f64(1, 0, 0)); \
    TILESCOPE_FUNCTION(dsub_##suffix, (F64 a, F64 b)->F64, clean(in_rounding<mode>(&difference<F64>, a, b)),         \
                       f64(1, 0, 0));                                                                                \
    TILESCOPE_FUNCTION(dmul_##suffix, (F64 a, F64 b)->F64, clean(in_rounding<mode>(&product<F64>, a, b)),            \
                       f64(0, 1, 0));                                                                                \
    TILESCOPE_FUNCTION(ddiv_##suffix, (F64 a, F64 b)->F64, clean(in_rounding<mode>(&quotient<F64>, a, b)), div64);   \
    TILESCOPE_FUNCTION(drcp_##suffix, (F64 a)->F64, clean(in_rounding<mode>(&reciprocal<F64>, a)), rcp64);           \
    TILESCOPE_FUNCTION(dsqrt_##suffix, (F64 a)->F64, clean(in_rounding<mode>(&root<F64>, a)), sqrt64);               \
    TILESCOPE_FUNCTION(fma_##suffix, (F64 a, F64 b, F64 c)->F64,                                                     \
                       clean(in_rounding<mode>(&multiply_add<F64>, a, b, c)), f64(0, 0, 1));
    // As the instructions of these roundings count (float32.cpp, float64.cpp).
    const Operations div64_rn = {{{C::kFp64Special}, {C::kFp64Mul}, {C::kFp64Fma, 7}, {C::kFp32Fma}}};
    const Operations div64 = f64(0, 2, 9, 1), rcp64 = f64(0, 1, 8, 1), sqrt64 = f64(0, 3, 8, 1);
    TILESCOPE_ARITHMETIC(rn, FE_TONEAREST, f32(0, 0, 5, 1), f32(0, 2, 2, 1), div64_rn, f64(0, 0, 5, 1), f64(0, 3, 5, 1))
    TILESCOPE_ARITHMETIC(rz, FE_TOWARDZERO, f32(1, 0, 5, 1), f32(2, 2, 4, 1), div64, rcp64, sqrt64)
    TILESCOPE_ARITHMETIC(rd, FE_DOWNWARD, f32(1, 0, 5, 1), f32(2, 2, 4, 1), div64, rcp64, sqrt64)
    TILESCOPE_ARITHMETIC(ru, FE_UPWARD, f32(1, 0, 5, 1), f32(1, 2, 2, 1), div64, rcp64, sqrt64)
#undef TILESCOPE_ARITHMETIC
    TILESCOPE_FUNCTION(frsqrt_rn, (F32 a)->F32, single(1.0 / std::sqrt(static_cast<F64>(a))), f32(0, 3, 5, 1));
}

void add_conversions(std::vector<Row>& rows) {
#define TILESCOPE_CONVERSIONS(suffix, mode)                                              \
    TILESCOPE_FUNCTION(float2int_##suffix, (F32 a)->S32, (to_integer<S32, mode>(a)));    \
    TILESCOPE_FUNCTION(float2uint_##suffix, (F32 a)->U32, (to_integer<U32, mode>(a)));   \
    TILESCOPE_FUNCTION(float2ll_##suffix, (F32 a)->S64, (to_integer<S64, mode>(a)));     \
    TILESCOPE_FUNCTION(float2ull_##suffix, (F32 a)->U64, (to_integer<U64, mode>(a)));    \
    TILESCOPE_FUNCTION(double2int_##suffix, (F64 a)->S32, (to_integer<S32, mode>(a)));   \
    TILESCOPE_FUNCTION(double2uint_##suffix, (F64 a)->U32, (to_integer<U32, mode>(a)));  \
    TILESCOPE_FUNCTION(double2ll_##suffix, (F64 a)->S64, (to_integer<S64, mode>(a)));    \
    TILESCOPE_FUNCTION(double2ull_##suffix, (F64 a)->U64, (to_integer<U64, mode>(a)));   \
    TILESCOPE_FUNCTION(int2float_##suffix, (S32 a)->F32, (from_integer<F32, mode>(a)));  \
    TILESCOPE_FUNCTION(uint2float_##suffix, (U32 a)->F32, (from_integer<F32, mode>(a))); \
    TILESCOPE_FUNCTION(ll2float_##suffix, (S64 a)->F32, (from_integer<F32, mode>(a)));   \
    TILESCOPE_FUNCTION(ull2float_##suffix, (U64 a)->F32, (from_integer<F32, mode>(a)));  \
    TILESCOPE_FUNCTION(ll2double_##suffix, (S64 a)->F64, (from_integer<F64, mode>(a)));  \
    TILESCOPE_FUNCTION(ull2double_##suffix, (U64 a)->F64, (from_integer<F64, mode>(a))); \
    TILESCOPE_FUNCTION(double2float_##suffix, (F64 a)->F32, (in_rounding<mode>(&cast<F32, F64>, a)), kNarrowed);
    TILESCOPE_ROUNDINGS(TILESCOPE_CONVERSIONS)
#undef TILESCOPE_CONVERSIONS
    TILESCOPE_FUNCTION(int2double_rn, (S32 a)->F64, static_cast<F64>(a));
    TILESCOPE_FUNCTION(uint2double_rn, (U32 a)->F64, static_cast<F64>(a));
    TILESCOPE_FUNCTION(llrint, (F64 a)->S64, (to_integer<S64, FE_TONEAREST>(a)));
    TILESCOPE_FUNCTION(llrintf, (F32 a)->S64, (to_integer<S64, FE_TONEAREST>(a)));
    TILESCOPE_FUNCTION(llround, (F64 a)->S64, (to_integer<S64, FE_TOWARDZERO>(std::round(a))));
    TILESCOPE_FUNCTION(llroundf, (F32 a)->S64, (to_integer<S64, FE_TOWARDZERO>(std::round(a))));
}

// Halves travel in 32-bit registers, as 16-bit parameters of a call do.
U32 half_from(F32 a) {
    const U32 bits = std::bit_cast<U32>(a), size = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
    if (size > 0x7f800000u) return 0x7fff;
    if (size >= 0x477ff000u) return sign | 0x7c00;
    if (size < 0x38800000u) return sign | static_cast<U32>(std::rint(std::fabs(a) * 0x1p24f));
    return sign | ((size - 0x38000000u + 0xfffu + (size >> 13 & 1)) >> 13);
}
F32 half_to(U32 half) {
    const U32 exponent = half >> 10 & 31, fraction = half & 0x3ff;
    const F32 sign = (half & 0x8000) ? -1.0f : 1.0f;
    if (exponent == 31) return fraction ? std::bit_cast<F32>(0x7fffffffu) : sign * HUGE_VALF;
    if (exponent == 0) return sign * static_cast<F32>(fraction) * 0x1p-24f;
    return sign * std::ldexp(static_cast<F32>(fraction | 0x400), static_cast<int>(exponent) - 25);
}

}  // namespace

void add_rounded(std::vector<Row>& rows) {
    add_rounded_arithmetic(rows);
    add_conversions(rows);
    TILESCOPE_FUNCTION(float2half_rn, (F32 a)->U32, half_from(a));
    TILESCOPE_FUNCTION(half2float, (U32 a)->F32, half_to(a));
}

}  // namespace tilescope::isa::device
