// Factors as the quick sums of matrix_quick.h want them: as floats, beside how far each lies below the greatest.
//
// Owns: QuickWords, in which factors come, QuickLanes and QuickOthers, and QuickSums. Guarantees: factors are exact, or
// is_usable is false. Lines of one matrix lie beside each other, as lanes: A's rows, or, where a vector does not hold
// as many, B's columns, which sums in registers have beside each other as well. Of the other one's lines four lanes
// have each, as in a fragment.
#pragma once

#include <cstdint>
#include <type_traits>

#include "scope/isa/families/matrix_sums.h"
#include "scope/isa/families/matrix_vectors.h"

namespace tilescope::isa::TILESCOPE_TARGET {

inline constexpr unsigned kQuickRows = 16;
inline constexpr bool kRowsAreLanes = kVectorWords >= kQuickRows;
inline constexpr unsigned kLaneLines = kRowsAreLanes ? kQuickRows : kMatrixColumns;
inline constexpr unsigned kOtherLines = kRowsAreLanes ? kMatrixColumns : kQuickRows;
inline constexpr unsigned kQuickBlocks = kLaneLines / kVectorWords;  // vectors that hold a lane for each line
// Lanes of a fragment that share a line: a group of factors for each.
inline constexpr unsigned kQuickGroups = 4, kOtherLanes = kQuickGroups * kOtherLines;

// Sums or addends, by the lines that are not lanes.
template <class Word>
struct QuickSums {
    alignas(64) Word lines[kOtherLines][kLaneLines];

    Word& at(unsigned row, unsigned column) { return kRowsAreLanes ? lines[column][row] : lines[row][column]; }
    const Word& at(unsigned row, unsigned column) const {
        return kRowsAreLanes ? lines[column][row] : lines[row][column];
    }
};

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

// A lane for each line.
template <class Element, unsigned kDepth, bool kApart>
struct QuickLanes : QuickShape<Element, kDepth, kApart> {
    using Shape = QuickShape<Element, kDepth, kApart>;
    using typename Shape::Numbers;
    using typename Shape::Pack;
    alignas(64) float value[kQuickGroups][Shape::kSlots][kLaneLines];
    alignas(64) std::uint32_t distance[kQuickGroups][kLaneLines];
    alignas(64) std::int32_t top[kLaneLines];  // biased, of each line; only where they lie apart
    bool is_usable;

    // Of words: the pack of a group in each line.
    TILESCOPE_LANE void read(const std::uint32_t (&words)[Shape::kPacks][kQuickGroups][kLaneLines]) {
        Numbers greatest_size = {}, far = {};
        for (unsigned line = 0; line < kLaneLines; line += kVectorWords) {
            Numbers size_of_line = {};
            for (const auto& pack : words)
                for (const auto& group : pack)
                    size_of_line = greatest_of(size_of_line, Pack{vector_at<VectorWords>(&group[line])}.size());
            greatest_size = greatest_of(greatest_size, size_of_line);
            const Numbers greatest = kApart ? Shape::of_line(Pack::exponents_of(size_of_line)) : Shape::top_of_all();
            const VectorWords tops = Shape::top_words(greatest);
            if constexpr (kApart) put_vector(&top[line], tops);
            const VectorFloats scale = Shape::scale_of(tops);
            for (unsigned group = 0; group < kQuickGroups; ++group) {
                VectorWords distances = VectorWords{} + static_cast<std::int32_t>(Shape::kUnused);
                for (unsigned nth = 0; nth < Shape::kPacks; ++nth) {
                    const Pack pack{vector_at<VectorWords>(&words[nth][group][line])};
                    Shape::add_distances(distances, nth, pack.distances(greatest, far));
                    float(*const values)[kLaneLines] = &value[group][nth * Shape::kSlots / Shape::kPacks];
                    put_vector(&values[0][line], kApart ? pack.first() * scale : pack.first());
                    if constexpr (Pack::kIsPair)
                        put_vector(&values[1][line], kApart ? pack.second() * scale : pack.second());
                }
                put_vector(&distance[group][line], distances);
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

// Four lanes for each line, as in a fragment.
template <class Element, unsigned kDepth, bool kApart>
struct QuickOthers : QuickShape<Element, kDepth, kApart> {
    using Shape = QuickShape<Element, kDepth, kApart>;
    using typename Shape::Numbers;
    using typename Shape::Pack;
    alignas(64) float value[Shape::kSlots][kOtherLanes];
    alignas(64) std::uint32_t distance[kOtherLanes];
    alignas(64) std::int32_t top[kOtherLanes];  // likewise
    bool is_usable;

    TILESCOPE_LANE void read(const std::uint32_t (&words)[Shape::kPacks][kOtherLanes]) {
        Numbers greatest_size = {}, far = {};
        for (unsigned lane = 0; lane < kOtherLanes; lane += kVectorWords) {
            Numbers size_of_line = {};
            for (const auto& pack : words)
                size_of_line = greatest_of(size_of_line, Pack{vector_at<VectorWords>(&pack[lane])}.size());
            greatest_size = greatest_of(greatest_size, size_of_line);
            const Numbers line =
                kApart ? greatest_of_fours(Shape::of_line(Pack::exponents_of(size_of_line))) : Shape::top_of_all();
            const VectorWords tops = Shape::top_words(line);
            if constexpr (kApart) put_vector(&top[lane], tops);
            const VectorFloats scale = Shape::scale_of(tops);
            VectorWords distances = VectorWords{} + static_cast<std::int32_t>(Shape::kUnused);
            for (unsigned nth = 0; nth < Shape::kPacks; ++nth) {
                const Pack pack{vector_at<VectorWords>(&words[nth][lane])};
                Shape::add_distances(distances, nth, pack.distances(line, far));
                float(*const values)[kOtherLanes] = &value[nth * Shape::kSlots / Shape::kPacks];
                put_vector(&values[0][lane], kApart ? pack.first() * scale : pack.first());
                if constexpr (Pack::kIsPair)
                    put_vector(&values[1][lane], kApart ? pack.second() * scale : pack.second());
            }
            put_vector(&distance[lane], distances);
        }
        is_usable = Shape::all_fit(greatest_size, far);
    }

    void negate() {
        for (auto& slot : value)
            for (float& one : slot) one = -one;
    }
};

// The words of a product's factors, as fragments group them. Within a line a group has every fourth word, so that any
// order of the depth will do which is the same for both.
template <class Element, unsigned kDepth>
struct QuickWords {
    static constexpr unsigned kPacks = QuickShape<Element, kDepth, false>::kPacks;
    alignas(64) std::uint32_t lanes[kPacks][kQuickGroups][kLaneLines];
    alignas(64) std::uint32_t others[kPacks][kOtherLanes];

    // The element of a row of A, or of a column of B, as its bits.
    std::uint32_t element_of_a(unsigned row, unsigned k) const {
        return word_at<kRowsAreLanes>(*this, row, k) >> shift(k);
    }
    std::uint32_t element_of_b(unsigned k, unsigned column) const {
        return word_at<!kRowsAreLanes>(*this, column, k) >> shift(k);
    }
    // Elements that come one by one, each once, into words that are zero.
    void set_a(unsigned row, unsigned k, std::uint32_t bits) {
        word_at<kRowsAreLanes>(*this, row, k) |= bits << shift(k);
    }
    void set_b(unsigned k, unsigned column, std::uint32_t bits) {
        word_at<!kRowsAreLanes>(*this, column, k) |= bits << shift(k);
    }

private:
    static constexpr unsigned kInWord = 32 / Element::kBits;
    static constexpr unsigned shift(unsigned k) { return k % kInWord * Element::kBits; }

    template <bool kOfLanes, class Self>
    static auto& word_at(Self& self, unsigned line, unsigned k) {
        const unsigned pack = k / kInWord / kQuickGroups, group = k / kInWord % kQuickGroups;
        if constexpr (kOfLanes)
            return self.lanes[pack][group][line];
        else
            return self.others[pack][line * kQuickGroups + group];
    }
};

}  // namespace tilescope::isa::TILESCOPE_TARGET
