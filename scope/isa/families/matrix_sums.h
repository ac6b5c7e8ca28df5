// Sums of products as the tensor cores of compute capability 9.0 form them.
//
// Guarantees: bit for bit what an H200 gave for mma.sync and wgmma, a million sums of each form and kind of numbers (27
// November 2026, bench/hardware/tensor_values.cu and wgmma_values.cu). The rule: all products of a step are exact; they
// and the addend are aligned to the largest exponent among them, a product's being the sum of its factors' and not that
// of its own leading bit; 25 bits below that exponent are kept, what is below is cut off; the sum of these is exact,
// and cut off once more where it becomes f32, or rounded to the nearest where it becomes f16. A sum that is less than
// the least number is +0. wgmma's 8-bit floats are multiplied as they are, 32 in one step, of which 13 bits are kept;
// of an f32 as many are left behind its point. Does not model: generations before 9.0, which keep fewer bits and add up
// fewer products at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "scope/isa/families/half_lanes.h"

namespace tilescope::isa::TILESCOPE_TARGET {

inline constexpr unsigned kMatrixColumns = 8;  // of B and D in every form

// How much a step keeps: bits below the largest exponent, and those of a sum that lie behind its point, if it has more.
struct FullSums {
    static constexpr int kKept = 25;
    static constexpr unsigned kFraction = 23;
};
struct ByteSums {
    static constexpr int kKept = 13;
    static constexpr unsigned kFraction = 13;
};

inline constexpr int kFactorFraction = 10;  // bits below the point of a factor's significand
inline constexpr std::int32_t kOfZero = -(1 << 20);
// The largest exponent counts as no less: -128 to -133 explain what was measured, and it is that of bf16's least
// number.
inline constexpr std::int32_t kLeastExponent = -133;

// ---- factors ------------------------------------------------------------------------------------------------------

// Types of elements: bits of a word that each takes, the format it is multiplied in, and its pattern in that.
struct F16Element {
    static constexpr unsigned kBits = 16, kExponent = 5, kMantissa = 10;
    TILESCOPE_LANE static std::uint32_t pattern(std::uint32_t bits) { return bits & 0xffffu; }
};
struct Bf16Element {
    static constexpr unsigned kBits = 16, kExponent = 8, kMantissa = 7;
    TILESCOPE_LANE static std::uint32_t pattern(std::uint32_t bits) { return bits & 0xffffu; }
};
// The lowest 13 bits of the register are not looked at.
struct Tf32Element {
    static constexpr unsigned kBits = 32, kExponent = 8, kMantissa = 10;
    TILESCOPE_LANE static std::uint32_t pattern(std::uint32_t bits) { return bits >> 13; }
};
// 8-bit floats are multiplied as f16.
struct E5m2Element {
    static constexpr unsigned kBits = 8, kExponent = 5, kMantissa = 10;
    TILESCOPE_LANE static std::uint32_t pattern(std::uint32_t bits) { return (bits & 0xffu) << 8; }
};
struct E4m3Element {
    static constexpr unsigned kBits = 8, kExponent = 5, kMantissa = 10;
    TILESCOPE_LANE static std::uint32_t pattern(std::uint32_t bits) {
        const std::uint32_t sign = (bits & 0x80u) << 8, size = bits & 0x7fu;
        const std::uint32_t normal = (size << 7) + (8u << 10);  // the bias is 7 here, 15 there
        const auto above = static_cast<std::uint32_t>(31 - std::countl_zero(size | 1u));
        const std::uint32_t tiny = size == 0 ? 0 : ((above + 6) << 10) | ((size << (10 - above)) & 0x3ffu);
        return sign | (size == 0x7fu ? 0x7fffu : size < 8 ? tiny : normal);
    }
};
// As wgmma multiplies it: all but the largest pattern is a number.
struct PlainE4m3Element {
    static constexpr unsigned kBits = 8, kExponent = 4, kMantissa = 3;
    static constexpr bool kHasInfinity = false;
    TILESCOPE_LANE static std::uint32_t pattern(std::uint32_t bits) { return bits & 0xffu; }
};

template <class Element>
constexpr bool has_infinity() {
    if constexpr (requires { Element::kHasInfinity; })
        return Element::kHasInfinity;
    else
        return true;
}

// A matrix of factors: significands, with their signs, and exponents. Zero has the least of all exponents.
template <unsigned kRows, unsigned kColumns>
struct Factors {
    alignas(64) std::int32_t significand[kRows][kColumns];
    alignas(64) std::int32_t exponent[kRows][kColumns];
    alignas(64) std::uint32_t is_special[kRows][kColumns];  // 0, 1: infinite, 2: NaN
    bool has_special = false;

    // Of the elements' bits.
    template <class Element>
    void read(const std::uint32_t (&bits)[kRows][kColumns]) {
        constexpr std::uint32_t kTop = (1u << Element::kExponent) - 1, kFraction = (1u << Element::kMantissa) - 1;
        constexpr auto kBias = static_cast<std::int32_t>(kTop / 2);
        std::uint32_t any = 0;
        for (unsigned row = 0; row < kRows; ++row)
            for (unsigned column = 0; column < kColumns; ++column) {
                const std::uint32_t pattern = Element::pattern(bits[row][column]);
                const std::uint32_t power = pattern >> Element::kMantissa & kTop, fraction = pattern & kFraction;
                const std::uint32_t sign = 0u - (pattern >> (Element::kMantissa + Element::kExponent) & 1u);
                const std::uint32_t whole = (fraction | (power != 0 ? kFraction + 1 : 0u))
                                            << (kFactorFraction - Element::kMantissa);
                significand[row][column] = static_cast<std::int32_t>((whole ^ sign) - sign);
                const std::int32_t from_bias = static_cast<std::int32_t>(power != 0 ? power : 1u) - kBias;
                const std::uint32_t special = power != kTop             ? 0u
                                              : has_infinity<Element>() ? (fraction == 0 ? 1u : 2u)
                                                                        : (fraction == kFraction ? 2u : 0u);
                exponent[row][column] = whole == 0 || special != 0 ? kOfZero : from_bias;
                is_special[row][column] = special;
                any |= special;
            }
        has_special = any != 0;
    }

    void negate() {
        for (auto& row : significand)
            for (std::int32_t& one : row) one = -one;
    }
};

// ---- sums ---------------------------------------------------------------------------------------------------------

// What the addend is, and the sum becomes.
struct OfF32 {
    using Word = std::uint32_t;
    static constexpr Word kNan = 0x7fffffffu, kInfinity = 0x7f800000u, kSign = 0x80000000u;
    static constexpr unsigned kExponent = 8, kMantissa = 23;

    // sum * 2^scale, cut off behind kFraction bits.
    template <unsigned kFraction>
    TILESCOPE_LANE static Word of_sum(double sum, std::int32_t scale) {
        const std::uint64_t bits = bits_of(sum);
        const auto fraction = static_cast<std::uint32_t>(bits >> 29) & 0x7fffffu;
        const std::int32_t power = static_cast<std::int32_t>(bits >> 52 & 0x7ffu) - 1023 + scale + 127;
        const std::int32_t short_of = 1 - power, down = short_of < 0 ? 0 : short_of > 31 ? 31 : short_of;
        const std::uint32_t tiny = (fraction | 0x800000u) >> down;
        const std::uint32_t normal = static_cast<std::uint32_t>(power) << 23 | fraction;
        const std::uint32_t cut = (power <= 0 ? tiny : normal) & (~0u << (kMantissa - kFraction));
        const std::uint32_t size = power >= 255 ? kInfinity : cut;
        return size == 0 ? 0 : size | (static_cast<std::uint32_t>(bits >> 32) & kSign);
    }
    TILESCOPE_LANE static Word added(Word a, Word b) {
        const float sum = float_of(a) + float_of(b);
        return sum != sum ? kNan : bits_of(sum);
    }
};
struct OfF16 {
    using Word = std::uint16_t;
    static constexpr Word kNan = 0x7fffu, kInfinity = 0x7c00u, kSign = 0x8000u;
    static constexpr unsigned kExponent = 5, kMantissa = 10;

    // The nearest to sum * 2^scale.
    template <unsigned kFraction>
    TILESCOPE_LANE static Word of_sum(double sum, std::int32_t scale) {
        const std::int32_t power = scale < -1000 ? -1000 : scale;
        const double value = sum * double_of(static_cast<std::uint64_t>(power + 1023) << 52);
        const std::uint16_t near = F16::narrow(odd_float(value));
        return near == kSign ? Word{0} : near;
    }
    TILESCOPE_LANE static Word added(Word a, Word b) { return F16::narrow(F16::widen(a) + F16::widen(b)); }
};

// What a sum is whose terms are not all finite; false where they are.
template <class Format, unsigned kRows, unsigned kDepth>
bool special_sum(const Factors<kRows, kDepth>& a, const Factors<kDepth, kMatrixColumns>& b,
                 typename Format::Word addend, unsigned row, unsigned column, typename Format::Word& sum) {
    const std::uint32_t magnitude = addend & (Format::kSign - 1u);
    bool is_nan = magnitude > Format::kInfinity, above = false, below = false;
    if (magnitude == Format::kInfinity) ((addend & Format::kSign) != 0 ? below : above) = true;
    for (unsigned k = 0; k < kDepth; ++k) {
        const std::uint32_t left = a.is_special[row][k], right = b.is_special[k][column];
        if (left == 0 && right == 0) continue;
        const std::int32_t x = a.significand[row][k], y = b.significand[k][column];
        // NaN, or an infinity times zero.
        if (left == 2 || right == 2 || x == 0 || y == 0)
            is_nan = true;
        else
            ((x < 0) != (y < 0) ? below : above) = true;
    }
    if (!is_nan && !above && !below) return false;
    const auto infinity = static_cast<typename Format::Word>(Format::kInfinity | (below ? Format::kSign : 0u));
    sum = is_nan || (above && below) ? Format::kNan : infinity;
    return true;
}

// value * 2^-below, cut off; 0 from 31 on.
TILESCOPE_LANE std::int32_t cut_off(std::int32_t value, std::int32_t below) {
    const std::int32_t sign = value >> 31;
    return ((((value ^ sign) - sign) >> (below < 31 ? below : 31)) ^ sign) - sign;
}

// product * 2^kShift. Where kShift is less than 0 the factors are of so few bits that nothing is lost.
template <int kShift>
TILESCOPE_LANE std::int32_t aligned(std::int32_t product) {
    if constexpr (kShift >= 0)
        return product * (1 << kShift);
    else
        return product >> -kShift;
}

// d = a * b + c of one row, in one step.
template <class Format, class Kept = FullSums, unsigned kRows, unsigned kDepth>
inline void sum_row(const Factors<kRows, kDepth>& a, unsigned row, const Factors<kDepth, kMatrixColumns>& b,
                    const typename Format::Word (&c)[kMatrixColumns], typename Format::Word (&d)[kMatrixColumns]) {
    constexpr int kKept = Kept::kKept, kShift = kKept - 2 * kFactorFraction;
    // Products whose sum 32 bits hold.
    constexpr unsigned kMost = kKept > 20 ? 8 : 32, kHalf = kDepth < kMost ? kDepth : kMost;
    // An addend that has more bits than are kept is cut off with the rest.
    constexpr int kUp = kKept - static_cast<int>(Format::kMantissa), kDown = kUp < 0 ? -kUp : 0;
    constexpr std::uint32_t kTop = (1u << Format::kExponent) - 1;
    std::uint32_t has_special = a.has_special || b.has_special ? 1u : 0u;
    alignas(64) std::int32_t greatest[kMatrixColumns], addend[kMatrixColumns], of_addend[kMatrixColumns];
    alignas(64) std::int32_t sums[2][kMatrixColumns] = {};
    for (unsigned j = 0; j < kMatrixColumns; ++j) {
        const std::uint32_t bits = c[j], power = bits >> Format::kMantissa & kTop;
        const std::uint32_t whole =
            ((bits & ((1u << Format::kMantissa) - 1)) | (power != 0 ? 1u << Format::kMantissa : 0u))
            << (kUp < 0 ? 0 : kUp);
        const std::uint32_t sign = bits & Format::kSign ? ~0u : 0u;
        has_special |= power == kTop ? 1u : 0u;
        addend[j] = static_cast<std::int32_t>((whole ^ sign) - sign);
        of_addend[j] = whole == 0
                           ? kOfZero
                           : static_cast<std::int32_t>(power == 0 ? 1u : power) - static_cast<std::int32_t>(kTop / 2);
        greatest[j] = of_addend[j] < kLeastExponent ? kLeastExponent : of_addend[j];
    }
    for (unsigned k = 0; k < kDepth; ++k)
        for (unsigned j = 0; j < kMatrixColumns; ++j) {
            const std::int32_t exponent = a.exponent[row][k] + b.exponent[k][j];
            greatest[j] = greatest[j] < exponent ? exponent : greatest[j];
        }
    for (unsigned half = 0; half * kHalf < kDepth; ++half)
        for (unsigned k = half * kHalf; k < (half + 1) * kHalf; ++k)
            for (unsigned j = 0; j < kMatrixColumns; ++j)
                sums[half][j] += cut_off(aligned<kShift>(a.significand[row][k] * b.significand[k][j]),
                                         greatest[j] - a.exponent[row][k] - b.exponent[k][j]);
    for (unsigned j = 0; j < kMatrixColumns; ++j) {
        const double sum = static_cast<double>(sums[0][j]) + static_cast<double>(sums[1][j]) +
                           static_cast<double>(cut_off(addend[j], greatest[j] - of_addend[j] + kDown));
        d[j] = Format::template of_sum<Kept::kFraction>(sum, greatest[j] - kKept);
    }
    if (has_special == 0) return;
    for (unsigned j = 0; j < kMatrixColumns; ++j) special_sum<Format>(a, b, c[j], row, j, d[j]);
}

template <class Format, class Kept = FullSums, unsigned kRows, unsigned kDepth>
inline void sum_products(const Factors<kRows, kDepth>& a, const Factors<kDepth, kMatrixColumns>& b,
                         const typename Format::Word (&c)[kRows][kMatrixColumns],
                         typename Format::Word (&d)[kRows][kMatrixColumns]) {
    for (unsigned row = 0; row < kRows; ++row) sum_row<Format, Kept>(a, row, b, c[row], d[row]);
}

// ---- whole numbers -----------------------------------------------------------------------------------------------

// sum + addend, which wraps or stops at the ends.
inline std::int32_t added_whole(std::int64_t addend, std::int64_t sum, bool saturates) {
    using Limits = std::numeric_limits<std::int32_t>;
    const std::int64_t whole = addend + sum, held = std::clamp<std::int64_t>(whole, Limits::min(), Limits::max());
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(saturates ? held : whole));
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
