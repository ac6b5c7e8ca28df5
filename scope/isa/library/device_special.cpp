// Device library: error, gamma and Bessel functions.
#include "scope/isa/library/device_functions.h"

namespace tilescope::isa::device {
namespace {

// 64 bits or more: the arguments of an exponential are the sensitive ones here.
using Real = long double;
constexpr Real kRootPi = 1.772453850905516027298167483341145183L;
constexpr Real kRoot2 = 1.414213562373095048801688724209698079L;
constexpr Real kRealPi = 3.141592653589793238462643383279502884L;

F64 not_a_number() { return std::nan(""); }

// The x with erfc(x) = y, for y in (0, 0.5]: Newton on the logarithm, which is close to a parabola.
Real inverse_erfc_tail(Real y) {
    Real x = std::sqrt(-std::log(y * kRootPi * std::sqrt(-std::log(y) + 0.4L)));
    if (!(x > 0)) x = 0.5L;
    for (int i = 0; i < 7; ++i) {
        const Real tail = std::erfc(x);
        x += (std::log(tail) - std::log(y)) * tail * kRootPi / 2 * std::exp(x * x);
    }
    return x;
}
// The x with erf(x) = z, for |z| <= 0.5.
Real inverse_erf_middle(Real z) {
    Real x = z * kRootPi / 2;
    for (int i = 0; i < 6; ++i) x -= (std::erf(x) - z) * kRootPi / 2 * std::exp(x * x);
    return x;
}

F64 inverse_erf(F64 z) {
    const F64 size = std::fabs(z);
    if (!(size <= 1.0)) return not_a_number();
    if (size == 1.0) return std::copysign(HUGE_VAL, z);
    if (size <= 0.5) return z == 0.0 ? z : static_cast<F64>(inverse_erf_middle(z));
    return std::copysign(static_cast<F64>(inverse_erfc_tail(1.0L - size)), z);
}
Real inverse_erfc(Real y) {
    if (y <= 0.5L) return inverse_erfc_tail(y);
    return y < 1.5L ? inverse_erf_middle(1.0L - y) : -inverse_erfc_tail(2.0L - y);
}
F64 erfc_inverse(F64 y) {
    if (!(y >= 0.0 && y <= 2.0)) return not_a_number();
    if (y == 0.0 || y == 2.0) return y == 0.0 ? HUGE_VAL : -HUGE_VAL;
    return static_cast<F64>(inverse_erfc(y));
}
F64 normal_inverse(F64 p) {
    if (!(p >= 0.0 && p <= 1.0)) return not_a_number();
    if (p == 0.0 || p == 1.0) return p == 0.0 ? -HUGE_VAL : HUGE_VAL;
    return static_cast<F64>(-kRoot2 * inverse_erfc(2.0L * p));
}

// exp(x^2) * erfc(x)
F64 scaled_erfc(F64 a) {
    if (std::isnan(a)) return a;
    const Real x = a;
    if (x < 50) return static_cast<F64>(std::exp(x * x) * std::erfc(x));
    const Real t = 1 / (2 * x * x);
    return static_cast<F64>((1 - t * (1 - 3 * t * (1 - 5 * t))) / (x * kRootPi));
}

// The modified Bessel function of the first kind, order 0 or 1: its series, all of one sign, or far out its expansion.
F64 bessel_i(int order, F64 a) {
    if (std::isnan(a)) return a;
    const Real x = std::fabs(static_cast<Real>(a));
    Real sum = 1, term = 1;
    if (std::isinf(a)) {
        sum = HUGE_VALL;
    } else if (x < 30) {
        for (int k = 1; k < 200 && term > sum * 1e-22L; ++k) {
            term *= x * x / 4 / (static_cast<Real>(k) * (k + order));
            sum += term;
        }
        if (order == 1) sum *= x / 2;
    } else {
        const Real mu = 4 * order * order;
        for (int k = 1; k < 40; ++k) {
            term *= ((2 * k - 1) * (2 * k - 1) - mu) / (8 * k * x);
            sum += term;
        }
        sum *= std::exp(x) / std::sqrt(2 * kRealPi * x);
    }
    return static_cast<F64>(order == 1 ? std::copysign(sum, static_cast<Real>(a)) : sum);
}

F64 log_gamma(F64 a) {
    int sign = 0;
    return ::lgamma_r(a, &sign);
}
F64 bessel_jn(S32 n, F64 a) { return n < 0 ? not_a_number() : ::jn(n, a); }
F64 bessel_yn(S32 n, F64 a) { return n < 0 || a < 0.0 ? not_a_number() : static_cast<F64>(::ynl(n, a)); }

}  // namespace

void add_special(std::vector<Row>& rows) {
    TILESCOPE_COUNTED(erf, std::erf(a), f64(3, 1, 37, 0), f32(0, 1, 7, 0));
    TILESCOPE_COUNTED(erfc, std::erfc(a), f64(6, 6, 50, 2), f32(6, 8, 20, 3));
    TILESCOPE_COUNTED(erfcx, scaled_erfc(a), f64(4, 3, 34, 2), f32(4, 3, 16, 2));
    TILESCOPE_COUNTED(erfinv, inverse_erf(a), f64(5, 4, 40, 1), f32(0, 1, 10, 1));
    TILESCOPE_COUNTED(erfcinv, erfc_inverse(a), f64(6, 4, 40, 1), f32(1, 1, 10, 1));
    TILESCOPE_COUNTED(normcdf, static_cast<F64>(std::erfc(-static_cast<Real>(a) / kRoot2) / 2), f64(7, 8, 52, 2),
                      f32(7, 10, 22, 3));
    TILESCOPE_COUNTED(normcdfinv, normal_inverse(a), f64(8, 5, 41, 1), f32(2, 1, 11, 1));
    TILESCOPE_COUNTED(tgamma, std::tgamma(a), f64(1, 2, 22, 1), f32(1, 2, 9, 1));
    TILESCOPE_COUNTED(lgamma, log_gamma(a), f64(4, 2, 24, 0), f32(1, 2, 13, 0));
    // In more bits: close to their zeros the host's own are further off than CUDA allows.
    TILESCOPE_COUNTED(j0, static_cast<F64>(::j0l(a)), f64(2, 1, 16, 0), f32(6, 3, 13, 0));
    TILESCOPE_COUNTED(j1, static_cast<F64>(::j1l(a)), f64(0, 2, 15, 0), f32(4, 3, 12, 0));
    TILESCOPE_COUNTED(y0, a < 0.0 ? not_a_number() : static_cast<F64>(::y0l(a)), f64(8, 5, 34, 1), f32(2, 1, 12, 0));
    TILESCOPE_COUNTED(y1, a < 0.0 ? not_a_number() : static_cast<F64>(::y1l(a)), f64(8, 8, 45, 2), f32(5, 6, 35, 1));
    TILESCOPE_COUNTED(cyl_bessel_i0, bessel_i(0, a), f64(0, 1, 17, 0), f32(0, 1, 10, 0));
    TILESCOPE_COUNTED(cyl_bessel_i1, bessel_i(1, a), f64(0, 3, 16, 0), f32(0, 3, 9, 0));
    TILESCOPE_FUNCTION(jn, (S32 n, F64 a)->F64, bessel_jn(n, a), f64(2, 58, 38, 2));
    TILESCOPE_FUNCTION(jnf, (S32 n, F32 a)->F32, single(bessel_jn(n, a)), f32(12, 41, 71, 13));
    TILESCOPE_FUNCTION(yn, (S32 n, F64 a)->F64, bessel_yn(n, a), f64(17, 14, 88, 4));
    TILESCOPE_FUNCTION(ynf, (S32 n, F32 a)->F32, single(bessel_yn(n, a)), f32(8, 7, 54, 2));
}

}  // namespace tilescope::isa::device
