// Fragments turned over: what lanes hold of lines, as lines beside each other, which are lanes of vectors.
//
// Owns: the way from a warp's registers to the lines of matrix_quick.h and back. Guarantees: in which order lines come
// hangs on the target and is the same for all fragments (line_at).
#pragma once

#include <cstdint>

#include "scope/isa/families/matrix_fragments.h"
#include "scope/isa/families/matrix_sums.h"
#include "scope/isa/families/matrix_vectors.h"
#include "scope/machine/simd/lanes.h"

namespace tilescope::isa::TILESCOPE_TARGET {

using machine::kWarpSize;

inline constexpr unsigned kTurnedLines = 2 * kTileRows;

// The line that stands at a place.
constexpr unsigned line_at(unsigned place) {
    const unsigned in_vector = place % kVectorWords;
    return place - in_vector + in_vector % 4 * (kVectorWords / 4) + in_vector / 4;
}

// Two tiles, upper and lower, of which four lanes share each line: put(t, place, words) for the words that lanes t of
// lines have, from a place on.
template <class Put>
TILESCOPE_LANE void turn_tiles(const std::uint32_t* upper, const std::uint32_t* lower, const Put& put) {
    const std::uint32_t* const tiles[2] = {upper, lower};
    for (unsigned at = 0; at < 2 * kWarpSize; at += 4 * kVectorWords) {
        VectorWords in[4], out[4];
        for (unsigned v = 0; v < 4; ++v) {
            const unsigned lane = at + v * kVectorWords;
            in[v] = vector_at<VectorWords>(tiles[lane / kWarpSize] + lane % kWarpSize);
        }
        turn_fours(in, out);
        for (unsigned t = 0; t < kTileWords; ++t) put(t, at / 4, out[t]);
    }
}
// And back: take(t, place) gives them.
template <class Take>
TILESCOPE_LANE void turn_lines(const Take& take, std::uint32_t* upper, std::uint32_t* lower) {
    std::uint32_t* const tiles[2] = {upper, lower};
    for (unsigned at = 0; at < 2 * kWarpSize; at += 4 * kVectorWords) {
        VectorWords in[4], out[4];
        for (unsigned t = 0; t < 4; ++t) in[t] = take(t, at / 4);
        turn_fours(in, out);
        for (unsigned v = 0; v < 4; ++v) {
            const unsigned lane = at + v * kVectorWords;
            put_vector(tiles[lane / kWarpSize] + lane % kWarpSize, out[v]);
        }
    }
}

// ---- sums and addends: words_of(i) has the warp's words of register i, words_to(i) is where they go -----------------

// Registers of two columns' words come one after the other, upper lines first.
template <class WordsOf>
TILESCOPE_LANE void turn_sums(const WordsOf& words_of, std::uint32_t (&sums)[kMatrixColumns][kTurnedLines]) {
    for (unsigned word = 0; word < 2; ++word)
        turn_tiles(words_of(word), words_of(2 + word), [&](unsigned t, unsigned place, const VectorWords& words) {
            put_vector(&sums[2 * t + word][place], words);
        });
}
template <class WordsTo>
TILESCOPE_LANE void turn_back(const std::uint32_t (&sums)[kMatrixColumns][kTurnedLines], const WordsTo& words_to) {
    for (unsigned word = 0; word < 2; ++word)
        turn_lines([&](unsigned t, unsigned place) { return vector_at<VectorWords>(&sums[2 * t + word][place]); },
                   words_to(word), words_to(2 + word));
}

// Two columns' halves share a word.
template <class WordsOf>
void turn_sums(const WordsOf& words_of, std::uint16_t (&sums)[kMatrixColumns][kTurnedLines]) {
    alignas(64) std::uint32_t pairs[kTileWords][kTurnedLines];
    turn_tiles(words_of(0), words_of(1),
               [&](unsigned t, unsigned place, const VectorWords& words) { put_vector(&pairs[t][place], words); });
    for (unsigned t = 0; t < kTileWords; ++t)
        for (unsigned line = 0; line < kTurnedLines; ++line) {
            sums[2 * t][line] = static_cast<std::uint16_t>(pairs[t][line]);
            sums[2 * t + 1][line] = static_cast<std::uint16_t>(pairs[t][line] >> 16);
        }
}
template <class WordsTo>
void turn_back(const std::uint16_t (&sums)[kMatrixColumns][kTurnedLines], const WordsTo& words_to) {
    alignas(64) std::uint32_t pairs[kTileWords][kTurnedLines];
    for (unsigned t = 0; t < kTileWords; ++t)
        for (unsigned line = 0; line < kTurnedLines; ++line)
            pairs[t][line] = sums[2 * t][line] | static_cast<std::uint32_t>(sums[2 * t + 1][line]) << 16;
    turn_lines([&](unsigned t, unsigned place) { return vector_at<VectorWords>(&pairs[t][place]); }, words_to(0),
               words_to(1));
}

// The same into registers, where lanes take part; target_of(i) is register i.
template <class Word, class TargetOf>
TILESCOPE_LANE void turn_back_in(std::uint32_t exec, const Word (&sums)[kMatrixColumns][kTurnedLines],
                                 const TargetOf& target_of) {
    if (exec == machine::kFullMask) {
        turn_back(sums, target_of);
        return;
    }
    alignas(64) std::uint32_t registers[sizeof(Word)][kWarpSize];
    turn_back(sums, [&](unsigned i) { return registers[i]; });
    for (unsigned i = 0; i < sizeof(Word); ++i)
        machine::TILESCOPE_TARGET::write_lanes(exec, target_of(i), [&](unsigned lane) { return registers[i][lane]; });
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
