// wmma: matrices between memory and a warp's registers, and their products, in layouts that only the hardware knows.
//
// Which registers hold what, and which accesses ptxas makes of a load or store, was read off an H200 and its machine
// code (27 November 2026, bench/hardware/tensor_layouts.cu and tensor_loads.cu). Elements of 16 bits come from shared
// memory as ldmatrix has them; everything else is loads of words, of pairs of words where sums lie by rows.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <limits>
#include <vector>

#include "scope/isa/families/fused_doubles.h"
#include "scope/isa/families/lane_functions.h"
#include "scope/isa/families/matrix_access.h"
#include "scope/isa/families/matrix_fragments.h"
#include "scope/isa/families/matrix_sums.h"
#include "scope/isa/families/memory_lanes.h"
#include "scope/isa/table/access_words.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::OpFn;
using machine::TILESCOPE_TARGET::write_lanes;

constexpr unsigned kMostLines = 32, kMostAlong = 32;

// ---- which elements a register holds ------------------------------------------------------------------------------

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
void add_tiles(unsigned lines, unsigned depth, unsigned tile_depth, bool depth_first, std::vector<Tile>& tiles) {
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

Layout layout_of(const Shape& shape, Part part, unsigned element_bits, unsigned registers) {
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
Tile place_in(const Layout& layout, Part part, unsigned tile, unsigned lane) {
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

Matrix matrix_of(const Shape& shape, Part part, unsigned element_bits, const Fragment& registers) {
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
    for (unsigned word = 0; word < matrix.registers.count; ++word) {
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
        write_lanes(warp.exec, warp.target<Word>(matrix.registers.words[word]), [&](unsigned lane) {
            const Tile place = place_in(matrix.layout, matrix.part, word, lane);
            std::uint64_t value = 0;
            for (unsigned i = 0; i < matrix.layout.in_word; ++i)
                value |= elements.at[place.line][place.along + i] << (i * matrix.element_bits);
            return static_cast<Word>(value);
        });
}

void unpack(const Warp& warp, const Matrix& matrix, Elements& elements) {
    if (matrix.element_bits == 64)
        unpack<std::uint64_t>(warp, matrix, elements);
    else
        unpack<std::uint32_t>(warp, matrix, elements);
}
void pack(Warp& warp, const Matrix& matrix, const Elements& elements) {
    if (matrix.element_bits == 64)
        pack<std::uint64_t>(warp, matrix, elements);
    else
        pack<std::uint32_t>(warp, matrix, elements);
}

// ---- loads and stores -----------------------------------------------------------------------------------------------

// One access of machine code: of each lane a run of elements, along a line or across lines.
struct Run {
    Tile from[kWarpSize];
    std::uint32_t lanes = machine::kFullMask;
};

struct Move {
    Matrix matrix;
    bool lies_along = true;  // whether elements along a line are neighbours in memory
    bool is_narrow = false;  // the address register has 32 bits
    bool has_stride = false;
    Space space = Space::kGeneric;
    machine::Operand address, stride;
    std::int64_t offset = 0;
    unsigned natural_stride = 16;
    unsigned in_element = 1;  // of what strides count: bits in a word
};

unsigned bytes_of_elements(unsigned count, unsigned bits) { return std::max(1u, count * bits / 8); }

// Bytes of a lane in each access.
unsigned width_of(const Move& move, bool by_rows) {
    const Matrix& matrix = move.matrix;
    if (by_rows) return kTileRows * 2;
    if (matrix.part == Part::kSum && move.lies_along) return bytes_of_elements(2, matrix.element_bits);
    if (matrix.element_bits == 16) return 4;
    return move.lies_along ? bytes_of_elements(matrix.layout.in_word, matrix.element_bits)
                           : bytes_of_elements(1, matrix.element_bits);
}

// Eight rows of each of up to four tiles at a time, as ldmatrix takes them.
void add_rows(const Move& move, std::vector<Run>& runs) {
    constexpr unsigned kAtOnce = 4;
    const std::vector<Tile>& tiles = move.matrix.layout.tiles;
    std::vector<Tile> distinct;
    for (const Tile& tile : tiles)
        if (std::none_of(distinct.begin(), distinct.end(),
                         [&](const Tile& one) { return one.line == tile.line && one.along == tile.along; }))
            distinct.push_back(tile);
    for (std::size_t first = 0; first < distinct.size(); first += kAtOnce) {
        const auto count = static_cast<unsigned>(std::min<std::size_t>(kAtOnce, distinct.size() - first));
        Run& run = runs.emplace_back();
        run.lanes = static_cast<std::uint32_t>((std::uint64_t{1} << (count * kTileRows)) - 1);
        for (unsigned lane = 0; lane < count * kTileRows; ++lane) {
            const Tile& tile = distinct[first + lane / kTileRows];
            const unsigned row = lane % kTileRows;
            run.from[lane] = move.lies_along ? Tile{tile.line + row, tile.along} : Tile{tile.line, tile.along + row};
        }
    }
}

// A run of each register, or of each pair of sums.
void add_words(const Move& move, std::vector<Run>& runs) {
    const Matrix& matrix = move.matrix;
    const bool is_pair = matrix.part == Part::kSum && matrix.element_bits != 16;
    const unsigned step = is_pair && move.lies_along ? 2 : 1;
    const bool turns_over = matrix.element_bits == 16 && !move.lies_along;
    const unsigned each = move.lies_along || turns_over ? 1 : matrix.layout.in_word;
    std::vector<Tile> seen;
    for (unsigned word = 0; word < matrix.registers.count; word += step) {
        const Tile& tile = matrix.layout.tiles[word];
        if (std::any_of(seen.begin(), seen.end(),
                        [&](const Tile& one) { return one.line == tile.line && one.along == tile.along; }))
            continue;
        seen.push_back(tile);
        for (unsigned i = 0; i < each; ++i) {
            Run& run = runs.emplace_back();
            for (unsigned lane = 0; lane < kWarpSize; ++lane) {
                const Tile place = place_in(matrix.layout, matrix.part, word, lane);
                run.from[lane] = turns_over ? Tile{tile.line + word_in_row(lane) * 2, tile.along + row_in_tile(lane)}
                                            : Tile{place.line, place.along + i};
            }
        }
    }
}

// The elements of a run of `bytes`, in the order of memory: visit(element, byte offset, bit).
template <class Visit>
void for_each_in_run(const Move& move, const Tile& from, unsigned bytes, const Visit& visit) {
    const unsigned bits = move.matrix.element_bits, count = std::max(1u, bytes * 8 / bits);
    for (unsigned i = 0; i < count; ++i)
        visit(move.lies_along ? Tile{from.line, from.along + i} : Tile{from.line + i, from.along}, i * bits / 8,
              i * bits % 8);
}

// act(bytes, the run's first element, its bytes) for each lane of each access, once it is found to be legal and told
// of. `stored`: what goes there, or nullptr.
template <class Act>
void for_each_run(Warp& warp, const Op& op, const Elements* stored, const Act& act) {
    const bool writes = stored != nullptr;
    const auto& move = *static_cast<const Move*>(op.extra);
    const std::uint32_t own = warp.exec, together = lanes_together(warp);
    const auto lead = static_cast<unsigned>(std::countr_zero(own));
    std::uint64_t base = move.is_narrow ? warp.source<std::uint32_t>(move.address)[lead]
                                        : warp.source<std::uint64_t>(move.address)[lead];
    base += static_cast<std::uint64_t>(move.offset);
    Space space = move.space;
    if (space == Space::kGeneric) {
        space = space_of(warp, base);
        if (space == Space::kShared) base -= machine::kSharedWindow;
    }
    if (space != Space::kShared && space != Space::kGlobal)
        machine::raise(warp, op, machine::FaultKind::kIllegalInstruction, "", lead,
                       "wmma reads and writes matrices in global and shared memory alone");
    const unsigned stride =
        move.has_stride ? warp.source<std::uint32_t>(move.stride)[lead] / move.in_element : move.natural_stride;
    const unsigned bits = move.matrix.element_bits;
    const bool by_rows = space == Space::kShared && bits == 16 && move.matrix.part != Part::kSum && !writes;
    Op access = op;
    access.width = static_cast<std::uint8_t>(width_of(move, by_rows));
    access.immediate = 0;
    access.flags = 0;
    std::vector<Run> runs;
    if (by_rows)
        add_rows(move, runs);
    else
        add_words(move, runs);
    SiteMemo& memo = warp.worker->memos[op.site];
    if (memo.space != space) memo.mask = 0;
    memo.space = space;
    const AccessKind kind = by_rows ? AccessKind::kMatrixLoad : writes ? AccessKind::kStore : AccessKind::kLoad;
    constexpr unsigned kWidest = 16;
    alignas(64) std::byte values[kWarpSize * kWidest] = {};
    const bool tells = (own >> std::countr_zero(together) & 1) != 0;
    for (const Run& run : runs) {
        alignas(64) std::uint64_t addresses[kWarpSize] = {};
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            const Tile& from = run.from[lane];
            const std::uint64_t element = move.lies_along ? std::uint64_t{from.line} * stride + from.along
                                                          : std::uint64_t{from.along} * stride + from.line;
            addresses[lane] = base + element * bits / 8;
        }
        warp.exec = run.lanes & together;
        if (warp.exec == 0) continue;
        Located at = locate_bases(warp, access, memo, addresses);
        const bool is_together = permit(warp, access, memo, at, space, writes);
        if (warp.exec == 0) continue;
        if (writes)
            for (unsigned lane = 0; lane < kWarpSize; ++lane)
                for_each_in_run(move, run.from[lane], access.width, [&](const Tile& of, unsigned offset, unsigned) {
                    std::memcpy(values + lane * access.width + offset, &stored->at[of.line][of.along], bits / 8);
                });
        if (tells) tell_of(warp, access, memo, at, space, kind, writes ? values : nullptr);
        SiteMemo scattered;
        if (!is_together) scattered = apart(warp, memo, at.first);
        const SiteMemo& steps = is_together ? memo : scattered;
        std::byte* const first = space == Space::kShared ? bytes_of<Space::kShared>(warp, steps, at)
                                                         : bytes_of<Space::kGlobal>(warp, steps, at);
        for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            act(first + steps.deltas[lane], run.from[lane], access.width);
        }
    }
    warp.exec = own;
}

void load(Warp& warp, const Op& op) {
    const auto& move = *static_cast<const Move*>(op.extra);
    Elements elements;
    const unsigned bits = move.matrix.element_bits, each = std::max(1u, bits / 8);
    for_each_run(warp, op, nullptr, [&](const std::byte* bytes, const Tile& from, unsigned width) {
        for_each_in_run(move, from, width, [&](const Tile& to, unsigned offset, unsigned bit) {
            std::uint64_t value = 0;
            std::memcpy(&value, bytes + offset, each);
            elements.at[to.line][to.along] = bits < 8 ? value >> bit & ((1u << bits) - 1) : value;
        });
    });
    pack(warp, move.matrix, elements);
}

void store(Warp& warp, const Op& op) {
    const auto& move = *static_cast<const Move*>(op.extra);
    Elements elements;
    unpack(warp, move.matrix, elements);
    const unsigned each = move.matrix.element_bits / 8;
    for_each_run(warp, op, &elements, [&](std::byte* bytes, const Tile& from, unsigned width) {
        for_each_in_run(move, from, width, [&](const Tile& of, unsigned offset, unsigned) {
            std::memcpy(bytes + offset, &elements.at[of.line][of.along], each);
        });
    });
}

// ---- products -------------------------------------------------------------------------------------------------------

struct Product {
    Matrix a, b, c, d;
    Shape shape;
    bool saturates = false;
};

// act(sums, line of A, column of B) for all of them; C and D may have their lines the other way round.
template <class Act>
void for_each_sum(const Product& of, Elements& c, const Act& act) {
    for (unsigned row = 0; row < of.shape.rows; ++row)
        for (unsigned column = 0; column < of.shape.columns; ++column)
            act(of.c.layout.lines_are_rows ? c.at[row][column] : c.at[column][row], row, column);
}

template <class Element, class Format, unsigned kDepth>
void multiply_floats(Warp& warp, const Op& op) {
    const auto& of = *static_cast<const Product*>(op.extra);
    Elements a, b, c;
    unpack(warp, of.a, a);
    unpack(warp, of.b, b);
    unpack(warp, of.c, c);
    const unsigned rows = of.shape.rows, columns = of.shape.columns;
    Factors<kTileRows, kDepth> left[kMostLines / kTileRows];
    for (unsigned tile = 0; tile < rows / kTileRows; ++tile) {
        alignas(64) std::uint32_t bits[kTileRows][kDepth];
        for (unsigned row = 0; row < kTileRows; ++row)
            for (unsigned k = 0; k < kDepth; ++k)
                bits[row][k] = static_cast<std::uint32_t>(a.at[tile * kTileRows + row][k]);
        left[tile].template read<Element>(bits);
    }
    const auto sum_at = [&](unsigned row, unsigned column) -> std::uint64_t& {
        return of.c.layout.lines_are_rows ? c.at[row][column] : c.at[column][row];
    };
    for (unsigned from = 0; from < columns; from += kMatrixColumns) {
        alignas(64) std::uint32_t bits[kDepth][kMatrixColumns];
        for (unsigned k = 0; k < kDepth; ++k)
            for (unsigned j = 0; j < kMatrixColumns; ++j) bits[k][j] = static_cast<std::uint32_t>(b.at[from + j][k]);
        Factors<kDepth, kMatrixColumns> right;
        right.template read<Element>(bits);
        for (unsigned tile = 0; tile < rows / kTileRows; ++tile) {
            typename Format::Word addends[kTileRows][kMatrixColumns], sums[kTileRows][kMatrixColumns];
            for (unsigned row = 0; row < kTileRows; ++row)
                for (unsigned j = 0; j < kMatrixColumns; ++j)
                    addends[row][j] = static_cast<typename Format::Word>(sum_at(tile * kTileRows + row, from + j));
            sum_products<Format>(left[tile], right, addends, sums);
            for (unsigned row = 0; row < kTileRows; ++row)
                for (unsigned j = 0; j < kMatrixColumns; ++j) sum_at(tile * kTileRows + row, from + j) = sums[row][j];
        }
    }
    pack(warp, of.d, c);
}

void multiply_doubles(Warp& warp, const Op& op) {
    const auto& of = *static_cast<const Product*>(op.extra);
    Elements a, b, c;
    unpack(warp, of.a, a);
    unpack(warp, of.b, b);
    unpack(warp, of.c, c);
    for_each_sum(of, c, [&](std::uint64_t& sum, unsigned row, unsigned column) {
        double value = double_of(sum);
        for (unsigned k = 0; k < of.shape.depth; ++k)
            value = Float64Fma<false, false>::apply(double_of(a.at[row][k]), double_of(b.at[column][k]), value);
        sum = bits_of(value);
    });
    pack(warp, of.d, c);
}

std::int64_t integer_of(std::uint64_t bits, unsigned width, bool is_signed) {
    const auto sign = std::int64_t{1} << (width - 1);
    const auto value = static_cast<std::int64_t>(bits);
    return is_signed ? (value ^ sign) - sign : value;
}

template <bool kSignedA, bool kSignedB>
void multiply_integers(Warp& warp, const Op& op) {
    const auto& of = *static_cast<const Product*>(op.extra);
    using Limits = std::numeric_limits<std::int32_t>;
    Elements a, b, c;
    unpack(warp, of.a, a);
    unpack(warp, of.b, b);
    unpack(warp, of.c, c);
    const unsigned width = of.a.element_bits;
    for_each_sum(of, c, [&](std::uint64_t& sum, unsigned row, unsigned column) {
        std::int64_t value = integer_of(sum, 32, true);
        for (unsigned k = 0; k < of.shape.depth; ++k)
            value += integer_of(a.at[row][k], width, kSignedA) * integer_of(b.at[column][k], width, kSignedB);
        if (of.saturates) value = std::clamp<std::int64_t>(value, Limits::min(), Limits::max());
        sum = static_cast<std::uint32_t>(value);
    });
    pack(warp, of.d, c);
}

template <bool kXor>
void multiply_bits(Warp& warp, const Op& op) {
    const auto& of = *static_cast<const Product*>(op.extra);
    Elements a, b, c;
    unpack(warp, of.a, a);
    unpack(warp, of.b, b);
    unpack(warp, of.c, c);
    for_each_sum(of, c, [&](std::uint64_t& sum, unsigned row, unsigned column) {
        for (unsigned k = 0; k < of.shape.depth; ++k) {
            const std::uint64_t x = a.at[row][k], y = b.at[column][k];
            sum += static_cast<std::uint64_t>(std::popcount(kXor ? x ^ y : x & y));
        }
        sum &= 0xffffffffu;
    });
    pack(warp, of.d, c);
}

// ---- binding
// ----------------------------------------------------------------------------------------------------------

Shape shape_of(const Binding& binding) {
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
unsigned element_bits(std::string_view type) {
    if (type == "f64") return 64;
    if (type == "f16" || type == "bf16") return 16;
    if (type == "s8" || type == "u8") return 8;
    if (type == "s4" || type == "u4") return 4;
    return 32;
}

// Registers that a lane has of a matrix.
unsigned registers_of(const Shape& shape, Part part, std::string_view type) {
    constexpr unsigned kOfF16 = 8;
    if (part != Part::kSum && type == "f16") return kOfF16;
    const unsigned bits = element_bits(type);
    const unsigned elements = part == Part::kA   ? shape.rows * shape.depth
                              : part == Part::kB ? shape.columns * shape.depth
                                                 : shape.rows * shape.columns;
    return elements / kWarpSize * bits / std::max(32u, bits);
}

bool take_matrix(Binding& binding, const Shape& shape, Part part, std::string_view type, std::size_t operand,
                 unsigned& brought, Matrix& matrix) {
    const Fragment registers = fragment_of(binding.operands[operand], brought);
    if (registers.count != registers_of(shape, part, type)) {
        binding.fail("a number of registers that does not fit the shape");
        return false;
    }
    matrix = matrix_of(shape, part, element_bits(type), registers);
    return true;
}

bool take_move(Binding& binding, std::size_t values, std::size_t address) {
    const Shape shape = shape_of(binding);
    const Part part = binding.has("a") ? Part::kA : binding.has("b") ? Part::kB : Part::kSum;
    const std::string_view type = binding.form.words().back();
    Move move;
    unsigned brought = 0;
    if (!take_matrix(binding, shape, part, type, values, brought, move.matrix)) return false;
    const bool by_rows = binding.has("row");
    move.lies_along = by_rows == move.matrix.layout.lines_are_rows;
    move.natural_stride = move.lies_along ? move.matrix.along : move.matrix.lines;
    const BoundOperand& at = binding.operands[address];
    move.address = at.slot;
    move.offset = at.value;
    move.is_narrow = at.bytes == 4;
    move.space = space_of(binding.form);
    const BoundOperand& stride = binding.operands.back();
    move.has_stride = binding.operands.size() == 3 && stride.kind == BoundKind::kValue;
    move.stride = stride.slot;
    if (type == "b1") move.in_element = 32;
    binding.op.width = static_cast<std::uint8_t>(width_of(move, false));
    binding.op.extra = binding.keep(std::move(move));
    return true;
}

OpFn bind_load(Binding& binding) { return take_move(binding, 0, 1) ? &load : nullptr; }
OpFn bind_store(Binding& binding) { return take_move(binding, 1, 0) ? &store : nullptr; }

// Types of A and B, C and D.
bool take_product(Binding& binding, std::string_view factor, std::string_view sum) {
    Product of;
    of.shape = shape_of(binding);
    of.saturates = binding.has("satfinite");
    unsigned brought = 0, unused = 0;
    if (!take_matrix(binding, of.shape, Part::kA, factor, 1, brought, of.a) ||
        !take_matrix(binding, of.shape, Part::kB, factor, 2, brought, of.b) ||
        !take_matrix(binding, of.shape, Part::kSum, sum, 3, brought, of.c) ||
        !take_matrix(binding, of.shape, Part::kSum, sum, 0, unused, of.d))
        return false;
    binding.op.extra = binding.keep(std::move(of));
    return true;
}

OpFn bind_f16(Binding& binding) {
    const bool sums_halves = !binding.has("f32");
    if (!take_product(binding, "f16", sums_halves ? "f16" : "f32")) return nullptr;
    return sums_halves ? &multiply_floats<F16Element, OfF16, 16> : &multiply_floats<F16Element, OfF32, 16>;
}
OpFn bind_bf16(Binding& binding) {
    return take_product(binding, "bf16", "f32") ? &multiply_floats<Bf16Element, OfF32, 16> : nullptr;
}
OpFn bind_tf32(Binding& binding) {
    return take_product(binding, "tf32", "f32") ? &multiply_floats<Tf32Element, OfF32, 8> : nullptr;
}
OpFn bind_f64(Binding& binding) { return take_product(binding, "f64", "f64") ? &multiply_doubles : nullptr; }
OpFn bind_integers(Binding& binding) {
    const std::string_view factor = binding.form.one_of({"s8", "u8", "s4", "u4"});
    if (!take_product(binding, factor, "s32")) return nullptr;
    return factor.starts_with('s') ? &multiply_integers<true, true> : &multiply_integers<false, false>;
}
OpFn bind_bits(Binding& binding) {
    if (!take_product(binding, "b1", "s32")) return nullptr;
    return binding.has("xor") ? &multiply_bits<true> : &multiply_bits<false>;
}

#define SPACES "{.[global shared shared::cta]}"
#define HALF_SHAPES ".[m16n16k16 m32n8k16 m8n32k16]"
#define LOAD(matrix, shapes, types, registers, ptx, sm)                                                                \
    {                                                                                                                  \
        .syntax = "wmma.load." matrix ".sync.aligned.[row col]" shapes SPACES types, .operands = registers " [] b32?", \
        .kind = Class::kMemory, .effect = effect::kMatrixLoad, .bind = &bind_load, .needs = {ptx, sm},                 \
        .control = Control::kConverge, .meets = meet_by(Meets::kNoOperand)                                             \
    }
#define STORE(shapes, types, registers, ptx, sm)                                                                  \
    {                                                                                                             \
        .syntax = "wmma.store.d.sync.aligned.[row col]" shapes SPACES types, .operands = "[] " registers " b32?", \
        .kind = Class::kMemory, .effect = effect::kMatrixStore, .bind = &bind_store, .needs = {ptx, sm},          \
        .control = Control::kConverge, .meets = meet_by(Meets::kNoOperand, {1})                                   \
    }
// Operations of a thread.
#define MULTIPLY(text, registers, binder, ptx, sm, counter, each)                                       \
    {                                                                                                   \
        .syntax = "wmma.mma" text, .operands = "=" registers " " registers " " registers " " registers, \
        .kind = Class::kTensor, .effect = effect::kExchange, .bind = &(binder), .needs = {ptx, sm},     \
        .operations = {{{Counter::counter, each}}}, .control = Control::kConverge,                      \
        .meets = meet_by(Meets::kNoOperand, {1, 2, 3})                                                  \
    }
#define LAYOUTS ".sync.aligned.[row col].[row col]"

constexpr Row kWmmaRows[] = {
    LOAD("[a b]", HALF_SHAPES, ".f16", "=Vb32", 60, 70),
    LOAD("[a b]", HALF_SHAPES, ".bf16", "=Vb32", 70, 80),
    LOAD("[a b]", HALF_SHAPES, ".[s8 u8]", "=Vb32", 63, 72),
    LOAD("[a b]", ".m16n16k8", ".tf32", "=Vb32", 70, 80),
    LOAD("[a b]", ".m8n8k4", ".f64", "=Vf64", 70, 80),
    LOAD("[a b]", ".m8n8k32", ".[s4 u4]", "=Vb32", 63, 75),
    LOAD("[a b]", ".m8n8k128", ".b1", "=Vb32", 63, 75),
    LOAD("c", HALF_SHAPES, ".[f16 f32 s32]", "=Vb32", 60, 70),
    LOAD("c", ".m16n16k8", ".f32", "=Vb32", 70, 80),
    LOAD("c", ".m8n8k4", ".f64", "=Vf64", 70, 80),
    LOAD("c", ".[m8n8k32 m8n8k128]", ".s32", "=Vb32", 63, 75),
    STORE(HALF_SHAPES, ".[f16 f32 s32]", "Vb32", 60, 70),
    STORE(".m16n16k8", ".f32", "Vb32", 70, 80),
    STORE(".m8n8k4", ".f64", "Vf64", 70, 80),
    STORE(".[m8n8k32 m8n8k128]", ".s32", "Vb32", 63, 75),
    MULTIPLY(LAYOUTS HALF_SHAPES ".f32.f32", "Vb32", bind_f16, 60, 70, kTensorFp16Operations, 256),
    MULTIPLY(LAYOUTS HALF_SHAPES ".f16.f16", "Vb32", bind_f16, 60, 70, kTensorFp16Operations, 256),
    MULTIPLY(LAYOUTS HALF_SHAPES ".f32.bf16.bf16.f32", "Vb32", bind_bf16, 70, 80, kTensorBf16Operations, 256),
    MULTIPLY(LAYOUTS ".m16n16k8.f32.tf32.tf32.f32", "Vb32", bind_tf32, 70, 80, kTensorTf32Operations, 128),
    MULTIPLY(LAYOUTS ".m8n8k4{.rn}.f64.f64.f64.f64", "Vf64", bind_f64, 70, 80, kTensorFp64Operations, 16),
    MULTIPLY(LAYOUTS HALF_SHAPES ".s32.s8.s8.s32{.satfinite}", "Vb32", bind_integers, 63, 72, kTensorInt8Operations,
             256),
    MULTIPLY(LAYOUTS HALF_SHAPES ".s32.u8.u8.s32{.satfinite}", "Vb32", bind_integers, 63, 72, kTensorInt8Operations,
             256),
    MULTIPLY(".sync.aligned.row.col.m8n8k32.s32.s4.s4.s32{.satfinite}", "Vb32", bind_integers, 63, 75,
             kTensorInt8Operations, 128),
    MULTIPLY(".sync.aligned.row.col.m8n8k32.s32.u4.u4.s32{.satfinite}", "Vb32", bind_integers, 63, 75,
             kTensorInt8Operations, 128),
    MULTIPLY(".xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", "Vb32", bind_bits, 63, 75, kTensorInt1Operations,
             1024),
    MULTIPLY(".and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", "Vb32", bind_bits, 71, 80, kTensorInt1Operations,
             512),
};

}  // namespace

const Family& wmma_family() {
    static constexpr Family kFamily{"wmma", "matrices in the hardware's own layouts", kWmmaRows, std::size(kWmmaRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
