// The matrices of wmma in a warp's registers, in layouts that only the hardware knows.
//
// Owns: which elements each register holds, and the way between registers and elements. Guarantees: what was read off
// an H200 (27 November 2026, bench/hardware/tensor_layouts.cu).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/families/matrix_fragments.h"
#include "scope/isa/table/binding.h"

namespace tilescope::isa::TILESCOPE_TARGET::wmma {

using machine::kWarpSize;
using machine::Warp;

inline constexpr unsigned kMostLines = 32, kMostAlong = 32;

struct Shape {
    unsigned rows = 16, columns = 16, depth = 16;  // of A, of B, of both
};

enum class Part : std::uint8_t { kA, kB, kSum };

// A register's tile: lane 4 g + t holds, from (line + g, along + t * in_word) on, the elements along a line.
struct Tile {
    unsigned line = 0, along = 0;
};

// A matrix as its registers hold it. Lines are rows of A, columns of B, rows of sums; where 8 rows meet 32 columns the
// unit multiplies the other way round, and lines of sums are columns.
struct Layout {
    std::vector<Tile> tiles;  // of each register
    bool lines_are_rows = true;
    unsigned in_word = 2;  // elements
};

// Tiles of a factor: down 16 lines at a time, and within these along the depth.
inline void add_tiles(unsigned lines, unsigned depth, unsigned tile_depth, bool depth_first, std::vector<Tile>& tiles) {
    for (unsigned from = 0; from < lines; from += 2 * kTileRows) {
        const unsigned to = std::min(lines, from + 2 * kTileRows);
        if (depth_first) {
            for (unsigned line = from; line < to; line += kTileRows)
                for (unsigned along = 0; along < depth; along += tile_depth) tiles.push_back({line, along});
        } else {
            for (unsigned along = 0; along < depth; along += tile_depth)
                for (unsigned line = from; line < to; line += kTileRows) tiles.push_back({line, along});
        }
    }
}

inline Layout layout_of(const Shape& shape, Part part, unsigned element_bits, unsigned registers) {
    Layout layout;
    const bool is_turned = shape.columns > shape.rows;
    if (part == Part::kSum) {
        layout.lines_are_rows = !is_turned;
        layout.in_word = element_bits == 16 ? 2 : 1;
        const unsigned lines = is_turned ? shape.columns : shape.rows, along = is_turned ? shape.rows : shape.columns;
        for (unsigned tile = 0; tile < along; tile += kTileRows)
            for (unsigned line = 0; line < lines; line += kTileRows) {
                layout.tiles.push_back({line, tile});
                if (element_bits != 16) layout.tiles.push_back({line, tile + 1});
            }
        return layout;
    }
    layout.lines_are_rows = part == Part::kA;
    layout.in_word = std::max(1u, 32 / element_bits);
    const unsigned lines = part == Part::kA ? shape.rows : shape.columns;
    // The unit's own A is the matrix with more lines: it takes pairs of tiles down, B's own go along.
    const bool is_left = (part == Part::kA) != is_turned;
    add_tiles(lines, shape.depth, kTileWords * layout.in_word, !is_left, layout.tiles);
    // f16 has registers to spare, which hold the same again.
    const std::size_t once = layout.tiles.size();
    while (layout.tiles.size() < registers) layout.tiles.push_back(layout.tiles[layout.tiles.size() - once]);
    return layout;
}

// The line and place along it of a lane's first element in a tile. Of sums a lane has two neighbours, in one register
// or in two.
inline Tile place_in(const Layout& layout, Part part, unsigned tile, unsigned lane) {
    const unsigned step = part == Part::kSum ? 2 : layout.in_word;
    return {layout.tiles[tile].line + row_in_tile(lane), layout.tiles[tile].along + word_in_row(lane) * step};
}

// The elements of a matrix, one in each, by line and place along it.
struct Elements {
    std::uint64_t at[kMostLines][kMostAlong] = {};
};

struct Matrix {
    Layout layout;
    Part part = Part::kA;
    unsigned element_bits = 16;
    Fragment registers;

    unsigned lines = 16, along = 16;
};

inline Matrix matrix_of(const Shape& shape, Part part, unsigned element_bits, const Fragment& registers) {
    Matrix matrix{layout_of(shape, part, element_bits, registers.count), part, element_bits, registers};
    const bool is_turned = shape.columns > shape.rows;
    if (part == Part::kSum) {
        matrix.lines = is_turned ? shape.columns : shape.rows;
        matrix.along = is_turned ? shape.rows : shape.columns;
    } else {
        matrix.lines = part == Part::kA ? shape.rows : shape.columns;
        matrix.along = shape.depth;
    }
    return matrix;
}

template <class Word>
void unpack(const Warp& warp, const Matrix& matrix, Elements& elements) {
    const unsigned bits = matrix.element_bits;
    const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    // Where registers hold the same again, the first are those that count.
    for (unsigned word = matrix.registers.count; word-- > 0;) {
        const Word* const words = words_of<Word>(warp, matrix.registers, word);
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            const Tile place = place_in(matrix.layout, matrix.part, word, lane);
            for (unsigned i = 0; i < matrix.layout.in_word; ++i)
                elements.at[place.line][place.along + i] = std::uint64_t{words[lane]} >> (i * bits) & mask;
        }
    }
}

template <class Word>
void pack(Warp& warp, const Matrix& matrix, const Elements& elements) {
    for (unsigned word = 0; word < matrix.registers.count; ++word)
        machine::TILESCOPE_TARGET::write_lanes(
            warp.exec, warp.target<Word>(matrix.registers.words[word]), [&](unsigned lane) {
                const Tile place = place_in(matrix.layout, matrix.part, word, lane);
                std::uint64_t value = 0;
                for (unsigned i = 0; i < matrix.layout.in_word; ++i)
                    value |= elements.at[place.line][place.along + i] << (i * matrix.element_bits);
                return static_cast<Word>(value);
            });
}

inline void unpack(const Warp& warp, const Matrix& matrix, Elements& elements) {
    if (matrix.element_bits == 64)
        unpack<std::uint64_t>(warp, matrix, elements);
    else
        unpack<std::uint32_t>(warp, matrix, elements);
}
inline void pack(Warp& warp, const Matrix& matrix, const Elements& elements) {
    if (matrix.element_bits == 64)
        pack<std::uint64_t>(warp, matrix, elements);
    else
        pack<std::uint32_t>(warp, matrix, elements);
}

// ---- binding

inline Shape shape_of(const Binding& binding) {
    static constexpr struct {
        std::string_view word;
        Shape shape;
    } kShapes[] = {{"m16n16k16", {16, 16, 16}}, {"m32n8k16", {32, 8, 16}}, {"m8n32k16", {8, 32, 16}},
                   {"m16n16k8", {16, 16, 8}},   {"m8n8k4", {8, 8, 4}},     {"m8n8k32", {8, 8, 32}},
                   {"m8n8k128", {8, 8, 4}}};  // words of 32 bits
    for (const auto& known : kShapes)
        if (binding.has(known.word)) return known.shape;
    return {};
}

// Bits of an element that a word names; single bits come 32 at a time.
inline unsigned element_bits(std::string_view type) {
    if (type == "f64") return 64;
    if (type == "f16" || type == "bf16") return 16;
    if (type == "s8" || type == "u8") return 8;
    if (type == "s4" || type == "u4") return 4;
    return 32;
}

// Registers that a lane has of a matrix.
inline unsigned registers_of(const Shape& shape, Part part, std::string_view type) {
    constexpr unsigned kOfF16 = 8;
    if (part != Part::kSum && type == "f16") return kOfF16;
    const unsigned bits = element_bits(type);
    const unsigned elements = part == Part::kA   ? shape.rows * shape.depth
                              : part == Part::kB ? shape.columns * shape.depth
                                                 : shape.rows * shape.columns;
    return elements / kWarpSize * bits / std::max(32u, bits);
}

inline bool take_matrix(Binding& binding, const Shape& shape, Part part, std::string_view type, std::size_t operand,
                        unsigned& brought, Matrix& matrix) {
    const Fragment registers = fragment_of(binding.operands[operand], brought);
    if (registers.count != registers_of(shape, part, type)) {
        binding.fail("a number of registers that does not fit the shape");
        return false;
    }
    matrix = matrix_of(shape, part, element_bits(type), registers);
    return true;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET::wmma
