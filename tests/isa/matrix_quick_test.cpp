// The quick way to sums of products against the plain one, bit by bit, where it says that it knows.
#include "scope/isa/families/matrix_quick.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

enum class Numbers { kAlike, kSpread, kAnyFinite, kFarApart, kMostlyZero, kTiny, kAnything };

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
            // Near each other, as far as that goes, and zeros among them.
            case Numbers::kSpread:
                if (bits() % 8 == 0) return sign << (exponent_bits + fraction_bits);
                exponent = exponent_bits > 5 ? top / 2 - 32 + bits() % 63 : bits() % top;
                break;
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
template <class Element, class Format, unsigned kDepth, bool kApart>
unsigned compare(Numbers numbers, unsigned cases) {
    // tf32 stands in the upper bits of its register.
    constexpr unsigned kUnused = Element::kBits == 32 ? 13 : 0;
    Draw draw(static_cast<unsigned>(numbers) * 64 + Element::kMantissa);
    unsigned known = 0;
    for (unsigned nth = 0; nth < cases; ++nth) {
        QuickWords<Element, kDepth> words = {};
        QuickSums<typename Format::Word> c, d, sums;
        const auto element = [&] { return draw.pattern(numbers, Element::kExponent, Element::kMantissa) << kUnused; };
        for (unsigned k = 0; k < kDepth; ++k) {
            for (unsigned row = 0; row < kQuickRows; ++row) words.set_a(row, k, element());
            for (unsigned j = 0; j < kMatrixColumns; ++j) words.set_b(k, j, element());
        }
        for (unsigned row = 0; row < kQuickRows; ++row)
            for (unsigned j = 0; j < kMatrixColumns; ++j)
                c.at(row, j) = static_cast<typename Format::Word>(draw.pattern(
                    draw.bits() % 4 == 0 ? Numbers::kMostlyZero : numbers, Format::kExponent, Format::kMantissa));
        QuickLanes<Element, kDepth, kApart> lanes;
        QuickOthers<Element, kDepth, kApart> others;
        lanes.read(words.lanes);
        others.read(words.others);
        if (!sum_quick<Format>(lanes, others, c, d)) continue;
        ++known;
        sum_slowly<Format>(words, false, c, sums);
        for (unsigned row = 0; row < kQuickRows; ++row)
            for (unsigned j = 0; j < kMatrixColumns; ++j)
                if (sums.at(row, j) != d.at(row, j)) {
                    ADD_FAILURE() << "case " << nth << " row " << row << " column " << j << ": " << d.at(row, j)
                                  << " instead of " << sums.at(row, j);
                    return known;
                }
    }
    return known;
}

template <class Element, class Format, unsigned kDepth, bool kApart = false>
void compare_all() {
    constexpr unsigned kCases = 2000;
    for (const Numbers numbers :
         {Numbers::kAnyFinite, Numbers::kFarApart, Numbers::kMostlyZero, Numbers::kTiny, Numbers::kAnything})
        compare<Element, Format, kDepth, kApart>(numbers, kCases);
    EXPECT_EQ((compare<Element, Format, kDepth, kApart>(Numbers::kAlike, kCases)), kCases);
    // A tiny addend to which nothing is added is not for the quick way.
    EXPECT_GT((compare<Element, Format, kDepth, kApart>(Numbers::kSpread, kCases)), kCases / 2);
    if constexpr (kHasFar<Element> && !kApart) compare_all<Element, Format, kDepth, true>();
}

TEST(MatrixQuick, HalvesToSingles) {
    compare_all<F16Element, OfF32, 16>();
    compare_all<F16Element, OfF32, 8>();
}
TEST(MatrixQuick, HalvesToHalves) {
    compare_all<F16Element, OfF16, 16>();
    compare_all<F16Element, OfF16, 8>();
}
TEST(MatrixQuick, Bf16ToSingles) {
    compare_all<Bf16Element, OfF32, 16>();
    compare_all<Bf16Element, OfF32, 8>();
}
TEST(MatrixQuick, Tf32ToSingles) {
    compare_all<Tf32Element, OfF32, 8>();
    compare_all<Tf32Element, OfF32, 4>();
}

// Sums that f32 cannot hold on the way, and the largest that it can.
TEST(MatrixQuick, AllAlike) {
    for (const std::uint32_t element : {0x3fffu, 0x3e00u, 0x3c00u, 0xbfffu, 0x7bffu, 0x0001u, 0x0000u}) {
        QuickWords<F16Element, 16> words;
        for (auto& pack : words.lanes)
            for (auto& group : pack) std::fill(std::begin(group), std::end(group), element * 0x10001u);
        for (auto& pack : words.others) std::fill(std::begin(pack), std::end(pack), element * 0x10001u);
        for (const std::uint32_t addend : {0x00000000u, 0x80000000u, 0x3fffffffu, 0xbfffffffu, 0x00000001u}) {
            QuickSums<std::uint32_t> c, d, sums;
            for (auto& line : c.lines) std::fill(std::begin(line), std::end(line), addend);
            QuickProduct(words).sum<OfF32>(c, d);
            sum_slowly<OfF32>(words, false, c, sums);
            for (unsigned j = 0; j < kMatrixColumns; ++j)
                for (unsigned row = 0; row < kQuickRows; ++row) ASSERT_EQ(sums.at(row, j), d.at(row, j));
        }
    }
}

}  // namespace
}  // namespace tilescope::isa::TILESCOPE_TARGET
