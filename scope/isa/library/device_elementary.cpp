// Device library: elementary functions, rounding to integers, floating-point manipulation.
#include "scope/isa/library/device_functions.h"
#include "scope/isa/library/device_single.h"

namespace tilescope::isa::device {
namespace {

constexpr F64 kPi = 3.14159265358979323846;

// Both reduce exactly, so whole and half arguments are exact.
F64 sin_pi(F64 a) {
    F64 r = std::remainder(a, 2.0);
    if (std::fabs(r) > 0.5) r = std::copysign(1.0, r) - r;
    return std::fabs(r) == 0.0 ? std::copysign(0.0, a) : std::sin(kPi * r);
}
F64 cos_pi(F64 a) {
    const F64 r = std::fabs(std::remainder(a, 2.0));
    if (r <= 0.25) return std::cos(kPi * r);
    return r == 0.5 ? 0.0 : std::sin(kPi * (0.5 - r));
}

// A signalling NaN counts as a quiet one here, which the host's library sees differently.
F64 quieted(F64 a) { return std::isnan(a) ? std::nan("") : a; }
F64 norm2(F64 a, F64 b) { return std::hypot(quieted(a), quieted(b)); }
F64 norm3(F64 a, F64 b, F64 c) { return norm2(norm2(a, b), c); }
F64 norm4(F64 a, F64 b, F64 c, F64 d) { return norm2(norm2(a, b), norm2(c, d)); }
F64 power(F64 a, F64 b) { return std::pow(quieted(a), quieted(b)); }

// A remainder of zero has the dividend's sign; the host's library loses it where quotients are large.
F64 remainder_of(F64 a, F64 b) {
    const F64 r = std::remainder(a, b);
    return r == 0.0 ? std::copysign(0.0, a) : r;
}

// -0 is less than +0; a NaN gives way.
template <class T>
T larger(T a, T b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
    if (a == b) return std::signbit(a) ? b : a;
    return a > b ? a : b;
}
template <class T>
T smaller(T a, T b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
}

S32 ilogb_of(F64 a) {
    if (a == 0.0 || std::isnan(a)) return INT32_MIN;
    return std::isinf(a) ? INT32_MAX : std::ilogb(a);
}

void add_functions(std::vector<Row>& rows) {
    TILESCOPE_FUNCTION(sin, (F64 a)->F64, std::sin(a), f64(0, 2, 10, 0));
    TILESCOPE_FUNCTION(sinf, (F32 a)->F32, single_sine(a), f32(0, 2, 7, 0));
    TILESCOPE_FUNCTION(cos, (F64 a)->F64, std::cos(a), f64(0, 2, 11, 0));
    TILESCOPE_FUNCTION(cosf, (F32 a)->F32, single_cosine(a), f32(0, 2, 8, 0));
    TILESCOPE_FUNCTION(tan, (F64 a)->F64, std::tan(a), f64(0, 3, 21, 0));
    TILESCOPE_FUNCTION(tanf, (F32 a)->F32, single_tangent(a), f32(0, 3, 9, 1));
    TILESCOPE_COUNTED(asin, std::asin(a), f64(3, 3, 20, 1), f32(0, 5, 9, 1));
    TILESCOPE_COUNTED(acos, std::acos(a), f64(1, 2, 19, 1), f32(1, 4, 10, 1));
    TILESCOPE_COUNTED(atan, std::atan(a), f64(1, 2, 19, 0), f32(0, 2, 8, 1));
    TILESCOPE_COUNTED2(atan2, std::atan2(a, b), f64(3, 3, 26, 1), f32(1, 2, 13, 1));
    TILESCOPE_COUNTED(sinh, std::sinh(a), f64(0, 2, 7, 0), f32(1, 6, 7, 2));
    TILESCOPE_COUNTED(cosh, std::cosh(a), f64(2, 0, 18, 1), f32(1, 4, 3, 2));
    // In more bits: the host's own tanh is 2 units of the last place off, CUDA's 1.
    TILESCOPE_FUNCTION(tanh, (F64 a)->F64, static_cast<F64>(std::tanh(static_cast<long double>(a))), f64(2, 1, 15, 1));
    TILESCOPE_FUNCTION(tanhf, (F32 a)->F32, single_tanh(a), f32(1, 2, 6, 2));
    TILESCOPE_COUNTED(asinh, std::asinh(a), f64(10, 7, 25, 3), f32(3, 3, 14, 2));
    TILESCOPE_COUNTED(acosh, std::acosh(a), f64(12, 5, 23, 2), f32(5, 4, 14, 1));
    TILESCOPE_COUNTED(atanh, std::atanh(a), f64(11, 6, 23, 2), f32(4, 4, 11, 1));
    TILESCOPE_COUNTED(sinpi, sin_pi(a), f64(0, 2, 10, 0), f32(2, 1, 10, 0));
    TILESCOPE_COUNTED(cospi, cos_pi(a), f64(0, 2, 10, 0), f32(2, 1, 10, 0));
    TILESCOPE_FUNCTION(exp, (F64 a)->F64, std::exp(a), f64(1, 0, 14, 0));
    TILESCOPE_FUNCTION(expf, (F32 a)->F32, single_exp(a), f32(1, 1, 4, 1));
    TILESCOPE_COUNTED(exp2, std::exp2(a), f64(3, 1, 12, 0), f32(0, 0, 0, 1));
    TILESCOPE_FUNCTION(exp10, (F64 a)->F64, std::pow(10.0, a), f64(1, 1, 15, 0));
    TILESCOPE_FUNCTION(exp10f, (F32 a)->F32, single_exp10(a), f32(1, 1, 4, 1));
    TILESCOPE_COUNTED(expm1, std::expm1(a), f64(3, 1, 15, 0), f32(4, 2, 8, 1));
    TILESCOPE_FUNCTION(log, (F64 a)->F64, std::log(a), f64(8, 4, 16, 1));
    TILESCOPE_FUNCTION(logf, (F32 a)->F32, single_log(a), f32(1, 2, 11, 0));
    TILESCOPE_FUNCTION(log2, (F64 a)->F64, std::log2(a), f64(8, 5, 17, 1));
    TILESCOPE_FUNCTION(log2f, (F32 a)->F32, single_log2(a), f32(2, 3, 11, 0));
    TILESCOPE_FUNCTION(log10, (F64 a)->F64, std::log10(a), f64(8, 5, 17, 1));
    TILESCOPE_FUNCTION(log10f, (F32 a)->F32, single_log10(a), f32(1, 3, 11, 0));
    TILESCOPE_COUNTED(log1p, std::log1p(a), f64(7, 4, 16, 1), f32(2, 2, 11, 0));
    TILESCOPE_COUNTED(logb, std::logb(a), Operations{}, f32(0, 1, 0, 0));
    TILESCOPE_FUNCTION(pow, (F64 a, F64 b)->F64, power(a, b), f64(32, 7, 41, 1));
    TILESCOPE_FUNCTION(powf, (F32 a, F32 b)->F32, single_power(a, b), f32(13, 10, 19, 1));
    TILESCOPE_FUNCTION(powi, (F64 a, S32 n)->F64, power(a, static_cast<F64>(n)), f64(32, 8, 41, 1));
    TILESCOPE_FUNCTION(powif, (F32 a, S32 n)->F32, single(power(a, static_cast<F64>(n))), f32(13, 11, 19, 1));
    TILESCOPE_COUNTED(sqrt, std::sqrt(a), f64(0, 3, 5, 1), f32(0, 2, 2, 1));
    TILESCOPE_COUNTED(rsqrt, 1.0 / std::sqrt(a), f64(0, 2, 3, 1), f32(0, 0, 0, 1));
    // In more bits: the host's own cbrt is further off than CUDA allows.
    TILESCOPE_COUNTED(cbrt, static_cast<F64>(std::cbrt(static_cast<long double>(a))), f64(1, 2, 6, 1), f32(1, 4, 2, 2));
    TILESCOPE_COUNTED(rcbrt, static_cast<F64>(1 / std::cbrt(static_cast<long double>(a))), f64(1, 3, 7, 0),
                      f32(1, 4, 2, 2));
    TILESCOPE_COUNTED2(hypot, norm2(a, b), f64(0, 7, 4, 1), f32(0, 6, 3, 1));
    TILESCOPE_COUNTED2(rhypot, 1.0 / norm2(a, b), f64(0, 6, 4, 1), f32(0, 4, 1, 1));
    TILESCOPE_FUNCTION(norm3d, (F64 a, F64 b, F64 c)->F64, norm3(a, b, c), f64(2, 8, 5, 1));
    TILESCOPE_FUNCTION(norm3df, (F32 a, F32 b, F32 c)->F32, single(norm3(a, b, c)), f32(2, 7, 4, 1));
    TILESCOPE_FUNCTION(rnorm3d, (F64 a, F64 b, F64 c)->F64, 1.0 / norm3(a, b, c), f64(3, 7, 5, 1));
    TILESCOPE_FUNCTION(rnorm3df, (F32 a, F32 b, F32 c)->F32, single(1.0 / norm3(a, b, c)), f32(2, 5, 2, 1));
    TILESCOPE_FUNCTION(norm4d, (F64 a, F64 b, F64 c, F64 d)->F64, norm4(a, b, c, d), f64(3, 9, 6, 1));
    TILESCOPE_FUNCTION(norm4df, (F32 a, F32 b, F32 c, F32 d)->F32, single(norm4(a, b, c, d)), f32(3, 8, 5, 1));
    TILESCOPE_FUNCTION(rnorm4d, (F64 a, F64 b, F64 c, F64 d)->F64, 1.0 / norm4(a, b, c, d), f64(4, 8, 6, 1));
    TILESCOPE_FUNCTION(rnorm4df, (F32 a, F32 b, F32 c, F32 d)->F32, single(1.0 / norm4(a, b, c, d)), f32(3, 6, 3, 1));
}

void add_fast(std::vector<Row>& rows) {
    TILESCOPE_FUNCTION(fast_sinf, (F32 a)->F32, single(std::sin(static_cast<F64>(a))), f32(0, 1, 0, 1));
    TILESCOPE_FUNCTION(fast_cosf, (F32 a)->F32, single(std::cos(static_cast<F64>(a))), f32(0, 1, 0, 1));
    TILESCOPE_FUNCTION(fast_tanf, (F32 a)->F32, single(std::tan(static_cast<F64>(a))), f32(0, 3, 0, 3));
    TILESCOPE_FUNCTION(fast_expf, (F32 a)->F32, single(std::exp(static_cast<F64>(a))), f32(0, 1, 0, 1));
    TILESCOPE_FUNCTION(fast_exp10f, (F32 a)->F32, single(std::pow(10.0, static_cast<F64>(a))), f32(0, 1, 0, 1));
    TILESCOPE_FUNCTION(fast_logf, (F32 a)->F32, single(std::log(static_cast<F64>(a))), f32(0, 1, 0, 1));
    TILESCOPE_FUNCTION(fast_log2f, (F32 a)->F32, single(std::log2(static_cast<F64>(a))), f32(0, 0, 0, 1));
    TILESCOPE_FUNCTION(fast_log10f, (F32 a)->F32, single(std::log10(static_cast<F64>(a))), f32(0, 1, 0, 1));
    // By way of the logarithm: a negative base yields a NaN.
    TILESCOPE_FUNCTION(fast_powf, (F32 a, F32 b)->F32, single(std::exp2(b * std::log2(static_cast<F64>(a)))),
                       f32(0, 1, 0, 2));
    TILESCOPE_FUNCTION(fast_fdividef, (F32 a, F32 b)->F32,
                       single(std::fabs(b) > 0x1p126f ? a * std::copysign(0.0f, b) : a / b), f32(0, 1, 0, 1));
}

void add_manipulation(std::vector<Row>& rows) {
    TILESCOPE_BOTH(floor, std::floor(a));
    TILESCOPE_BOTH(ceil, std::ceil(a));
    TILESCOPE_BOTH(trunc, std::trunc(a));
    TILESCOPE_COUNTED(round, std::round(a), f64(1, 0, 0, 0), f32(1, 0, 0, 0));
    TILESCOPE_BOTH(rint, std::rint(a));
    TILESCOPE_BOTH(nearbyint, std::rint(a));
    TILESCOPE_BOTH(fabs, std::fabs(a));
    TILESCOPE_BOTH2(fmod, std::fmod(a, b));
    TILESCOPE_COUNTED2(remainder, remainder_of(a, b), f64(1, 0, 0, 0), f32(1, 0, 0, 0));
    TILESCOPE_COUNTED2(fdim, std::fdim(a, b), f64(1, 0, 0, 0), f32(1, 0, 0, 0));
    TILESCOPE_BOTH2(fmax, larger(a, b));
    TILESCOPE_BOTH2(fmin, smaller(a, b));
    TILESCOPE_FUNCTION(copysign, (F64 a, F64 b)->F64, std::copysign(a, b));
    TILESCOPE_FUNCTION(copysignf, (F32 a, F32 b)->F32, std::copysign(a, b));
    TILESCOPE_FUNCTION(nextafter, (F64 a, F64 b)->F64, std::nextafter(a, b));
    TILESCOPE_FUNCTION(nextafterf, (F32 a, F32 b)->F32, single(std::nextafter(a, b)));
    TILESCOPE_FUNCTION(ldexp, (F64 a, S32 n)->F64, std::ldexp(a, n), f64(0, 5, 0, 0));
    TILESCOPE_FUNCTION(ldexpf, (F32 a, S32 n)->F32, single(std::ldexp(a, n)), f32(0, 5, 0, 0));
    TILESCOPE_FUNCTION(scalbn, (F64 a, S32 n)->F64, std::scalbn(a, n), f64(0, 5, 0, 0));
    TILESCOPE_FUNCTION(scalbnf, (F32 a, S32 n)->F32, single(std::scalbn(a, n)), f32(0, 5, 0, 0));
    TILESCOPE_FUNCTION(ilogb, (F64 a)->S32, ilogb_of(a));
    TILESCOPE_FUNCTION(ilogbf, (F32 a)->S32, ilogb_of(a));
    TILESCOPE_FUNCTION(fma, (F64 a, F64 b, F64 c)->F64, std::fma(a, b, c), f64(0, 0, 1, 0));
    TILESCOPE_FUNCTION(fmaf, (F32 a, F32 b, F32 c)->F32, single(std::fma(a, b, c)), f32(0, 0, 1, 0));
    TILESCOPE_FUNCTION(saturatef, (F32 a)->F32, !(a > 0.0f) ? 0.0f : a < 1.0f ? a : 1.0f);
    TILESCOPE_FUNCTION(isnand, (F64 a)->S32, std::isnan(a) ? 1 : 0);
    TILESCOPE_FUNCTION(isnanf, (F32 a)->S32, std::isnan(a) ? 1 : 0);
    TILESCOPE_FUNCTION(isinfd, (F64 a)->S32, std::isinf(a) ? 1 : 0);
    TILESCOPE_FUNCTION(isinff, (F32 a)->S32, std::isinf(a) ? 1 : 0);
    TILESCOPE_FUNCTION(isfinited, (F64 a)->S32, std::isfinite(a) ? 1 : 0);
    TILESCOPE_FUNCTION(finitef, (F32 a)->S32, std::isfinite(a) ? 1 : 0);
    TILESCOPE_FUNCTION(signbitd, (F64 a)->S32, std::signbit(a) ? 1 : 0);
    TILESCOPE_FUNCTION(signbitf, (F32 a)->S32, std::signbit(a) ? 1 : 0);
}

}  // namespace

void add_elementary(std::vector<Row>& rows) {
    add_functions(rows);
    add_fast(rows);
    add_manipulation(rows);
}

}  // namespace tilescope::isa::device
