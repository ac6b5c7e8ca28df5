// What all products of wgmma share: their sums in registers, and how an instruction's operands are taken.
//
// Owns: the way between sums and registers, and GroupProduct's making.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "scope/isa/families/matrix_sums.h"
#include "scope/isa/families/matrix_turns.h"
#include "scope/isa/families/wgmma_factors.h"
#include "scope/isa/table/binding.h"

namespace tilescope::isa::TILESCOPE_TARGET::wgmma {

using machine::OpFn;
using machine::TILESCOPE_TARGET::write_lanes;

// ---- sums ---------------------------------------------------------------------------------------------------------

// The sums of eight columns, `tile` being their number: registers of two words in each row, or of one with two halves.
template <class Word>
void read_tile(const Warp& warp, const GroupProduct& of, unsigned tile, Word (&sums)[kWarpRows][kMatrixColumns]) {
    constexpr unsigned kRegisters = sizeof(Word) == 4 ? 4 : 2, kInRow = kRegisters / 2;
    for (unsigned i = 0; i < kRegisters; ++i) {
        const auto* words = of.sums[tile * kRegisters + i].in<std::uint32_t>(warp);
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            Word* const at = &sums[row_in_tile(lane) + i / kInRow * kTileRows][word_in_row(lane) * 2 + i % kInRow];
            at[0] = static_cast<Word>(words[lane]);
            if constexpr (kInRow == 1) at[1] = static_cast<Word>(words[lane] >> 16);
        }
    }
}

template <class Word>
void write_tile(Warp& warp, const GroupProduct& of, unsigned tile, const Word (&sums)[kWarpRows][kMatrixColumns]) {
    constexpr unsigned kRegisters = sizeof(Word) == 4 ? 4 : 2, kInRow = kRegisters / 2;
    for (unsigned i = 0; i < kRegisters; ++i)
        write_lanes(warp.exec, warp.target<std::uint32_t>(of.sums[tile * kRegisters + i].slot), [&](unsigned lane) {
            const Word* const at =
                &sums[row_in_tile(lane) + i / kInRow * kTileRows][word_in_row(lane) * 2 + i % kInRow];
            std::uint32_t word = at[0];
            if constexpr (kInRow == 1) word |= static_cast<std::uint32_t>(at[1]) << 16;
            return word;
        });
}

// The same for matrix_quick.h.
template <class Word>
void read_addends(const Warp& warp, const GroupProduct& of, unsigned tile, QuickSums<Word>& sums) {
    read_sums_of([&](unsigned i) { return of.sums[tile * sizeof(Word) + i].template in<std::uint32_t>(warp); }, sums);
}
template <class Word>
void write_results(Warp& warp, const GroupProduct& of, unsigned tile, const QuickSums<Word>& sums) {
    write_sums_in(warp.exec, sums,
                  [&](unsigned i) { return warp.target<std::uint32_t>(of.sums[tile * sizeof(Word) + i].slot); });
}

// The elements of a line, each in a word of its own.
template <class Element, unsigned kLineBytes, unsigned kDepth>
void spread_line(const std::byte (&line)[kLineBytes], std::uint32_t (&bits)[kDepth]) {
    constexpr unsigned kBytes = kLineBytes / kDepth;
    static_assert(kBytes * 8 == Element::kBits);
    for (unsigned k = 0; k < kDepth; ++k) {
        bits[k] = 0;
        std::memcpy(&bits[k], line + k * kBytes, kBytes);
    }
}

// ---- binding ------------------------------------------------------------------------------------------------------

inline bool is_sparse(const Binding& binding) { return binding.has("sp"); }
// Behind mma_async, perhaps sp, sync and aligned.
inline std::size_t shape_word(const Binding& binding) { return is_sparse(binding) ? 4 : 3; }

// The number between 'n' and 'k' of a shape's name.
inline unsigned columns_of(const Binding& binding) {
    const std::string_view shape = binding.form.words()[shape_word(binding)];
    unsigned columns = 0;
    for (std::size_t i = shape.find('n') + 1; i < shape.size() && shape[i] != 'k'; ++i)
        columns = columns * 10 + static_cast<unsigned>(shape[i] - '0');
    return columns;
}

inline Handed handed(const BoundOperand& operand, unsigned& brought) { return {operand.slot, brought++}; }

inline std::vector<Handed> registers_in(const BoundOperand& operand, unsigned& brought) {
    std::vector<Handed> list;
    for (const BoundOperand& element : operand.elements) list.push_back(handed(element, brought));
    return list;
}

// The signs of A and B, and whether they are turned over, follow the operands that all forms have.
inline bool take_numbers(Binding& binding, GroupProduct& of) {
    constexpr std::size_t kSigns = 2;
    const std::size_t first = is_sparse(binding) ? 6 : 4;
    for (std::size_t i = first; i < binding.operands.size(); ++i) {
        const BoundOperand& number = binding.operands[i];
        const bool is_sign = i < first + kSigns;
        if (!number.is_immediate ||
            (is_sign ? number.value != 1 && number.value != -1 : number.value != 0 && number.value != 1)) {
            binding.fail(is_sign ? "a factor's scale other than 1 and -1"
                                 : "a factor's transposition other than 0 and 1");
            return false;
        }
        if (is_sign) {
            of.negates = of.negates != (number.value == -1);
        } else {
            const bool is_of_a = of.a.empty() && i == first + kSigns;
            (is_of_a ? of.a_across : of.b_across) = number.value == 1;
        }
    }
    return true;
}

inline bool take_product(Binding& binding, bool sums_halves) {
    GroupProduct of;
    of.columns = columns_of(binding);
    of.sums_halves = sums_halves;
    of.saturates = binding.has("satfinite");
    unsigned brought = 0;
    of.sums = registers_in(binding.operands[0], brought);
    of.a = registers_in(binding.operands[1], brought);
    if (of.a.empty()) of.a_descriptor = handed(binding.operands[1], brought);
    of.b_descriptor = handed(binding.operands[2], brought);
    const bool sparse = is_sparse(binding);
    if (sparse) {
        of.metadata = handed(binding.operands[3], brought);
        of.selector = static_cast<unsigned>(binding.operands[4].value);
    }
    const BoundOperand& adds = binding.operands[sparse ? 5 : 3];
    of.adds = handed(adds, brought);
    of.adds_negated = adds.negated;
    constexpr unsigned kRegistersOfA = 4, kDescriptorBytes = 8;
    if (of.a.empty() && binding.operands[1].bytes != kDescriptorBytes) {
        binding.fail("a factor in one register");
        return false;
    }
    if (of.sums.size() != of.columns / (sums_halves ? 4 : 2) || (!of.a.empty() && of.a.size() != kRegistersOfA)) {
        binding.fail("a number of registers that does not fit the shape");
        return false;
    }
    if (!take_numbers(binding, of)) return false;
    binding.times = of.columns / kMatrixColumns;
    binding.op.width = kChunkBytes;
    binding.op.extra = binding.keep(std::move(of));
    return true;
}

// The types of D, A and B stand behind the shape.
inline std::string_view type_of(const Binding& binding, unsigned n) {
    const std::vector<std::string_view>& words = binding.form.words();
    const std::size_t first = shape_word(binding) + 1;
    return words[first + n + (words[first] == "satfinite" ? 1 : 0)];
}

// clang-format off
#define EIGHT_COLUMNS(k)                                                                                            \
    "m64n8k" k " m64n16k" k " m64n24k" k " m64n32k" k " m64n48k" k " m64n64k" k " m64n80k" k " m64n96k" k           \
    " m64n112k" k " m64n128k" k " m64n144k" k " m64n160k" k " m64n176k" k " m64n192k" k " m64n208k" k " m64n224k" k \
    " m64n240k" k " m64n256k" k
#define SHAPES_OF_WHOLE(k) ".[" EIGHT_COLUMNS(k) "]"
#define SHAPES(k)                                                                                             \
    ".[" EIGHT_COLUMNS(k) " m64n40k" k " m64n56k" k " m64n72k" k " m64n88k" k " m64n104k" k " m64n120k" k     \
                          " m64n136k" k " m64n152k" k " m64n168k" k " m64n184k" k " m64n200k" k " m64n216k" k \
                          " m64n232k" k " m64n248k" k "]"
// clang-format on

}  // namespace tilescope::isa::TILESCOPE_TARGET::wgmma
