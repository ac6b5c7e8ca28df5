// Rounding to a floating-point number of 16 bits or fewer, by integers alone: for host code, and for devices that have
// no instruction for it.
#pragma once

#define TILESCOPE_ROUND static __inline__ __attribute__((host, device, always_inline))
#if !defined(__CUDA__)
#undef TILESCOPE_ROUND
#define TILESCOPE_ROUND static __inline__
#endif

enum __tilescope_rounding { __tilescope_rn, __tilescope_rz, __tilescope_rd, __tilescope_ru };

// magnitude * 2^exponent, less than zero if `negative`, as the bits without the sign, in a format of `digits` binary
// digits whose least and greatest normal numbers have the exponents `least` and `greatest`; past these comes infinity.
TILESCOPE_ROUND unsigned __tilescope_round_small(bool negative, unsigned long long magnitude, int exponent, int digits,
                                                 int least, int greatest, __tilescope_rounding mode) {
    if (magnitude == 0) return 0;
    const int leading = 63 - __builtin_clzll(magnitude) + exponent;
    const int last = (leading > least ? leading : least) - (digits - 1), shift = last - exponent;
    unsigned long long kept = 0, rest = 0, half = 1;
    if (shift <= 0) {
        kept = magnitude << -shift;
    } else {
        kept = shift < 64 ? magnitude >> shift : 0;
        rest = shift < 64 ? magnitude & ((1ull << shift) - 1) : shift == 64 ? magnitude : 1;
        half = shift <= 64 ? 1ull << (shift - 1) : 2;
    }
    const bool up = mode == __tilescope_rn   ? rest > half || (rest == half && (kept & 1) != 0)
                    : mode == __tilescope_ru ? rest != 0 && !negative
                    : mode == __tilescope_rd ? rest != 0 && negative
                                             : false;
    const unsigned value = ((unsigned)(last + digits - 1 - least) << (digits - 1)) + (unsigned)kept + (up ? 1u : 0u);
    const unsigned infinity = (unsigned)(greatest - least + 2) << (digits - 1);
    if (value < infinity) return value;
    const bool beyond =
        mode == __tilescope_rn || (mode == __tilescope_ru && !negative) || (mode == __tilescope_rd && negative);
    return beyond ? infinity : infinity - 1;
}

// The same of a double that is a number.
TILESCOPE_ROUND unsigned __tilescope_round_double(double x, int digits, int least, int greatest,
                                                  __tilescope_rounding mode) {
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
    const int field = (int)((bits >> 52) & 2047);
    const unsigned long long fraction = bits & 0xfffffffffffffull;
    const bool negative = (bits >> 63) != 0;
    if (field == 2047)  // infinity: more than any format holds, but no rounding makes it a number
        return __tilescope_round_small(negative, 1, 2000, digits, least, greatest,
                                       negative ? __tilescope_rd : __tilescope_ru);
    return __tilescope_round_small(negative, field == 0 ? fraction : fraction | 1ull << 52,
                                   (field == 0 ? 1 : field) - 1075, digits, least, greatest, mode);
}

#define TILESCOPE_ROUND_FORMAT(name, digits, least, greatest)                                                         \
    TILESCOPE_ROUND unsigned short __tilescope_##name##_of(double x, __tilescope_rounding mode) {                     \
        if (x != x) return 0x7fff;                                                                                    \
        const unsigned sign = (unsigned)(__builtin_bit_cast(unsigned long long, x) >> 48) & 0x8000u;                  \
        return (unsigned short)(sign | __tilescope_round_double(x, digits, least, greatest, mode));                   \
    }                                                                                                                 \
    TILESCOPE_ROUND unsigned short __tilescope_##name##_of_integer(long long x, __tilescope_rounding mode) {          \
        return (unsigned short)((x < 0 ? 0x8000u : 0u) |                                                              \
                                __tilescope_round_small(x < 0, x < 0 ? 0ull - (unsigned long long)x : x, 0, digits,   \
                                                        least, greatest, mode));                                      \
    }                                                                                                                 \
    TILESCOPE_ROUND unsigned short __tilescope_##name##_of_integer(unsigned long long x, __tilescope_rounding mode) { \
        return (unsigned short)__tilescope_round_small(false, x, 0, digits, least, greatest, mode);                   \
    }
TILESCOPE_ROUND_FORMAT(half, 11, -14, 15)
TILESCOPE_ROUND_FORMAT(bfloat16, 8, -126, 127)
#undef TILESCOPE_ROUND_FORMAT
// Between 0 and 1; not a number becomes 0.
TILESCOPE_ROUND float __tilescope_saturated(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
#undef TILESCOPE_ROUND
