// Fragments turned over: what lanes of a warp hold of lines, as the lines of matrix_quick.h, and back.
//
// Owns: the way from a warp's registers to QuickWords and QuickSums. Guarantees: in which order the lines come that are
// lanes hangs on the target and is the same for all fragments (line_at).
#pragma once

#include <cstdint>
#include <cstring>

#include "scope/isa/families/matrix_fragments.h"
#include "scope/isa/families/matrix_quick_factors.h"
#include "scope/machine/simd/lanes.h"

namespace tilescope::isa::TILESCOPE_TARGET {

using machine::kWarpSize;

// The line that stands at a place among lanes. Eight columns lie as registers have their sums: even ones first.
constexpr unsigned line_at(unsigned place) {
    return kRowsAreLanes ? place % 4 * 4 + place / 4 : place % 4 * 2 + place / 4;
}

// The lines that are lanes, of which four lanes of a warp share each: their words by lane of the four, in the order of
// line_at(). word_at(line): where the four words of a line are.
template <class WordAt>
TILESCOPE_LANE void turn_to_lanes(const WordAt& word_at, std::uint32_t (&by_lane)[kTileWords][kLaneLines]) {
    constexpr unsigned kInVector = kVectorWords / kTileWords;  // lines of four words
    for (unsigned place = 0; place < kLaneLines; place += kVectorWords) {
        VectorWords in[4], out[4];
        for (unsigned v = 0; v < 4; ++v) {
            // Neighbours in memory where a vector holds them all.
            if constexpr (kInVector > 1)
                in[v] = vector_at<VectorWords>(word_at(v * kInVector));
            else
                in[v] = vector_at<VectorWords>(word_at(line_at(place + v)));
        }
        turn_fours(in, out);
        for (unsigned t = 0; t < kTileWords; ++t) put_vector(&by_lane[t][place], out[t]);
    }
}

// ---- factors: words_of(i) has the warp's words of register i --------------------------------------------------------

// Two tiles of A, upper and lower, in each pack; one of B.
template <unsigned kPacks, class WordsOf>
TILESCOPE_LANE void read_lanes(const WordsOf& words_of, std::uint32_t (&packs)[kPacks][kQuickGroups][kLaneLines]) {
    constexpr unsigned kTiles = kLaneLines / kTileRows;
    for (unsigned nth = 0; nth < kPacks; ++nth)
        turn_to_lanes(
            [&](unsigned line) { return words_of(nth * kTiles + line / kTileRows) + line % kTileRows * kTileWords; },
            packs[nth]);
}
template <unsigned kPacks, class WordsOf>
TILESCOPE_LANE void read_others(const WordsOf& words_of, std::uint32_t (&packs)[kPacks][kOtherLanes]) {
    constexpr unsigned kTiles = kOtherLanes / kWarpSize;
    for (unsigned nth = 0; nth < kPacks; ++nth)
        for (unsigned tile = 0; tile < kTiles; ++tile)
            std::memcpy(&packs[nth][tile * kWarpSize], words_of(nth * kTiles + tile),
                        kWarpSize * sizeof(std::uint32_t));
}

// ---- sums and addends: words_to(i) is where register i's words go ---------------------------------------------------

// Registers of two columns' words come one after the other, upper lines first; of halves, two columns share a word.
template <class WordsOf>
TILESCOPE_LANE void read_sums_of(const WordsOf& words_of, QuickSums<std::uint32_t>& sums) {
    for (unsigned word = 0; word < 2; ++word) {
        if constexpr (kRowsAreLanes) {
            std::uint32_t by_lane[kTileWords][kLaneLines];
            turn_to_lanes(
                [&](unsigned row) { return words_of(row / kTileRows * 2 + word) + row % kTileRows * kTileWords; },
                by_lane);
            for (unsigned t = 0; t < kTileWords; ++t)
                std::memcpy(sums.lines[2 * t + word], by_lane[t], sizeof by_lane[t]);
        } else {
            for (unsigned row = 0; row < kQuickRows; ++row)
                std::memcpy(&sums.lines[row][word * kTileWords],
                            words_of(row / kTileRows * 2 + word) + row % kTileRows * kTileWords,
                            kTileWords * sizeof(std::uint32_t));
        }
    }
}
template <class WordsTo>
TILESCOPE_LANE void write_sums_of(const QuickSums<std::uint32_t>& sums, const WordsTo& words_to) {
    for (unsigned word = 0; word < 2; ++word) {
        if constexpr (kRowsAreLanes) {
            VectorWords in[4], out[4];
            for (unsigned t = 0; t < 4; ++t) in[t] = vector_at<VectorWords>(sums.lines[2 * t + word]);
            turn_fours(in, out);
            constexpr unsigned kInTile = kWarpSize / kVectorWords;
            for (unsigned v = 0; v < 4; ++v)
                put_vector(words_to(v / kInTile * 2 + word) + v % kInTile * kVectorWords, out[v]);
        } else {
            for (unsigned row = 0; row < kQuickRows; ++row)
                std::memcpy(words_to(row / kTileRows * 2 + word) + row % kTileRows * kTileWords,
                            &sums.lines[row][word * kTileWords], kTileWords * sizeof(std::uint32_t));
        }
    }
}

// The same of halves, row by row.
template <class WordsOf>
void read_sums_of(const WordsOf& words_of, QuickSums<std::uint16_t>& sums) {
    for (unsigned place = 0; place < kQuickRows; ++place) {
        const unsigned row = kRowsAreLanes ? line_at(place) : place;
        const std::uint32_t* const words = words_of(row / kTileRows) + row % kTileRows * kTileWords;
        for (unsigned t = 0; t < kTileWords; ++t) {
            // Columns that are lanes have the even ones first.
            sums.at(place, kRowsAreLanes ? 2 * t : t) = static_cast<std::uint16_t>(words[t]);
            sums.at(place, kRowsAreLanes ? 2 * t + 1 : kTileWords + t) = static_cast<std::uint16_t>(words[t] >> 16);
        }
    }
}
template <class WordsTo>
void write_sums_of(const QuickSums<std::uint16_t>& sums, const WordsTo& words_to) {
    for (unsigned place = 0; place < kQuickRows; ++place) {
        const unsigned row = kRowsAreLanes ? line_at(place) : place;
        std::uint32_t* const words = words_to(row / kTileRows) + row % kTileRows * kTileWords;
        for (unsigned t = 0; t < kTileWords; ++t)
            words[t] = sums.at(place, kRowsAreLanes ? 2 * t : t) |
                       static_cast<std::uint32_t>(sums.at(place, kRowsAreLanes ? 2 * t + 1 : kTileWords + t)) << 16;
    }
}

// Into registers, where lanes take part; target_of(i) is register i.
template <class Word, class TargetOf>
TILESCOPE_LANE void write_sums_in(std::uint32_t exec, const QuickSums<Word>& sums, const TargetOf& target_of) {
    if (exec == machine::kFullMask) {
        write_sums_of(sums, target_of);
        return;
    }
    alignas(64) std::uint32_t registers[sizeof(Word)][kWarpSize];
    write_sums_of(sums, [&](unsigned i) { return registers[i]; });
    for (unsigned i = 0; i < sizeof(Word); ++i)
        machine::TILESCOPE_TARGET::write_lanes(exec, target_of(i), [&](unsigned lane) { return registers[i][lane]; });
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
