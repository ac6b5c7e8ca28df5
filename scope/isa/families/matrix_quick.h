// The sums of matrix_sums.h, several times as fast where all factors are finite and none lies too far from the others.
//
// Owns: QuickFactors, sum_quick() and sum_tile(). Guarantees: the same bits as sum_products(), or false. How: a product
// of two factors is exact in f32, and a power of two makes it a whole number of the unit that its sum keeps; what lies
// below is cut off where it becomes an integer. Rows of A are lanes. Factors of 8 exponent bits are taken beside the
// greatest of their line, as their products would leave f32; where a sum's greatest exponent lies far below that of its
// lines, a product that counts could have been lost: sum_quick() says false then.
#pragma once

#include <cstdint>
#include <cstring>

#include "scope/isa/families/matrix_sums.h"

namespace tilescope::isa::TILESCOPE_TARGET {

inline constexpr unsigned kQuickRows = 16;

// A lane for each row: the compiler makes of these what the target has.
using QuickFloats = float __attribute__((vector_size(4 * kQuickRows)));
using QuickWords = std::int32_t __attribute__((vector_size(4 * kQuickRows)));

// Whether numbers of this type are taken beside the greatest exponent of their line.
template <class Element>
inline constexpr bool kFarApart = Element::kExponent > 5;

inline constexpr std::int32_t kBiasOfF32 = 127, kTopOfF32 = 254;

// A factor, lines being rows of A or columns of B.
template <unsigned kLines, unsigned kDepth>
struct QuickFactors {
    alignas(64) float value[kDepth][kLines];  // times 2^-scale of the line
    alignas(64) std::int32_t exponent[kDepth][kLines];
    alignas(64) std::int32_t scale[kLines];
    bool is_special = false;

    template <class Element>
    void read(const std::uint32_t (&bits)[kDepth][kLines]) {
        constexpr std::uint32_t kTop = (1u << Element::kExponent) - 1, kFraction = (1u << Element::kMantissa) - 1;
        constexpr std::uint32_t kSize = kTop << Element::kMantissa | kFraction;
        constexpr auto kBias = static_cast<std::int32_t>(kTop / 2);
        const std::uint32_t* const all = &bits[0][0];
        float* const values = &value[0][0];
        std::int32_t* const exponents = &exponent[0][0];
        std::uint32_t any = 0;
        for (unsigned i = 0; i < kDepth * kLines; ++i) {
            const std::uint32_t pattern = Element::pattern(all[i]), size = pattern & kSize;
            const std::uint32_t power = size >> Element::kMantissa;
            const std::int32_t from_bias = static_cast<std::int32_t>(power != 0 ? power : 1u) - kBias;
            exponents[i] = size == 0 ? kOfZero : from_bias;
            any |= power == kTop ? 1u : 0u;
            if constexpr (!kFarApart<Element>) {
                // The same bits mean as much in f32, but for its larger bias; subnormal ones included.
                constexpr auto kUp = static_cast<std::uint32_t>(2 * kBiasOfF32 - kBias) << 23;
                const float number = float_of(size << (23 - Element::kMantissa)) * float_of(kUp);
                values[i] =
                    float_of(bits_of(number) | (pattern ^ size) << (31 - Element::kMantissa - Element::kExponent));
            }
        }
        is_special = any != 0;
        if constexpr (!kFarApart<Element>) {
            for (std::int32_t& one : scale) one = 0;
        } else {
            read_apart<Element>(bits);
        }
    }

    void negate() {
        for (auto& line : value)
            for (float& one : line) one = -one;
    }

private:
    // Numbers beside the greatest of their line.
    template <class Element>
    void read_apart(const std::uint32_t (&bits)[kDepth][kLines]) {
        constexpr std::uint32_t kFraction = (1u << Element::kMantissa) - 1;
        constexpr std::uint32_t kTop = (1u << Element::kExponent) - 1;
        constexpr std::int32_t kNone = -1024;  // below every exponent
        for (std::int32_t& one : scale) one = kNone;
        for (unsigned k = 0; k < kDepth; ++k)
            for (unsigned line = 0; line < kLines; ++line)
                scale[line] = scale[line] < exponent[k][line] ? exponent[k][line] : scale[line];
        for (unsigned k = 0; k < kDepth; ++k)
            for (unsigned line = 0; line < kLines; ++line) {
                const std::uint32_t pattern = Element::pattern(bits[k][line]);
                const std::uint32_t power = pattern >> Element::kMantissa & kTop, fraction = pattern & kFraction;
                const std::uint32_t sign = pattern >> (Element::kMantissa + Element::kExponent) << 31;
                const auto whole = static_cast<std::int32_t>(fraction | (power != 0 ? kFraction + 1 : 0u));
                const std::int32_t up =
                    exponent[k][line] - scale[line] + kBiasOfF32 - static_cast<std::int32_t>(Element::kMantissa);
                const float size =
                    static_cast<float>(whole) * float_of(static_cast<std::uint32_t>(up < 0 ? 0 : up) << 23);
                value[k][line] = float_of(bits_of(size) | sign);
            }
    }
};

// d = a * b + c, columns one after the other; false where it has to be found otherwise.
template <class Format, bool kApart, unsigned kDepth>
inline bool sum_quick(const QuickFactors<kQuickRows, kDepth>& a, const QuickFactors<kMatrixColumns, kDepth>& b,
                      const typename Format::Word (&c)[kMatrixColumns][kQuickRows],
                      typename Format::Word (&d)[kMatrixColumns][kQuickRows]) {
    constexpr int kKept = FullSums::kKept, kUp = kKept - static_cast<int>(Format::kMantissa);
    constexpr std::uint32_t kTop = (1u << Format::kExponent) - 1;
    // A factor that lies 117 below the greatest of its line may be lost, and products that lie 27 below a sum's
    // greatest exponent count for nothing: so 90 and a few more to be safe.
    constexpr std::int32_t kFarthest = -85;
    if (a.is_special || b.is_special) return false;
    std::uint32_t any = 0;
    QuickWords farthest = {};
    for (unsigned j = 0; j < kMatrixColumns; ++j) {
        alignas(64) std::int32_t greatest_of[kQuickRows], addend[kQuickRows], of_addend[kQuickRows];
        for (unsigned row = 0; row < kQuickRows; ++row) {
            const std::uint32_t bits = c[j][row], power = bits >> Format::kMantissa & kTop;
            const std::uint32_t whole =
                ((bits & ((1u << Format::kMantissa) - 1)) | (power != 0 ? 1u << Format::kMantissa : 0u)) << kUp;
            const std::uint32_t sign = bits & Format::kSign ? ~0u : 0u;
            any |= power == kTop ? 1u : 0u;
            addend[row] = static_cast<std::int32_t>((whole ^ sign) - sign);
            const std::int32_t exponent =
                static_cast<std::int32_t>(power == 0 ? 1u : power) - static_cast<std::int32_t>(kTop / 2);
            of_addend[row] = whole == 0 ? kOfZero : exponent;
            greatest_of[row] = of_addend[row] < kLeastExponent ? kLeastExponent : of_addend[row];
        }
        QuickWords greatest;
        std::memcpy(&greatest, greatest_of, sizeof greatest);
        for (unsigned k = 0; k < kDepth; ++k) {
            QuickWords exponents;
            std::memcpy(&exponents, a.exponent[k], sizeof exponents);
            exponents += b.exponent[k][j];
            greatest = greatest < exponents ? exponents : greatest;
        }
        QuickWords apart = greatest;
        if constexpr (kApart) {
            QuickWords scales;
            std::memcpy(&scales, a.scale, sizeof scales);
            apart -= scales + b.scale[j];
            farthest = farthest < apart ? farthest : apart;
        }
        const QuickWords none = {}, top = none + kTopOfF32;
        QuickWords up = kKept + kBiasOfF32 - apart;
        up = up < none ? none : up;
        up = (up > top ? top : up) << 23;
        QuickFloats scale;
        std::memcpy(&scale, &up, sizeof scale);
        // 32 bits hold the sum of eight products.
        QuickWords sums[2] = {};
        for (unsigned half = 0; half < 2; ++half) {
            QuickWords sum = {};
            for (unsigned k = half * kDepth / 2; k < (half + 1) * kDepth / 2; ++k) {
                QuickFloats products;
                std::memcpy(&products, a.value[k], sizeof products);
                products *= b.value[k][j];
                sum += __builtin_convertvector(products * scale, QuickWords);
            }
            sums[half] = sum;
        }
        alignas(64) std::int32_t part[2][kQuickRows];
        std::memcpy(part, sums, sizeof part);
        std::memcpy(greatest_of, &greatest, sizeof greatest);
        for (unsigned row = 0; row < kQuickRows; ++row) {
            const double sum = static_cast<double>(part[0][row]) + static_cast<double>(part[1][row]) +
                               static_cast<double>(cut_off(addend[row], greatest_of[row] - of_addend[row]));
            d[j][row] = Format::template of_sum<FullSums::kFraction>(sum, greatest_of[row] - kKept);
        }
    }
    for (unsigned row = 0; kApart && row < kQuickRows; ++row)
        if (farthest[row] < kFarthest) return false;
    return any == 0;
}

// d = a * b + c, of elements' bits, columns of sums one after the other.
template <class Left, class Right, class Format, unsigned kDepth>
inline void sum_tile(const std::uint32_t (&left)[kDepth][kQuickRows],
                     const std::uint32_t (&right)[kDepth][kMatrixColumns],
                     const typename Format::Word (&c)[kMatrixColumns][kQuickRows],
                     typename Format::Word (&d)[kMatrixColumns][kQuickRows]) {
    QuickFactors<kQuickRows, kDepth> quick_a;
    QuickFactors<kMatrixColumns, kDepth> quick_b;
    quick_a.template read<Left>(left);
    quick_b.template read<Right>(right);
    if (sum_quick<Format, kFarApart<Left>>(quick_a, quick_b, c, d)) return;
    std::uint32_t rows[kQuickRows][kDepth];
    typename Format::Word before[kQuickRows][kMatrixColumns], sums[kQuickRows][kMatrixColumns];
    for (unsigned row = 0; row < kQuickRows; ++row) {
        for (unsigned k = 0; k < kDepth; ++k) rows[row][k] = left[k][row];
        for (unsigned j = 0; j < kMatrixColumns; ++j) before[row][j] = c[j][row];
    }
    Factors<kQuickRows, kDepth> a;
    Factors<kDepth, kMatrixColumns> b;
    a.template read<Left>(rows);
    b.template read<Right>(right);
    sum_products<Format>(a, b, before, sums);
    for (unsigned row = 0; row < kQuickRows; ++row)
        for (unsigned j = 0; j < kMatrixColumns; ++j) d[j][row] = sums[row][j];
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
