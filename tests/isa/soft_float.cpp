#include "tests/isa/soft_float.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilescope::isa::test {
namespace {

int length(Wide m) {
    int n = 0;
    for (; m != 0; m >>= 1) ++n;
    return n;
}

Soft special(Soft::Kind kind, bool negative) {
    Soft r;
    r.kind = kind;
    r.negative = negative;
    return r;
}

// m * 2^-shift as an integer in the mode; the sign matters to the directed ones.
Wide shifted(Wide m, int shift, bool negative, Mode mode) {
    if (shift <= 0) return m << -shift;
    const Wide whole = shift > 127 ? 0 : m >> shift;
    const Wide rest = shift > 127 ? m : m - (whole << shift);
    if (rest == 0) return whole;
    const Wide half = shift > 127 ? ~Wide{0} : Wide{1} << (shift - 1);
    switch (mode) {
        case Mode::kZero: return whole;
        case Mode::kDown: return whole + (negative ? 1 : 0);
        case Mode::kUp: return whole + (negative ? 0 : 1);
        case Mode::kNearest: break;
    }
    if (rest == half) return whole + (whole & 1);
    return whole + (rest > half ? 1 : 0);
}

}  // namespace

int SoftFormat::width() const {
    int exponent = 0;
    while ((1 << exponent) < most + 1) ++exponent;
    return digits + exponent + 1;
}

Soft unpack(SoftFormat format, std::uint64_t bits) {
    const int fraction_bits = format.digits - 1, width = format.width();
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
    const int top = 2 * format.most + 1;
    const int exponent = static_cast<int>(bits >> fraction_bits) & top;
    const bool negative = bits >> (width - 1) & 1;
    if (exponent == top) return special(fraction ? Soft::kNan : Soft::kInfinite, negative);
    Soft r;
    r.negative = negative;
    r.m = exponent == 0 ? fraction : fraction | std::uint64_t{1} << fraction_bits;
    r.e = (exponent == 0 ? 1 : exponent) - format.most - fraction_bits;
    return r;
}

Soft from_integer(std::uint64_t bits, bool is_signed) {
    Soft r;
    r.negative = is_signed && bits >> 63;
    r.m = r.negative ? 0 - bits : bits;
    return r;
}

std::uint64_t pack(SoftFormat format, const Soft& x, Mode mode, bool flush) {
    const int fraction_bits = format.digits - 1;
    const std::uint64_t sign = static_cast<std::uint64_t>(x.negative) << (format.width() - 1);
    const std::uint64_t infinity = static_cast<std::uint64_t>(2 * format.most + 1) << fraction_bits;
    if (x.kind == Soft::kInfinite) return sign | infinity;
    if (x.m == 0) return sign;
    const int exponent = length(x.m) - 1 + x.e;
    const int unbounded = exponent - fraction_bits;
    if (flush) {
        const Wide kept = shifted(x.m, unbounded - x.e, x.negative, mode);
        if (unbounded + length(kept) - 1 < format.least) return sign;
    }
    const int step = exponent < format.least ? format.least - fraction_bits : unbounded;
    const Wide kept = shifted(x.m, step - x.e, x.negative, mode);
    if (kept == 0) return sign;
    const int top = step + length(kept) - 1;
    if (top > format.most) {
        const bool away =
            mode == Mode::kNearest || (mode == Mode::kUp && !x.negative) || (mode == Mode::kDown && x.negative);
        return sign | (away ? infinity : infinity - 1);
    }
    if (top < format.least) return sign | static_cast<std::uint64_t>(kept);
    const auto fraction = static_cast<std::uint64_t>(kept >> (length(kept) - format.digits));
    const auto field = static_cast<std::uint64_t>(top + format.most) << fraction_bits;
    return sign | field | (fraction & ((std::uint64_t{1} << fraction_bits) - 1));
}

Soft add(Soft a, Soft b, Mode mode) {
    if (a.nan() || b.nan()) return special(Soft::kNan, false);
    if (a.kind == Soft::kInfinite || b.kind == Soft::kInfinite) {
        if (a.kind == b.kind && a.negative != b.negative) return special(Soft::kNan, false);
        return a.kind == Soft::kInfinite ? a : b;
    }
    if (a.m == 0 && b.m == 0) {
        a.negative = a.negative == b.negative ? a.negative : mode == Mode::kDown;
        return a;
    }
    if (a.m == 0) return b;
    if (b.m == 0) return a;
    // The one that reaches higher is moved up as far as it goes; the other follows, what falls off becoming sticky.
    if (length(a.m) + a.e < length(b.m) + b.e) std::swap(a, b);
    const int up = std::max(0, 125 - length(a.m));
    a.m <<= up;
    a.e -= up;
    const int down = a.e - b.e;
    if (down <= 0) {
        b.m <<= -down;
    } else {
        const Wide kept = down > 127 ? 0 : b.m >> down;
        const bool lost = down > 127 || (kept << down) != b.m;
        b.m = kept | (lost ? 1 : 0);
    }
    if (a.negative == b.negative) {
        a.m += b.m;
    } else if (a.m >= b.m) {
        a.m -= b.m;
    } else {
        a.m = b.m - a.m;
        a.negative = b.negative;
    }
    if (a.m == 0) a.negative = mode == Mode::kDown;
    return a;
}

Soft multiply(const Soft& a, const Soft& b) {
    if (a.nan() || b.nan()) return special(Soft::kNan, false);
    const bool negative = a.negative != b.negative;
    if (a.kind == Soft::kInfinite || b.kind == Soft::kInfinite)
        return special(a.zero() || b.zero() ? Soft::kNan : Soft::kInfinite, negative);
    return Soft{Soft::kFinite, negative, a.m * b.m, a.e + b.e};
}

Soft divide(const Soft& a, const Soft& b) {
    if (a.nan() || b.nan()) return special(Soft::kNan, false);
    const bool negative = a.negative != b.negative;
    if (a.kind == Soft::kInfinite) return special(b.kind == Soft::kInfinite ? Soft::kNan : Soft::kInfinite, negative);
    if (b.kind == Soft::kInfinite || (a.zero() && !b.zero())) return Soft{Soft::kFinite, negative, 0, 0};
    if (b.zero()) return special(a.zero() ? Soft::kNan : Soft::kInfinite, negative);
    const int up = 126 - length(a.m);
    const Wide numerator = a.m << up, quotient = numerator / b.m;
    const bool inexact = quotient * b.m != numerator;
    return Soft{Soft::kFinite, negative, quotient << 1 | (inexact ? 1 : 0), a.e - up - b.e - 1};
}

Soft square_root(const Soft& a) {
    if (a.nan() || a.zero()) return a;
    if (a.negative) return special(Soft::kNan, false);
    if (a.kind == Soft::kInfinite) return a;
    int up = 124 - length(a.m);
    if ((a.e - up) % 2 != 0) ++up;
    const Wide square = a.m << up;
    Wide root = 0;
    for (int bit = 62; bit >= 0; --bit) {
        const Wide more = root | Wide{1} << bit;
        if (more * more <= square) root = more;
    }
    return Soft{Soft::kFinite, false, root << 1 | (root * root != square ? 1 : 0), (a.e - up) / 2 - 1};
}

Soft negate(Soft a) {
    a.negative = !a.negative;
    return a;
}

Soft round_whole(Soft a, Mode mode) {
    if (a.kind != Soft::kFinite || a.e >= 0) return a;
    a.m = shifted(a.m, -a.e, a.negative, mode);
    a.e = 0;
    return a;
}

int compare(const Soft& a, const Soft& b) {
    if (a.negative != b.negative) return a.negative ? -1 : 1;
    const int sign = a.negative ? -1 : 1;
    if (a.kind == Soft::kInfinite || b.kind == Soft::kInfinite) return a.kind == b.kind ? 0 : a.kind ? sign : -sign;
    const Soft difference =
        add(Soft{Soft::kFinite, false, a.m, a.e}, Soft{Soft::kFinite, true, b.m, b.e}, Mode::kNearest);
    return difference.m == 0 ? 0 : difference.negative ? -sign : sign;
}

long double value_of(const Soft& a) {
    if (a.nan()) return NAN;
    const long double size =
        a.kind == Soft::kInfinite ? static_cast<long double>(HUGE_VAL) : std::ldexp(static_cast<long double>(a.m), a.e);
    return a.negative ? -size : size;
}

Soft flushed(SoftFormat format, const Soft& a) {
    Soft r = a;
    if (a.kind == Soft::kFinite && length(a.m) - 1 + a.e < format.least) r.m = 0;
    return r;
}

}  // namespace tilescope::isa::test
