// The quick way to sums of products against the plain one, bit by bit, where it says that it knows.
#include "scope/isa/families/matrix_quick.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

constexpr unsigned kDepth = 16;

enum class Numbers { kAlike, kAnyFinite, kFarApart, kMostlyZero, kTiny, kAnything };

class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}
    std::uint32_t bits() { return random_(); }

    // An element's pattern, of so many bits of exponent and fraction.
    std::uint32_t pattern(Numbers numbers, unsigned exponent_bits, unsigned fraction_bits) {
        const std::uint32_t top = (1u << exponent_bits) - 1, sign = bits() & 1u, fraction = bits();
        std::uint32_t exponent = 0;
        switch (numbers) {
            case Numbers::kAlike: exponent = top / 2 - 3 + bits() % 7; break;
            case Numbers::kAnyFinite: exponent = bits() % top; break;
            case Numbers::kFarApart:
                exponent = bits() % 3 == 0 ? bits() % top : (bits() & 1u) ? top - 2 : bits() % 4;
                break;
            case Numbers::kMostlyZero:
                if (bits() % 8 != 0) return sign << (exponent_bits + fraction_bits);
                exponent = bits() % top;
                break;
            case Numbers::kTiny: exponent = bits() % 3; break;
            case Numbers::kAnything: exponent = bits() & top; break;
        }
        return sign << (exponent_bits + fraction_bits) | exponent << fraction_bits |
               (fraction & ((1u << fraction_bits) - 1));
    }

private:
    std::mt19937 random_;
};

// How often the quick way knew, of `cases`.
template <class Element, class Format>
unsigned compare(Numbers numbers, unsigned cases) {
    // tf32 stands in the upper bits of its register.
    constexpr unsigned kUnused = Element::kBits == 32 ? 13 : 0;
    Draw draw(static_cast<unsigned>(numbers) * 64 + Element::kMantissa);
    unsigned known = 0;
    for (unsigned nth = 0; nth < cases; ++nth) {
        std::uint32_t rows[kQuickRows][kDepth], turned[kDepth][kQuickRows], right[kDepth][kMatrixColumns];
        typename Format::Word addend[kQuickRows][kMatrixColumns], sums[kQuickRows][kMatrixColumns];
        typename Format::Word c[kMatrixColumns][kQuickRows], d[kMatrixColumns][kQuickRows];
        const auto element = [&] { return draw.pattern(numbers, Element::kExponent, Element::kMantissa) << kUnused; };
        for (unsigned row = 0; row < kQuickRows; ++row)
            for (unsigned k = 0; k < kDepth; ++k) turned[k][row] = rows[row][k] = element();
        for (auto& line : right)
            for (std::uint32_t& one : line) one = element();
        for (unsigned row = 0; row < kQuickRows; ++row)
            for (unsigned j = 0; j < kMatrixColumns; ++j)
                c[j][row] = addend[row][j] = static_cast<typename Format::Word>(draw.pattern(
                    draw.bits() % 4 == 0 ? Numbers::kMostlyZero : numbers, Format::kExponent, Format::kMantissa));
        QuickFactors<kQuickRows, kDepth> quick_a;
        QuickFactors<kMatrixColumns, kDepth> quick_b;
        quick_a.template read<Element>(turned);
        quick_b.template read<Element>(right);
        if (!sum_quick<Format, kFarApart<Element>>(quick_a, quick_b, c, d)) continue;
        ++known;
        Factors<kQuickRows, kDepth> a;
        Factors<kDepth, kMatrixColumns> b;
        a.template read<Element>(rows);
        b.template read<Element>(right);
        sum_products<Format>(a, b, addend, sums);
        for (unsigned row = 0; row < kQuickRows; ++row)
            for (unsigned j = 0; j < kMatrixColumns; ++j)
                if (sums[row][j] != d[j][row]) {
                    ADD_FAILURE() << "case " << nth << " row " << row << " column " << j << ": " << d[j][row]
                                  << " instead of " << sums[row][j];
                    return known;
                }
    }
    return known;
}

template <class Element, class Format>
void compare_all() {
    constexpr unsigned kCases = 2000;
    for (const Numbers numbers :
         {Numbers::kAnyFinite, Numbers::kFarApart, Numbers::kMostlyZero, Numbers::kTiny, Numbers::kAnything})
        compare<Element, Format>(numbers, kCases);
    EXPECT_EQ((compare<Element, Format>(Numbers::kAlike, kCases)), kCases);
}

TEST(MatrixQuick, HalvesToSingles) { compare_all<F16Element, OfF32>(); }
TEST(MatrixQuick, HalvesToHalves) { compare_all<F16Element, OfF16>(); }
TEST(MatrixQuick, Bf16ToSingles) { compare_all<Bf16Element, OfF32>(); }
TEST(MatrixQuick, Tf32ToSingles) { compare_all<Tf32Element, OfF32>(); }

}  // namespace
}  // namespace tilescope::isa::TILESCOPE_TARGET
