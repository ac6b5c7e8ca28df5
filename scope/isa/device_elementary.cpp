// Device library: elementary functions, rounding to integers, floating-point manipulation.
#include "scope/isa/device_functions.h"

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
    TILESCOPE_BOTH(sin, std::sin(a));
    TILESCOPE_BOTH(cos, std::cos(a));
    TILESCOPE_BOTH(tan, std::tan(a));
    TILESCOPE_BOTH(asin, std::asin(a));
    TILESCOPE_BOTH(acos, std::acos(a));
    TILESCOPE_BOTH(atan, std::atan(a));
    TILESCOPE_BOTH2(atan2, std::atan2(a, b));
    TILESCOPE_BOTH(sinh, std::sinh(a));
    TILESCOPE_BOTH(cosh, std::cosh(a));
    TILESCOPE_BOTH(tanh, std::tanh(a));
    TILESCOPE_BOTH(asinh, std::asinh(a));
    TILESCOPE_BOTH(acosh, std::acosh(a));
    TILESCOPE_BOTH(atanh, std::atanh(a));
    TILESCOPE_BOTH(sinpi, sin_pi(a));
    TILESCOPE_BOTH(cospi, cos_pi(a));
    TILESCOPE_BOTH(exp, std::exp(a));
    TILESCOPE_BOTH(exp2, std::exp2(a));
    TILESCOPE_BOTH(exp10, std::pow(10.0, a));
    TILESCOPE_BOTH(expm1, std::expm1(a));
    TILESCOPE_BOTH(log, std::log(a));
    TILESCOPE_BOTH(log2, std::log2(a));
    TILESCOPE_BOTH(log10, std::log10(a));
    TILESCOPE_BOTH(log1p, std::log1p(a));
    TILESCOPE_BOTH(logb, std::logb(a));
    TILESCOPE_BOTH2(pow, power(a, b));
    TILESCOPE_FUNCTION(powi, (F64 a, S32 n)->F64, power(a, static_cast<F64>(n)));
    TILESCOPE_FUNCTION(powif, (F32 a, S32 n)->F32, single(power(a, static_cast<F64>(n))));
    TILESCOPE_BOTH(sqrt, std::sqrt(a));
    TILESCOPE_BOTH(rsqrt, 1.0 / std::sqrt(a));
    TILESCOPE_BOTH(cbrt, std::cbrt(a));
    TILESCOPE_BOTH(rcbrt, 1.0 / std::cbrt(a));
    TILESCOPE_BOTH2(hypot, norm2(a, b));
    TILESCOPE_BOTH2(rhypot, 1.0 / norm2(a, b));
    TILESCOPE_FUNCTION(norm3d, (F64 a, F64 b, F64 c)->F64, norm3(a, b, c));
    TILESCOPE_FUNCTION(norm3df, (F32 a, F32 b, F32 c)->F32, single(norm3(a, b, c)));
    TILESCOPE_FUNCTION(rnorm3d, (F64 a, F64 b, F64 c)->F64, 1.0 / norm3(a, b, c));
    TILESCOPE_FUNCTION(rnorm3df, (F32 a, F32 b, F32 c)->F32, single(1.0 / norm3(a, b, c)));
    TILESCOPE_FUNCTION(norm4d, (F64 a, F64 b, F64 c, F64 d)->F64, norm4(a, b, c, d));
    TILESCOPE_FUNCTION(norm4df, (F32 a, F32 b, F32 c, F32 d)->F32, single(norm4(a, b, c, d)));
    TILESCOPE_FUNCTION(rnorm4d, (F64 a, F64 b, F64 c, F64 d)->F64, 1.0 / norm4(a, b, c, d));
    TILESCOPE_FUNCTION(rnorm4df, (F32 a, F32 b, F32 c, F32 d)->F32, single(1.0 / norm4(a, b, c, d)));
}

void add_fast(std::vector<Row>& rows) {
    TILESCOPE_FUNCTION(fast_sinf, (F32 a)->F32, single(std::sin(static_cast<F64>(a))));
    TILESCOPE_FUNCTION(fast_cosf, (F32 a)->F32, single(std::cos(static_cast<F64>(a))));
    TILESCOPE_FUNCTION(fast_tanf, (F32 a)->F32, single(std::tan(static_cast<F64>(a))));
    TILESCOPE_FUNCTION(fast_expf, (F32 a)->F32, single(std::exp(static_cast<F64>(a))));
    TILESCOPE_FUNCTION(fast_exp10f, (F32 a)->F32, single(std::pow(10.0, static_cast<F64>(a))));
    TILESCOPE_FUNCTION(fast_logf, (F32 a)->F32, single(std::log(static_cast<F64>(a))));
    TILESCOPE_FUNCTION(fast_log2f, (F32 a)->F32, single(std::log2(static_cast<F64>(a))));
    TILESCOPE_FUNCTION(fast_log10f, (F32 a)->F32, single(std::log10(static_cast<F64>(a))));
    // By way of the logarithm: a negative base yields a NaN.
    TILESCOPE_FUNCTION(fast_powf, (F32 a, F32 b)->F32, single(std::exp2(b * std::log2(static_cast<F64>(a)))));
    TILESCOPE_FUNCTION(fast_fdividef, (F32 a, F32 b)->F32,
                       single(std::fabs(b) > 0x1p126f ? a * std::copysign(0.0f, b) : a / b));
}

void add_manipulation(std::vector<Row>& rows) {
    TILESCOPE_BOTH(floor, std::floor(a));
    TILESCOPE_BOTH(ceil, std::ceil(a));
    TILESCOPE_BOTH(trunc, std::trunc(a));
    TILESCOPE_BOTH(round, std::round(a));
    TILESCOPE_BOTH(rint, std::rint(a));
    TILESCOPE_BOTH(nearbyint, std::rint(a));
    TILESCOPE_BOTH(fabs, std::fabs(a));
    TILESCOPE_BOTH2(fmod, std::fmod(a, b));
    TILESCOPE_BOTH2(remainder, std::remainder(a, b));
    TILESCOPE_BOTH2(fdim, std::fdim(a, b));
    TILESCOPE_BOTH2(fmax, larger(a, b));
    TILESCOPE_BOTH2(fmin, smaller(a, b));
    TILESCOPE_FUNCTION(copysign, (F64 a, F64 b)->F64, std::copysign(a, b));
    TILESCOPE_FUNCTION(copysignf, (F32 a, F32 b)->F32, std::copysign(a, b));
    TILESCOPE_FUNCTION(nextafter, (F64 a, F64 b)->F64, std::nextafter(a, b));
    TILESCOPE_FUNCTION(nextafterf, (F32 a, F32 b)->F32, single(std::nextafter(a, b)));
    TILESCOPE_FUNCTION(ldexp, (F64 a, S32 n)->F64, std::ldexp(a, n));
    TILESCOPE_FUNCTION(ldexpf, (F32 a, S32 n)->F32, single(std::ldexp(a, n)));
    TILESCOPE_FUNCTION(scalbn, (F64 a, S32 n)->F64, std::scalbn(a, n));
    TILESCOPE_FUNCTION(scalbnf, (F32 a, S32 n)->F32, single(std::scalbn(a, n)));
    TILESCOPE_FUNCTION(ilogb, (F64 a)->S32, ilogb_of(a));
    TILESCOPE_FUNCTION(ilogbf, (F32 a)->S32, ilogb_of(a));
    TILESCOPE_FUNCTION(fma, (F64 a, F64 b, F64 c)->F64, std::fma(a, b, c));
    TILESCOPE_FUNCTION(fmaf, (F32 a, F32 b, F32 c)->F32, single(std::fma(a, b, c)));
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
