// Factors as the quick sums of matrix_quick.h want them: as floats, beside how far each lies below the greatest.
//
// Owns: QuickWords, in which factors come, QuickLeft and QuickRight. Guarantees: factors are exact, or is_usable is
// false. Rows of A lie beside each other, as lanes; of B four lanes have each column, as in a fragment.
#pragma once

#include <cstdint>
#include <type_traits>

#include "scope/isa/families/matrix_sums.h"
#include "scope/isa/families/matrix_vectors.h"

namespace tilescope::isa::TILESCOPE_TARGET {

inline constexpr unsigned kQuickRows = 16;
inline constexpr unsigned kQuickBlocks = kQuickRows / kVectorWords;  // vectors that a lane for each row takes
// Lanes of a fragment that share a line: a group of factors for each.
inline constexpr unsigned kQuickGroups = 4, kQuickLanes = kQuickGroups * kMatrixColumns;

// Whether numbers of this type can lie so far apart that they must be taken beside the greatest of their line.
template <class Element>
inline constexpr bool kHasFar = Element::kExponent > 5;

inline constexpr std::int32_t kBiasOfF32 = 127, kTopOfF32 = 254;
// Distances: what is as good as lost, as products count for nothing that lie 27 below a sum's greatest exponent; and
// that of zero, which no two that are not zero have together.
inline constexpr std::int32_t kLostDistance = 60, kMostDistance = 62, kZeroDistance = 127;
// The exponent that no factor exceeds of a type that has large ones, where all lie near each other: 2^30's.
inline constexpr std::int32_t kTopOfNear = kBiasOfF32 + 30;
// Biased exponents: no sum's greatest is taken for less than kLeastSum, so that f32 holds the unit. Products below
// kLeastApart, addends below kLeastAlone to which nothing is added, and factors from kMostFactor on take the plain way.
inline constexpr std::int32_t kLeastSum = 30, kLeastApart = 37, kLeastAlone = 62, kMostFactor = 200;

// A vector of words as fragments have them: two elements of 16 bits each, or one.
template <class Element, bool kApart>
struct QuickPack {
    static constexpr bool kIsPair = Element::kBits == 16;
    using Numbers = std::conditional_t<kIsPair, VectorHalves, VectorWords>;
    static constexpr int kFraction = kIsPair ? static_cast<int>(Element::kMantissa) : 23;  // bits below the exponent
    static constexpr bool kIsWide = kHasFar<Element>;  // as f32 has it, but for the fraction
    // Biased: what all exponents are at most, where that is not a line's own, and what none may reach.
    static constexpr std::int32_t kTop = kIsWide ? kTopOfNear : (1 << Element::kExponent) - 2;
    static constexpr std::int32_t kMost = kApart ? kMostFactor : kTop + 1;

    VectorWords bits;

    // Magnitudes, and their biased exponents, a subnormal's being that of the least normal number.
    TILESCOPE_LANE Numbers size() const {
        return reinterpret_cast<Numbers>(kIsPair ? bits & 0x7fff7fff : bits & 0x7fffe000);
    }
    TILESCOPE_LANE static Numbers exponents_of(const Numbers& size) {
        return greatest_of(size >> kFraction, (size & 0) + 1);
    }
    // How far below the greatest each exponent lies; `far` becomes negative where that is farther than it may be.
    TILESCOPE_LANE VectorWords distances(const Numbers& greatest, Numbers& far) const {
        const Numbers sizes = size(), is_zero = sizes == 0;
        Numbers below = greatest - exponents_of(sizes);
        if constexpr (kApart)
            below = least_of(below, (below & 0) + kLostDistance);
        else if constexpr (kIsWide)
            far |= ~is_zero & (kMostDistance - below);
        return reinterpret_cast<VectorWords>((below & ~is_zero) | (is_zero & kZeroDistance));
    }
    // What the pair's first and second, or the only element is, in f32.
    TILESCOPE_LANE VectorFloats first() const {
        if constexpr (!kIsPair) return as_floats(bits & ~0x1fff);
        if constexpr (kIsWide) return as_floats(bits << 16);
        return as_floats((bits << 16 >> 3) & kHalfInF32) * kUpFromHalf;
    }
    TILESCOPE_LANE VectorFloats second() const {
        if constexpr (kIsWide) return as_floats(bits & ~0xffff);
        return as_floats((bits >> 3) & kHalfInF32) * kUpFromHalf;
    }

private:
    // An f16's sign, exponent and fraction where f32 has them, which means as much but for the bias.
    static constexpr std::int32_t kHalfInF32 = static_cast<std::int32_t>(0x8fffe000u);
    static constexpr float kUpFromHalf = 0x1p112f;
};

// Factors of A or B: kDepth of each line, in four groups.
template <class Element, unsigned kDepth, bool kApart>
struct QuickShape {
    static constexpr unsigned kPacks = kDepth * Element::kBits / 32 / kQuickGroups;  // words of a group
    static constexpr unsigned kSlots = kDepth / kQuickGroups;                        // elements of a group
    using Pack = QuickPack<Element, kApart>;
    using Numbers = typename Pack::Numbers;
    static_assert(kPacks >= 1 && kPacks <= 2, "distances of a group must fit a word");

    // Bytes of a group's distances that stand for no element.
    static constexpr std::uint32_t kUnused = kSlots == 4     ? 0
                                             : kSlots == 1   ? 0x7f7f7f00u
                                             : Pack::kIsPair ? 0x7f007f00u
                                                             : 0x7f7f0000u;

    TILESCOPE_LANE static void add_distances(VectorWords& all, unsigned pack, const VectorWords& of_pack) {
        all |= of_pack << static_cast<int>(8 * pack);
    }
    // The same exponent in both halves.
    TILESCOPE_LANE static Numbers of_line(const Numbers& greatest) {
        if constexpr (!Pack::kIsPair) {
            return greatest;
        } else {
            const auto words = reinterpret_cast<VectorUnsigned>(greatest);
            return greatest_of(greatest, reinterpret_cast<Numbers>(words << 16 | words >> 16));
        }
    }
    TILESCOPE_LANE static Numbers top_of_all() { return Numbers{} + Pack::kTop; }
    TILESCOPE_LANE static VectorWords top_words(const Numbers& of_line) {
        const auto words = reinterpret_cast<VectorWords>(of_line);
        return Pack::kIsPair ? words & 0xffff : words;
    }
    // 2^-(exponent of the line).
    TILESCOPE_LANE static VectorFloats scale_of(const VectorWords& top) { return as_floats((kTopOfF32 - top) << 23); }
    // Whether none is as large as what is not taken, or too far from the others.
    TILESCOPE_LANE static bool all_fit(const Numbers& sizes, const Numbers& far) {
        constexpr auto kSigns = static_cast<std::int32_t>(Pack::kIsPair ? 0x80008000u : 0x80000000u);
        return !any_bit(reinterpret_cast<VectorWords>((Pack::kMost - 1 - (sizes >> Pack::kFraction)) | far) & kSigns);
    }
};

// A: a lane for each row.
template <class Element, unsigned kDepth, bool kApart>
struct QuickLeft : QuickShape<Element, kDepth, kApart> {
    using Shape = QuickShape<Element, kDepth, kApart>;
    using typename Shape::Numbers;
    using typename Shape::Pack;
    alignas(64) float value[kQuickGroups][Shape::kSlots][kQuickRows];
    alignas(64) std::uint32_t distance[kQuickGroups][kQuickRows];
    alignas(64) std::int32_t top[kQuickRows];  // biased, of each line
    bool is_usable;

    // Of words: the pack of a group in each row.
    TILESCOPE_LANE void read(const std::uint32_t (&words)[Shape::kPacks][kQuickGroups][kQuickRows]) {
        Numbers greatest_size = {}, far = {};
        for (unsigned row = 0; row < kQuickRows; row += kVectorWords) {
            Numbers size_of_line = {};
            for (const auto& pack : words)
                for (const auto& group : pack)
                    size_of_line = greatest_of(size_of_line, Pack{vector_at<VectorWords>(&group[row])}.size());
            greatest_size = greatest_of(greatest_size, size_of_line);
            const Numbers line = kApart ? Shape::of_line(Pack::exponents_of(size_of_line)) : Shape::top_of_all();
            const VectorWords tops = Shape::top_words(line);
            put_vector(&top[row], tops);
            const VectorFloats scale = Shape::scale_of(tops);
            for (unsigned group = 0; group < kQuickGroups; ++group) {
                VectorWords distances = VectorWords{} + static_cast<std::int32_t>(Shape::kUnused);
                for (unsigned nth = 0; nth < Shape::kPacks; ++nth) {
                    const Pack pack{vector_at<VectorWords>(&words[nth][group][row])};
                    Shape::add_distances(distances, nth, pack.distances(line, far));
                    float(*const values)[kQuickRows] = &value[group][nth * Shape::kSlots / Shape::kPacks];
                    put_vector(&values[0][row], kApart ? pack.first() * scale : pack.first());
                    if constexpr (Pack::kIsPair)
                        put_vector(&values[1][row], kApart ? pack.second() * scale : pack.second());
                }
                put_vector(&distance[group][row], distances);
            }
        }
        is_usable = Shape::all_fit(greatest_size, far);
    }

    void negate() {
        for (auto& group : value)
            for (auto& slot : group)
                for (float& one : slot) one = -one;
    }
};

// B: four lanes for each column, as in a fragment.
template <class Element, unsigned kDepth, bool kApart>
struct QuickRight : QuickShape<Element, kDepth, kApart> {
    using Shape = QuickShape<Element, kDepth, kApart>;
    using typename Shape::Numbers;
    using typename Shape::Pack;
    alignas(64) float value[Shape::kSlots][kQuickLanes];
    alignas(64) std::uint32_t distance[kQuickLanes];
    alignas(64) std::int32_t top[kQuickLanes];  // biased, of each line
    bool is_usable;

    TILESCOPE_LANE void read(const std::uint32_t (&words)[Shape::kPacks][kQuickLanes]) {
        Numbers greatest_size = {}, far = {};
        for (unsigned lane = 0; lane < kQuickLanes; lane += kVectorWords) {
            Numbers size_of_line = {};
            for (const auto& pack : words)
                size_of_line = greatest_of(size_of_line, Pack{vector_at<VectorWords>(&pack[lane])}.size());
            greatest_size = greatest_of(greatest_size, size_of_line);
            const Numbers line =
                kApart ? greatest_of_fours(Shape::of_line(Pack::exponents_of(size_of_line))) : Shape::top_of_all();
            const VectorWords tops = Shape::top_words(line);
            put_vector(&top[lane], tops);
            const VectorFloats scale = Shape::scale_of(tops);
            VectorWords distances = VectorWords{} + static_cast<std::int32_t>(Shape::kUnused);
            for (unsigned nth = 0; nth < Shape::kPacks; ++nth) {
                const Pack pack{vector_at<VectorWords>(&words[nth][lane])};
                Shape::add_distances(distances, nth, pack.distances(line, far));
                float(*const values)[kQuickLanes] = &value[nth * Shape::kSlots / Shape::kPacks];
                put_vector(&values[0][lane], kApart ? pack.first() * scale : pack.first());
                if constexpr (Pack::kIsPair)
                    put_vector(&values[1][lane], kApart ? pack.second() * scale : pack.second());
            }
            put_vector(&distance[lane], distances);
        }
        is_usable = Shape::all_fit(greatest_size, far);
    }
};

// The words of a product's factors, as fragments group them: rows of A beside each other, B as its lanes have it.
// Within a line a group has every fourth word, so that any order of the depth will do which is the same for both.
template <class Element, unsigned kDepth>
struct QuickWords {
    static constexpr unsigned kPacks = QuickShape<Element, kDepth, false>::kPacks;
    alignas(64) std::uint32_t left[kPacks][kQuickGroups][kQuickRows];
    alignas(64) std::uint32_t right[kPacks][kQuickLanes];

    // The element of a row of A, or of a column of B, as its bits.
    std::uint32_t left_element(unsigned row, unsigned k) const {
        return left[word(k) / kQuickGroups][word(k) % kQuickGroups][row] >> shift(k);
    }
    std::uint32_t right_element(unsigned k, unsigned column) const {
        return right[word(k) / kQuickGroups][column * kQuickGroups + word(k) % kQuickGroups] >> shift(k);
    }
    // Elements that come one by one, each once, into words that are zero.
    void set_left(unsigned row, unsigned k, std::uint32_t bits) {
        left[word(k) / kQuickGroups][word(k) % kQuickGroups][row] |= bits << shift(k);
    }
    void set_right(unsigned k, unsigned column, std::uint32_t bits) {
        right[word(k) / kQuickGroups][column * kQuickGroups + word(k) % kQuickGroups] |= bits << shift(k);
    }

private:
    static constexpr unsigned kInWord = 32 / Element::kBits;
    static constexpr unsigned word(unsigned k) { return k / kInWord; }
    static constexpr unsigned shift(unsigned k) { return k % kInWord * Element::kBits; }
};

}  // namespace tilescope::isa::TILESCOPE_TARGET
