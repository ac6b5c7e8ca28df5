// What products of matrices in registers share: where elements lie, and how an instruction's registers are found.
//
// Owns: Matrices, and the ways from registers to elements and back. Guarantees: the layouts of the PTX ISA
// (matrix_fragments.h); A of a sparse product is taken as it is stored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "scope/isa/families/matrix_fragments.h"
#include "scope/isa/families/matrix_sums.h"
#include "scope/isa/families/matrix_turns.h"
#include "scope/isa/table/binding.h"
#include "scope/machine/simd/lanes.h"

namespace tilescope::isa::TILESCOPE_TARGET {

using machine::kWarpSize;
using machine::Op;
using machine::OpFn;
using machine::Warp;
using machine::TILESCOPE_TARGET::write_lanes;

struct Matrices {
    Fragment a, b, c;
    machine::Operand d[8];
    unsigned results = 0;
    int rounding = 0;  // of doubles
};

// visit(row, column, bits) for each element of A, whose rows are the warp's.
template <unsigned kBits, unsigned kRows, class Visit>
void for_each_of_a(const Warp& warp, const Matrices& of, const Visit& visit) {
    constexpr unsigned kInWord = 32 / kBits, kTiles = kRows / kTileRows;
    for (unsigned word = 0; word < of.a.count; ++word) {
        const auto* words = words_of<std::uint32_t>(warp, of.a, word);
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            const unsigned row = row_in_tile(lane) + word % kTiles * kTileRows;
            const unsigned column = (word_in_row(lane) + word / kTiles * kTileWords) * kInWord;
            for (unsigned i = 0; i < kInWord; ++i) visit(row, column, i, words[lane] >> (i * kBits));
        }
    }
}

template <unsigned kBits, class Visit>
void for_each_of_b(const Warp& warp, const Matrices& of, const Visit& visit) {
    constexpr unsigned kInWord = 32 / kBits;
    for (unsigned word = 0; word < of.b.count; ++word) {
        const auto* words = words_of<std::uint32_t>(warp, of.b, word);
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            const unsigned row = (word_in_row(lane) + word * kTileWords) * kInWord;
            for (unsigned i = 0; i < kInWord; ++i) visit(row, row_in_tile(lane), i, words[lane] >> (i * kBits));
        }
    }
}

// C and D: words of 32 bits, or pairs of f16 in one.
template <class Word, unsigned kRows>
void read_sums(const Warp& warp, const Matrices& of, Word (&sums)[kRows][kMatrixColumns]) {
    for (unsigned word = 0; word < of.c.count; ++word) {
        const auto* words = words_of<std::uint32_t>(warp, of.c, word);
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            const unsigned column = word_in_row(lane) * 2;
            if constexpr (sizeof(Word) == 4) {
                sums[row_in_tile(lane) + word / 2 * kTileRows][column + word % 2] = static_cast<Word>(words[lane]);
            } else {
                Word* const pair = &sums[row_in_tile(lane) + word * kTileRows][column];
                pair[0] = static_cast<Word>(words[lane]);
                pair[1] = static_cast<Word>(words[lane] >> 16);
            }
        }
    }
}

template <class Word, unsigned kRows>
void write_sums(Warp& warp, const Matrices& of, const Word (&sums)[kRows][kMatrixColumns]) {
    for (unsigned word = 0; word < of.results; ++word)
        write_lanes(warp.exec, warp.target<std::uint32_t>(of.d[word]), [&](unsigned lane) {
            const unsigned column = word_in_row(lane) * 2;
            if constexpr (sizeof(Word) == 4) {
                return static_cast<std::uint32_t>(sums[row_in_tile(lane) + word / 2 * kTileRows][column + word % 2]);
            } else {
                const Word* const pair = &sums[row_in_tile(lane) + word * kTileRows][column];
                return static_cast<std::uint32_t>(pair[0]) | static_cast<std::uint32_t>(pair[1]) << 16;
            }
        });
}

// The words of A and B as matrix_quick.h takes them, and C and D.
template <class Words>
TILESCOPE_LANE void read_factors(const Warp& warp, const Matrices& of, Words& words) {
    const auto of_a = [&](unsigned i) { return words_of<std::uint32_t>(warp, of.a, i); };
    const auto of_b = [&](unsigned i) { return words_of<std::uint32_t>(warp, of.b, i); };
    if constexpr (kRowsAreLanes) {
        read_lanes(of_a, words.lanes);
        read_others(of_b, words.others);
    } else {
        read_lanes(of_b, words.lanes);
        read_others(of_a, words.others);
    }
}
template <class Word>
TILESCOPE_LANE void read_addends(const Warp& warp, const Matrices& of, QuickSums<Word>& sums) {
    read_sums_of([&](unsigned i) { return words_of<std::uint32_t>(warp, of.c, i); }, sums);
}
template <class Word>
TILESCOPE_LANE void write_results(Warp& warp, const Matrices& of, const QuickSums<Word>& sums) {
    write_sums_in(warp.exec, sums, [&](unsigned i) { return warp.target<std::uint32_t>(of.d[i]); });
}

// A number of few bits.
template <unsigned kBits, bool kSigned>
inline std::int32_t integer_of(std::uint32_t bits) {
    constexpr unsigned kUnused = 32 - kBits;
    if constexpr (kSigned) return static_cast<std::int32_t>(bits << kUnused) >> kUnused;
    return static_cast<std::int32_t>(bits << kUnused >> kUnused);
}

// ---- binding ------------------------------------------------------------------------------------------------------

// Registers of A, B, C and D in a lane; true when the instruction has them.
inline bool place_matrices(Binding& binding, Matrices& of, unsigned a, unsigned b, unsigned c, unsigned d) {
    unsigned brought = 0, unused = 0;
    of.a = fragment_of(binding.operands[1], brought);
    of.b = fragment_of(binding.operands[2], brought);
    of.c = fragment_of(binding.operands[3], brought);
    const Fragment results = fragment_of(binding.operands[0], unused);
    of.results = results.count;
    if (of.a.count != a || of.b.count != b || of.c.count != c || of.results != d) {
        binding.fail(
            fmt::format("a number of registers that does not fit the shape: A, B, C and D have {}, {}, {} and "
                        "{} a lane, not {}, {}, {} and {}",
                        a, b, c, d, of.a.count, of.b.count, of.c.count, of.results));
        return false;
    }
    std::copy_n(results.words, d, of.d);
    return true;
}
inline bool take_matrices(Binding& binding, unsigned a, unsigned b, unsigned c) {
    Matrices of;
    if (!place_matrices(binding, of, a, b, c, c)) return false;
    binding.op.extra = binding.keep(of);
    return true;
}

// The depth that the shape's name ends with.
inline unsigned depth_of(const Binding& binding) {
    for (const std::string_view word : binding.form.words()) {
        if (word.size() < 6 || word.front() != 'm' || word.find('n') == std::string_view::npos) continue;
        unsigned depth = 0;
        for (const char digit : word.substr(word.rfind('k') + 1))
            depth = depth * 10 + static_cast<unsigned>(digit - '0');
        return depth;
    }
    return 0;
}
// The words of the types of D, A, B and C, in this order, behind the layouts and what may follow them.
inline std::string_view type_word(const Binding& binding, unsigned n) {
    const auto& words = binding.form.words();
    std::size_t at = 0;
    while (at < words.size() && words[at] != "row" && words[at] != "col") ++at;
    at += 2 + n;
    if (binding.has("satfinite") || binding.form.one_of({"rn", "rz", "rm", "rp"}) != "") ++at;
    return at < words.size() ? words[at] : std::string_view();
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
