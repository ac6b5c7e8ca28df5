// Floating-point arithmetic in integers: the reference of the floating-point rows.
//
// Owns: numbers as sign * m * 2^e with 128-bit m, exact operations on them, and one rounding into a format.
// Guarantees: exact for operands of up to 64 bits; bits lost in an alignment are kept as one sticky bit.
// Does not model: NaN payloads.
#pragma once

#include <cstdint>

namespace tilescope::isa::test {

__extension__ using Wide = unsigned __int128;

enum class Mode { kNearest, kZero, kDown, kUp };

struct SoftFormat {
    int digits, least, most;  // significant bits; exponents of the least and the largest normal numbers
    int width() const;        // of the encoding
};
inline constexpr SoftFormat kSoftF16{11, -14, 15}, kSoftBf16{8, -126, 127}, kSoftF32{24, -126, 127},
    kSoftF64{53, -1022, 1023};

struct Soft {
    enum Kind { kFinite, kInfinite, kNan };
    Kind kind = kFinite;
    bool negative = false;
    Wide m = 0;
    int e = 0;

    bool zero() const { return kind == kFinite && m == 0; }
    bool nan() const { return kind == kNan; }
};

Soft unpack(SoftFormat format, std::uint64_t bits);
Soft from_integer(std::uint64_t bits, bool is_signed);
// No NaN. flush: a result that is tiny after rounding, were exponents unbounded, becomes a zero of its sign.
std::uint64_t pack(SoftFormat format, const Soft& x, Mode mode, bool flush = false);

Soft add(Soft a, Soft b, Mode mode);
Soft multiply(const Soft& a, const Soft& b);
Soft divide(const Soft& a, const Soft& b);
Soft square_root(const Soft& a);
Soft negate(Soft a);
// To a whole number. A zero keeps the sign.
Soft round_whole(Soft a, Mode mode);
// -1, 0 or 1, of two that are no NaNs; -0 is less than +0.
int compare(const Soft& a, const Soft& b);
long double value_of(const Soft& a);
// A zero in place of a subnormal number of the format.
Soft flushed(SoftFormat format, const Soft& a);

}  // namespace tilescope::isa::test
