// ldmatrix, stmatrix and movmatrix: 8 x 8 matrices of 16-bit elements between shared memory and a warp's registers, and
// turned over.
#include <bit>
#include <cstring>
#include <iterator>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/families/matrix_access.h"
#include "scope/isa/families/matrix_fragments.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::OpFn;
using machine::TILESCOPE_TARGET::write_lanes;

constexpr unsigned kRowBytes = 16, kMostMatrices = 4;

struct MatrixMove {
    Fragment registers;
    bool turns_over = false;
    unsigned address_brought = 0;  // where lanes that stand apart bring it
};

// Rows of all matrices, row r of matrix m at 8 m + r.
struct Rows {
    alignas(64) std::byte bytes[kWarpSize][kRowBytes] = {};

    std::uint16_t element(unsigned row, unsigned column) const {
        std::uint16_t value = 0;
        std::memcpy(&value, bytes[row] + column * sizeof value, sizeof value);
        return value;
    }
    void set(unsigned row, unsigned column, std::uint16_t value) {
        std::memcpy(bytes[row] + column * sizeof value, &value, sizeof value);
    }
};

// Where an element of a lane's word lies: `half` 0 or 1 of it.
struct ElementPlace {
    unsigned row, column;
};
ElementPlace place_of(unsigned lane, unsigned half, bool turned_over) {
    const unsigned line = row_in_tile(lane), along = word_in_row(lane) * 2 + half;
    return turned_over ? ElementPlace{along, line} : ElementPlace{line, along};
}

// act(bytes of the row, row) for each whose address a lane gives, once the access is found to be legal and told.
// `stored`: what goes there, or nullptr.
template <class Act>
void for_each_row(Warp& warp, const Op& op, const MatrixMove& move, const Rows* stored, const Act& act) {
    const bool writes = stored != nullptr;
    const std::uint32_t own = warp.exec, together = lanes_together(warp);
    const unsigned rows = move.registers.count * kTileRows;
    const auto giving = static_cast<std::uint32_t>((std::uint64_t{1} << rows) - 1) & together;
    if (giving == 0) return;
    // Lanes that stand apart each come by: the one that is the first to give a row tells of all.
    const bool tells = (own >> std::countr_zero(giving) & 1) != 0;
    warp.exec = giving;
    SiteMemo& memo = warp.worker->memos[op.site];
    const auto bases = [&](auto base) {
        using Base = decltype(base);
        return warp.meeting ? reinterpret_cast<const Base*>(warp.meeting->brought[move.address_brought])
                            : warp.source<Base>(op.a);
    };
    Located at = op.flags & kNarrowAddress ? locate_bases(warp, op, memo, bases(std::uint32_t{}))
                                           : locate_bases(warp, op, memo, bases(std::uint64_t{}));
    (void)permit(warp, op, memo, at, Space::kShared, writes);
    if (tells && warp.exec != 0)
        tell_of(warp, op, memo, at, Space::kShared, writes ? AccessKind::kMatrixStore : AccessKind::kMatrixLoad,
                writes ? stored->bytes[0] : nullptr);
    if (warp.exec != 0) {
        std::byte* const first = bytes_of<Space::kShared>(warp, memo, at);
        for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
            const auto row = static_cast<unsigned>(std::countr_zero(left));
            act(first + memo.deltas[row], row);
        }
    }
    warp.exec = own;
}

void load_matrices(Warp& warp, const Op& op) {
    const auto& move = *static_cast<const MatrixMove*>(op.extra);
    Rows rows;
    for_each_row(warp, op, move, nullptr,
                 [&](const std::byte* from, unsigned row) { std::memcpy(rows.bytes[row], from, kRowBytes); });
    for (unsigned m = 0; m < move.registers.count; ++m)
        write_lanes(warp.exec, warp.target<std::uint32_t>(move.registers.words[m]), [&](unsigned lane) {
            const ElementPlace low = place_of(lane, 0, move.turns_over), high = place_of(lane, 1, move.turns_over);
            return static_cast<std::uint32_t>(rows.element(m * kTileRows + low.row, low.column)) |
                   static_cast<std::uint32_t>(rows.element(m * kTileRows + high.row, high.column)) << 16;
        });
}

Rows rows_in(const Warp& warp, const Fragment& registers, bool turned_over) {
    Rows rows;
    for (unsigned m = 0; m < registers.count; ++m) {
        const auto* words = words_of<std::uint32_t>(warp, registers, m);
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
            for (unsigned half = 0; half < 2; ++half) {
                const ElementPlace place = place_of(lane, half, turned_over);
                rows.set(m * kTileRows + place.row, place.column,
                         static_cast<std::uint16_t>(words[lane] >> (16 * half)));
            }
    }
    return rows;
}

void store_matrices(Warp& warp, const Op& op) {
    const auto& move = *static_cast<const MatrixMove*>(op.extra);
    const Rows rows = rows_in(warp, move.registers, move.turns_over);
    ++warp.worker->writes;
    for_each_row(warp, op, move, &rows,
                 [&](std::byte* to, unsigned row) { std::memcpy(to, rows.bytes[row], kRowBytes); });
}

void turn_over(Warp& warp, const Op& op) {
    const auto& move = *static_cast<const MatrixMove*>(op.extra);
    const Rows rows = rows_in(warp, move.registers, true);
    write_lanes(warp.exec, warp.target<std::uint32_t>(op.dst), [&](unsigned lane) {
        const ElementPlace low = place_of(lane, 0, false), high = place_of(lane, 1, false);
        return static_cast<std::uint32_t>(rows.element(low.row, low.column)) |
               static_cast<std::uint32_t>(rows.element(high.row, high.column)) << 16;
    });
}

// Registers stand in operand `values`, the address in the other one. Lanes hand over what the instruction reads, in the
// order of its operands.
OpFn bind_move(Binding& binding, unsigned values, OpFn function) {
    const BoundOperand& address = binding.operands[1 - values];
    const bool stores = values == 1;
    MatrixMove move;
    unsigned brought = stores ? 1 : 0;
    move.registers = fragment_of(binding.operands[values], brought);
    move.turns_over = binding.has("trans");
    const unsigned asked = binding.has("x1") ? 1 : binding.has("x2") ? 2 : kMostMatrices;
    if (move.registers.count != asked) {
        binding.fail("a number of registers that does not fit the number of matrices");
        return nullptr;
    }
    if (binding.form.one_of({"shared", "shared::cta"}) == "") {
        binding.fail("an address that does not say that it is in shared memory",
                     "write ldmatrix and stmatrix with .shared, and an address from __cvta_generic_to_shared");
        return nullptr;
    }
    Op& op = binding.op;
    op.width = kRowBytes;
    op.a = address.slot;
    op.immediate = address.value;
    op.flags |= address.bytes == 4 ? kNarrowAddress : 0;
    op.extra = binding.keep(move);
    return function;
}

OpFn bind_load_matrices(Binding& binding) { return bind_move(binding, 0, &load_matrices); }
OpFn bind_store_matrices(Binding& binding) { return bind_move(binding, 1, &store_matrices); }
OpFn bind_turn_over(Binding& binding) {
    MatrixMove move;
    unsigned brought = 0;
    move.registers = fragment_of(binding.operands[1], brought);
    binding.op.extra = binding.keep(move);
    return &turn_over;
}

constexpr Row kMatrixMoveRows[] = {
    {.syntax = "ldmatrix.sync.aligned.m8n8.[x1 x2 x4]{.trans}{.[shared shared::cta]}.b16",
     .operands = "=Vb32 []",
     .kind = Class::kMemory,
     .effect = effect::kMatrixLoad,
     .bind = &bind_load_matrices,
     .needs = {65, 75},
     .control = Control::kConverge,
     .meets = meet_by(Meets::kNoOperand, {1}),
     .note = "of shared memory by its own address"},
    {.syntax = "stmatrix.sync.aligned.m8n8.[x1 x2 x4]{.trans}{.[shared shared::cta]}.b16",
     .operands = "[] Vb32",
     .kind = Class::kMemory,
     .effect = effect::kMatrixStore,
     .bind = &bind_store_matrices,
     .needs = {78, 90},
     .control = Control::kConverge,
     .meets = meet_by(Meets::kNoOperand, {0, 1}),
     .note = "of shared memory by its own address"},
    {.syntax = "movmatrix.sync.aligned.m8n8.trans.b16",
     .operands = "=b32 b32",
     .kind = Class::kSync,
     .effect = effect::kExchange,
     .bind = &bind_turn_over,
     .needs = {78, 75},
     .control = Control::kConverge,
     .meets = meet_by(Meets::kNoOperand, {1})},
};

}  // namespace

const Family& matrix_move_family() {
    static constexpr Family kFamily{"matrix_move", "matrices of 16-bit elements to and from shared memory",
                                    kMatrixMoveRows, std::size(kMatrixMoveRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
