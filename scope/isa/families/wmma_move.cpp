// wmma's loads and stores: matrices between memory and a warp's registers.
//
// Which accesses ptxas makes of one was read off an H200 and its machine code (27 November 2026,
// bench/hardware/tensor_loads.cu). Elements of 16 bits come from shared memory as ldmatrix has them; everything else is
// loads of words, of pairs of words where sums lie by rows.
#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "scope/isa/families/matrix_access.h"
#include "scope/isa/families/memory_lanes.h"
#include "scope/isa/families/wmma_matrices.h"
#include "scope/isa/table/access_words.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET::wmma {
namespace {

using machine::OpFn;

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
// Where its elements lie, for who is told that one of them lies outside.
std::string layout_text(const Move& move, unsigned stride) {
    const unsigned lines = move.matrix.lines, along = move.matrix.along;
    return fmt::format("; it is of a matrix in {} runs of {} elements, {} elements apart (the leading dimension)",
                       move.lies_along ? lines : along, move.lies_along ? along : lines, stride);
}

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
        if (space == Space::kShared) base -= warp.worker->shared_window;
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
        bool is_together = false;
        try {
            is_together = permit(warp, access, memo, at, space, writes);
        } catch (machine::Fault& fault) {
            fault.message += layout_text(move, stride);
            throw;
        }
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

#define SPACES "{.[global shared shared::cta]}"
#define HALF_SHAPES ".[m16n16k16 m32n8k16 m8n32k16]"
#define LOAD(matrix, shapes, types, registers, ptx, sm)                                                              \
    {                                                                                                                \
        .syntax = "wmma.load." matrix "~.sync.aligned.[row col]" shapes SPACES types,                                \
        .operands = registers " [] b32?", .kind = Class::kMemory, .effect = effect::kMatrixLoad, .bind = &bind_load, \
        .needs = {ptx, sm}, .control = Control::kConverge, .meets = meet_by(Meets::kNoOperand)                       \
    }
#define STORE(shapes, types, registers, ptx, sm)                                                                   \
    {                                                                                                              \
        .syntax = "wmma.store.d~.sync.aligned.[row col]" shapes SPACES types, .operands = "[] " registers " b32?", \
        .kind = Class::kMemory, .effect = effect::kMatrixStore, .bind = &bind_store, .needs = {ptx, sm},           \
        .control = Control::kConverge, .meets = meet_by(Meets::kNoOperand, {1})                                    \
    }
constexpr Row kWmmaMoveRows[] = {
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
};

}  // namespace
}  // namespace tilescope::isa::TILESCOPE_TARGET::wmma

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& wmma_move_family() {
    static constexpr Family kFamily{"wmma_move", "matrices in the hardware's own layouts, to and from memory",
                                    wmma::kWmmaMoveRows, std::size(wmma::kWmmaMoveRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
