// The sums of matrix_sums.h, many times as fast where all factors are finite and none lies too far from the others.
//
// Owns: QuickProduct. Guarantees: the same bits as sum_products(). How: a product of two factors is exact
// in f32, and a power of two makes it a whole number of the unit that its sum keeps; what lies below is cut off where
// it becomes an integer. The lines of one matrix are lanes. The greatest exponent of a sum is found in bytes, four
// products of each row at a time: a factor has its distance from an exponent that none exceeds, and the least sum of
// two distances says which is the greatest. That exponent is one for all factors where they lie near enough to each
// other, or each line's own greatest, beside which its factors are then taken; what does not fit either way is summed
// as in matrix_sums.h.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "scope/isa/families/matrix_quick_factors.h"

namespace tilescope::isa::TILESCOPE_TARGET {

// Addends of f32 as numbers, and their biased exponents, 0 where they are zero.
struct QuickAddends {
    alignas(64) std::uint32_t bits[kOtherLines][kLaneLines];
    alignas(64) std::int32_t exponent[kOtherLines][kLaneLines];
};

// The least of four bytes, by words.
TILESCOPE_LANE VectorWords least_byte(const VectorBytes& bytes) {
    const auto halves = reinterpret_cast<VectorUnsigned>(bytes);
    const auto pairs = reinterpret_cast<VectorUnsigned>(least_of(bytes, reinterpret_cast<VectorBytes>(halves >> 16)));
    const VectorBytes one = least_of(reinterpret_cast<VectorBytes>(pairs), reinterpret_cast<VectorBytes>(pairs >> 8));
    return reinterpret_cast<VectorWords>(one) & 0xff;
}

// False where some are not finite.
inline bool widen_addends(const std::uint16_t (&c)[kOtherLines][kLaneLines], QuickAddends& wide) {
    std::uint32_t most = 0;
    for (unsigned other = 0; other < kOtherLines; ++other)
        for (unsigned line = 0; line < kLaneLines; ++line) {
            const std::uint32_t half = c[other][line], size = half & 0x7fffu, exponent = size >> 10;
            most = most < size ? size : most;
            wide.bits[other][line] = bits_of(F16::widen(c[other][line]));
            wide.exponent[other][line] =
                size == 0 ? 0 : static_cast<std::int32_t>(exponent == 0 ? 1u : exponent) - 15 + kBiasOfF32;
        }
    return most < OfF16::kInfinity;
}
// Of sums that were cut off to odd.
inline void narrow_sums(const std::uint32_t (&sums)[kOtherLines][kLaneLines],
                        std::uint16_t (&d)[kOtherLines][kLaneLines]) {
    for (unsigned other = 0; other < kOtherLines; ++other)
        for (unsigned line = 0; line < kLaneLines; ++line) {
            const std::uint16_t near = F16::narrow(float_of(sums[other][line]));
            d[other][line] = near == OfF16::kSign ? std::uint16_t{0} : near;
        }
}

// Vectors of sums at once, of two lines or of one's two halves: what they share is loaded for both.
inline constexpr unsigned kQuickAtOnce = kQuickBlocks == 1 ? 2 : 1;
inline constexpr unsigned kQuickUnits = kQuickAtOnce * kQuickBlocks;
constexpr unsigned line_of_unit(unsigned first, unsigned unit) { return first + unit / kQuickBlocks; }
constexpr unsigned lane_of_unit(unsigned unit) { return unit % kQuickBlocks * kVectorWords; }

// How far the greatest exponent of each sum lies below that of its lines.
template <class Element, unsigned kDepth, bool kApart>
TILESCOPE_LANE void greatest_products(const QuickLanes<Element, kDepth, kApart>& lanes,
                                      const QuickOthers<Element, kDepth, kApart>& others, unsigned first,
                                      VectorWords (&below)[kQuickUnits]) {
    VectorBytes least[kQuickUnits];
    for (unsigned group = 0; group < kQuickGroups; ++group)
        for (unsigned unit = 0; unit < kQuickUnits; ++unit) {
            const auto of_other = reinterpret_cast<VectorBytes>(
                VectorWords{} +
                static_cast<std::int32_t>(others.distance[line_of_unit(first, unit) * kQuickGroups + group]));
            const VectorBytes both = vector_at<VectorBytes>(&lanes.distance[group][lane_of_unit(unit)]) + of_other;
            least[unit] = group == 0 ? both : least_of(least[unit], both);
        }
    for (unsigned unit = 0; unit < kQuickUnits; ++unit) below[unit] = least_byte(least[unit]);
}

// What did not fit, by sign bits, and what was seen on the way.
struct QuickDoubts {
    VectorWords beyond = {};
    VectorWords farthest = {};              // the greatest product that lies lowest
    VectorWords most = {};                  // the largest addend's magnitude
    VectorWords highest = {}, lowest = {};  // of the first half of each sum

    // Whether the sums are right. Addends that are tiny and not zero are where nothing is added to them.
    template <class Format>
    bool are_settled(const QuickSums<typename Format::Word>& c) const {
        // The second half is less than 2^30, an addend than 2^26: 32 bits hold all three.
        constexpr std::int32_t kMostOfHalf = (1 << 30) - (1 << 26), kSign = std::numeric_limits<std::int32_t>::min();
        const VectorWords all = beyond | ((0x7f800000 - 1) - most) | (kMostOfHalf - highest) | (kMostOfHalf + lowest);
        if (any_bit(all & kSign)) return false;
        if (!std::is_same_v<Format, OfF32> || !any_bit(farthest >= kZeroDistance)) return true;
        std::uint32_t any = 0;
        for (const auto& line : c.lines)
            for (const std::uint32_t bits : line) any |= (bits & 0x7fffffffu) - 1u < (kLeastAlone << 23) - 1u ? 1u : 0u;
        return any == 0;
    }
};

// d = a * b + c; false where it has to be found otherwise.
template <class Format, class Element, unsigned kDepth, bool kApart>
inline bool sum_quick(const QuickLanes<Element, kDepth, kApart>& lanes,
                      const QuickOthers<Element, kDepth, kApart>& others, const QuickSums<typename Format::Word>& c,
                      QuickSums<typename Format::Word>& d) {
    using Shape = QuickShape<Element, kDepth, kApart>;
    constexpr bool kIsF32 = std::is_same_v<Format, OfF32>;
    constexpr std::int32_t kUp = FullSums::kKept + 2 * kBiasOfF32;
    // 32 bits hold the sum of eight products.
    constexpr unsigned kHalves = kDepth > 8 ? 2 : 1;
    if (!lanes.is_usable || !others.is_usable) return false;
    [[maybe_unused]] QuickAddends wide;
    [[maybe_unused]] alignas(64) std::uint32_t sums_of_halves[kOtherLines][kLaneLines];
    if constexpr (!kIsF32)
        if (!widen_addends(c.lines, wide)) return false;
    QuickDoubts doubts;
    for (unsigned first = 0; first < kOtherLines; first += kQuickAtOnce) {
        VectorWords below[kQuickUnits], of_addend[kQuickUnits], sums[kQuickUnits][kHalves];
        VectorFloats up[kQuickUnits];
        greatest_products(lanes, others, first, below);
        for (unsigned unit = 0; unit < kQuickUnits; ++unit) {
            const unsigned other = line_of_unit(first, unit), lane = lane_of_unit(unit);
            VectorWords bits, exponent, tops = {}, greatest;
            if constexpr (kIsF32) {
                bits = vector_at<VectorWords>(&c.lines[other][lane]);
                const VectorWords size = bits & 0x7fffffff;
                doubts.most = greatest_of(doubts.most, size);
                exponent = size >> 23;
            } else {
                bits = vector_at<VectorWords>(&wide.bits[other][lane]);
                exponent = vector_at<VectorWords>(&wide.exponent[other][lane]);
            }
            doubts.farthest = greatest_of(doubts.farthest, below[unit]);
            if constexpr (kApart) {
                tops = vector_at<VectorWords>(&lanes.top[lane]) + others.top[other * kQuickGroups];
                greatest = tops - kBiasOfF32 - below[unit];
                const VectorWords is_none = below[unit] >= kZeroDistance;
                doubts.beyond |= ~is_none & ((kLostDistance - 1 - below[unit]) | (greatest - kLeastApart));
                greatest &= ~is_none;
            } else {
                constexpr std::int32_t kBias = (1 << Element::kExponent) / 2 - 1;
                constexpr std::int32_t kTopProduct = 2 * (Shape::Pack::kTop - kBias) + kBiasOfF32;
                greatest = kTopProduct - below[unit];
            }
            greatest = greatest_of(greatest_of(greatest, exponent), VectorWords{} + kLeastSum);
            // Biased exponents of what makes units of 2^-25 of the greatest.
            VectorWords of_products = kUp - greatest;
            of_addend[unit] = of_products << 23;
            if constexpr (kApart) {
                of_products += tops - 2 * kBiasOfF32;
                of_products = least_of(greatest_of(of_products, VectorWords{}), VectorWords{} + kTopOfF32);
            }
            up[unit] = as_floats(of_products << 23);
            for (VectorWords& half : sums[unit]) half = VectorWords{};
            sums[unit][kHalves - 1] =
                __builtin_convertvector(as_floats(bits) * as_floats(of_addend[unit]), VectorWords);
        }
        for (unsigned group = 0; group < kQuickGroups; ++group)
            for (unsigned slot = 0; slot < Shape::kSlots; ++slot)
                for (unsigned unit = 0; unit < kQuickUnits; ++unit) {
                    const auto values = vector_at<VectorFloats>(&lanes.value[group][slot][lane_of_unit(unit)]);
                    const float factor = others.value[slot][line_of_unit(first, unit) * kQuickGroups + group];
                    sums[unit][group * kHalves / kQuickGroups] +=
                        __builtin_convertvector(values * factor * up[unit], VectorWords);
                }
        for (unsigned unit = 0; unit < kQuickUnits; ++unit) {
            const unsigned other = line_of_unit(first, unit), lane = lane_of_unit(unit);
            VectorWords sum = sums[unit][0];
            if constexpr (kHalves > 1) {
                doubts.highest = greatest_of(doubts.highest, sum);
                doubts.lowest = least_of(doubts.lowest, sum);
                sum += sums[unit][1];
            }
            const VectorFloats down = as_floats((kTopOfF32 << 23) - of_addend[unit]);
            VectorWords cut = cut_to_floats(sum);
            if constexpr (kIsF32) {
                put_vector(&d.lines[other][lane], as_floats(cut) * down);
            } else {
                // Odd where something is cut off, so that rounding once more is right.
                cut |= (__builtin_convertvector(as_floats(cut), VectorWords) != sum) & 1;
                put_vector(&sums_of_halves[other][lane], as_floats(cut) * down);
            }
        }
    }
    if constexpr (!kIsF32) narrow_sums(sums_of_halves, d.lines);
    return doubts.are_settled<Format>(c);
}

// d = a * b + c the plain way.
template <class Format, class Element, unsigned kDepth>
inline __attribute__((noinline)) void sum_slowly(const QuickWords<Element, kDepth>& words, bool negates,
                                                 const QuickSums<typename Format::Word>& c,
                                                 QuickSums<typename Format::Word>& d) {
    std::uint32_t rows[kQuickRows][kDepth], columns[kDepth][kMatrixColumns];
    typename Format::Word before[kQuickRows][kMatrixColumns], sums[kQuickRows][kMatrixColumns];
    for (unsigned k = 0; k < kDepth; ++k) {
        for (unsigned row = 0; row < kQuickRows; ++row) rows[row][k] = words.element_of_a(row, k);
        for (unsigned j = 0; j < kMatrixColumns; ++j) columns[k][j] = words.element_of_b(k, j);
    }
    for (unsigned row = 0; row < kQuickRows; ++row)
        for (unsigned j = 0; j < kMatrixColumns; ++j) before[row][j] = c.at(row, j);
    Factors<kQuickRows, kDepth> a;
    Factors<kDepth, kMatrixColumns> b;
    a.template read<Element>(rows);
    b.template read<Element>(columns);
    if (negates) a.negate();
    sum_products<Format>(a, b, before, sums);
    for (unsigned row = 0; row < kQuickRows; ++row)
        for (unsigned j = 0; j < kMatrixColumns; ++j) d.at(row, j) = sums[row][j];
}

// Products of one A, each on top of its own addends: quickly where that can be.
template <class Element, unsigned kDepth>
class QuickProduct {
public:
    // Of A's words, which stay. `negates`: of -A.
    TILESCOPE_LANE explicit QuickProduct(const QuickWords<Element, kDepth>& words, bool negates = false)
        : words_(words), negates_(negates) {
        near_a_.read(words_of<kRowsAreLanes>());
        if (negates) near_a_.negate();
    }

    // d = a * b + c, of B's words as they are now.
    template <class Format>
    TILESCOPE_LANE void sum(const QuickSums<typename Format::Word>& c, QuickSums<typename Format::Word>& d) {
        if (near_a_.is_usable) {
            FactorsOfB<false> b;
            b.read(words_of<!kRowsAreLanes>());
            if (sum_both<Format, false>(near_a_, b, c, d)) return;
        }
        sum_otherwise<Format>(c, d);
    }

private:
    template <bool kApart>
    using FactorsOfA =
        std::conditional_t<kRowsAreLanes, QuickLanes<Element, kDepth, kApart>, QuickOthers<Element, kDepth, kApart>>;
    template <bool kApart>
    using FactorsOfB =
        std::conditional_t<kRowsAreLanes, QuickOthers<Element, kDepth, kApart>, QuickLanes<Element, kDepth, kApart>>;

    template <bool kOfLanes>
    TILESCOPE_LANE const auto& words_of() const {
        if constexpr (kOfLanes)
            return words_.lanes;
        else
            return words_.others;
    }
    template <class Format, bool kApart>
    TILESCOPE_LANE static bool sum_both(const FactorsOfA<kApart>& a, const FactorsOfB<kApart>& b,
                                        const QuickSums<typename Format::Word>& c,
                                        QuickSums<typename Format::Word>& d) {
        if constexpr (kRowsAreLanes)
            return sum_quick<Format>(a, b, c, d);
        else
            return sum_quick<Format>(b, a, c, d);
    }
    template <class Format>
    __attribute__((noinline)) void sum_otherwise(const QuickSums<typename Format::Word>& c,
                                                 QuickSums<typename Format::Word>& d) {
        if constexpr (kHasFar<Element>) {
            FactorsOfA<true> a;
            FactorsOfB<true> b;
            a.read(words_of<kRowsAreLanes>());
            if (negates_) a.negate();
            b.read(words_of<!kRowsAreLanes>());
            if (sum_both<Format, true>(a, b, c, d)) return;
        }
        sum_slowly<Format>(words_, negates_, c, d);
    }

    const QuickWords<Element, kDepth>& words_;
    FactorsOfA<false> near_a_;
    bool negates_;
};

}  // namespace tilescope::isa::TILESCOPE_TARGET
