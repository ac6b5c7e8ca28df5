// Which elements of a matrix the lanes of a warp hold, as the PTX ISA lays out the fragments of mma.sync.
//
// In every form a matrix falls into tiles of 8 rows of A (8 columns of B) by four lanes' words: lane 4 g + t holds in
// its word of a tile the elements of row g (column g) that begin at t times the elements of a word. Tiles follow each
// other in a lane's words down A's rows first; B has one column of tiles. D and C have 8 x 8 tiles, in which lane
// 4 g + t holds the elements 2 t and 2 t + 1 of row g.
#pragma once

#include "scope/isa/table/binding.h"
#include "scope/machine/simd/target.h"
#include "scope/machine/warp.h"

namespace tilescope::isa::TILESCOPE_TARGET {

inline constexpr unsigned kTileRows = 8, kTileWords = 4;  // rows of a tile, lanes that share one

inline unsigned row_in_tile(unsigned lane) { return lane / kTileWords; }
inline unsigned word_in_row(unsigned lane) { return lane % kTileWords; }

// Registers of a matrix, up to 16 in a lane.
struct Fragment {
    unsigned count = 0;
    unsigned first_brought = 0;  // of what lanes hand over (Row::meets)
    machine::Operand words[16];
};

// The registers of an operand in braces, or one without; `first_brought` counts on.
inline Fragment fragment_of(const BoundOperand& operand, unsigned& first_brought) {
    Fragment fragment;
    fragment.first_brought = first_brought;
    if (operand.kind != BoundKind::kVector) {
        fragment.count = 1;
        fragment.words[0] = operand.slot;
    } else {
        for (const BoundOperand& element : operand.elements)
            if (fragment.count < std::size(fragment.words)) fragment.words[fragment.count++] = element.slot;
    }
    first_brought += fragment.count;
    return fragment;
}

// A word of a fragment in all lanes: from the lanes' own registers, or as they brought it where they stand apart.
template <class Word>
const Word* words_of(const machine::Warp& warp, const Fragment& fragment, unsigned word) {
    if (warp.meeting != nullptr)
        return reinterpret_cast<const Word*>(warp.meeting->brought[fragment.first_brought + word]);
    return warp.source<Word>(fragment.words[word]);
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
