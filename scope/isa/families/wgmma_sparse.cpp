// wgmma.mma_async.sp: products that four warps make of shared memory, of whose A half of the elements are kept.
//
// A is as wide in memory as a dense one, B twice as deep. Each warp has the metadata of its own rows in its lanes.
#include <algorithm>
#include <iterator>
#include <string>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/families/sparse_places.h"
#include "scope/isa/families/wgmma_products.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET::wgmma {
namespace {

constexpr unsigned kStoredBits = kDepthBytes * 8;
using SparseTaken = Taken<2 * kDepthBytes>;

void sparse_metadata(const Warp& warp, const GroupProduct& of, unsigned element_bits,
                     std::uint64_t (&rows)[kWarpRows]) {
    read_metadata(sparse_layout(element_bits), kStoredBits, of.metadata.in<std::uint32_t>(warp), of.selector, rows);
}

template <class Left, class Right, class Format, class Kept>
void multiply_sparse_floats(Warp& warp, const Op& op) {
    constexpr unsigned kStored = kStoredBits / Left::kBits;
    const auto& of = *static_cast<const GroupProduct*>(op.extra);
    SparseTaken taken;
    take_factors(warp, op, of, taken);
    std::uint64_t metadata[kWarpRows];
    sparse_metadata(warp, of, Left::kBits, metadata);
    alignas(64) std::uint32_t rows[kWarpRows][kStored];
    for (unsigned row = 0; row < kWarpRows; ++row) spread_line<Left>(taken.a.bytes[row], rows[row]);
    Factors<kWarpRows, kStored> left;
    left.template read<Left>(rows);
    if (of.negates) left.negate();
    for (unsigned tile = 0; tile < of.columns / kMatrixColumns; ++tile) {
        alignas(64) std::uint32_t bits[2 * kStored][kMatrixColumns];
        for (unsigned j = 0; j < kMatrixColumns; ++j) {
            std::uint32_t column[2 * kStored];
            spread_line<Right>(taken.b.bytes[tile * kMatrixColumns + j], column);
            for (unsigned k = 0; k < 2 * kStored; ++k) bits[k][j] = column[k];
        }
        typename Format::Word before[kWarpRows][kMatrixColumns] = {}, sums[kWarpRows][kMatrixColumns];
        if (taken.adds) read_tile(warp, of, tile, before);
        for (unsigned row = 0; row < kWarpRows; ++row) {
            alignas(64) std::uint32_t chosen[kStored][kMatrixColumns];
            choose_elements<Left::kBits>(metadata[row], bits, chosen);
            Factors<kStored, kMatrixColumns> right;
            right.template read<Right>(chosen);
            sum_row<Format, Kept>(left, row, right, before[row], sums[row]);
        }
        write_tile(warp, of, tile, sums);
    }
}

template <class Left, class Right>
void multiply_sparse_integers(Warp& warp, const Op& op) {
    const auto& of = *static_cast<const GroupProduct*>(op.extra);
    SparseTaken taken;
    take_factors(warp, op, of, taken);
    std::uint64_t metadata[kWarpRows];
    sparse_metadata(warp, of, 8, metadata);
    for (unsigned tile = 0; tile < of.columns / kMatrixColumns; ++tile) {
        std::uint32_t sums[kWarpRows][kMatrixColumns] = {};
        if (taken.adds) read_tile(warp, of, tile, sums);
        for (unsigned row = 0; row < kWarpRows; ++row)
            for (unsigned j = 0; j < kMatrixColumns; ++j) {
                const std::byte* const column = taken.b.bytes[tile * kMatrixColumns + j];
                std::int32_t products = 0;
                for (unsigned n = 0; n < kDepthBytes; ++n)
                    products += std::int32_t{static_cast<Left>(taken.a.bytes[row][n])} *
                                std::int32_t{static_cast<Right>(column[place_of_element<8>(metadata[row], n)])};
                sums[row][j] = static_cast<std::uint32_t>(
                    added_whole(static_cast<std::int32_t>(sums[row][j]), products, of.saturates));
            }
        write_tile(warp, of, tile, sums);
    }
}

// ---- binding ------------------------------------------------------------------------------------------------------

bool take_sparse(Binding& binding, unsigned element_bits, bool sums_halves) {
    constexpr std::size_t kSelector = 4;
    const BoundOperand& selector = binding.operands[kSelector];
    const unsigned selectors = metadata_selectors(sparse_layout(element_bits), kStoredBits);
    if (!selector.is_immediate || selector.value < 0 || selector.value >= std::int64_t{selectors}) {
        binding.fail("a selector of sparse metadata that is no number below " + std::to_string(selectors));
        return false;
    }
    return take_product(binding, sums_halves);
}

OpFn bind_sparse_halves(Binding& binding) {
    const bool halves = type_of(binding, 0) == "f16";
    if (!take_sparse(binding, 16, halves)) return nullptr;
    if (type_of(binding, 1) == "bf16") return &multiply_sparse_floats<Bf16Element, Bf16Element, OfF32, FullSums>;
    return halves ? &multiply_sparse_floats<F16Element, F16Element, OfF16, FullSums>
                  : &multiply_sparse_floats<F16Element, F16Element, OfF32, FullSums>;
}
OpFn bind_sparse_tf32(Binding& binding) {
    return take_sparse(binding, 32, false) ? &multiply_sparse_floats<Tf32Element, Tf32Element, OfF32, FullSums>
                                           : nullptr;
}

template <class Format>
OpFn pick_sparse_bytes(bool a_is_e4m3, bool b_is_e4m3) {
    using E4m3 = PlainE4m3Element;
    using E5m2 = E5m2Element;
    if (a_is_e4m3)
        return b_is_e4m3 ? &multiply_sparse_floats<E4m3, E4m3, Format, ByteSums>
                         : &multiply_sparse_floats<E4m3, E5m2, Format, ByteSums>;
    return b_is_e4m3 ? &multiply_sparse_floats<E5m2, E4m3, Format, ByteSums>
                     : &multiply_sparse_floats<E5m2, E5m2, Format, ByteSums>;
}

OpFn bind_sparse_bytes(Binding& binding) {
    const bool halves = type_of(binding, 0) == "f16";
    if (!take_sparse(binding, 8, halves)) return nullptr;
    const bool a = type_of(binding, 1) == "e4m3", b = type_of(binding, 2) == "e4m3";
    return halves ? pick_sparse_bytes<OfF16>(a, b) : pick_sparse_bytes<OfF32>(a, b);
}

OpFn bind_sparse_integers(Binding& binding) {
    using S = std::int8_t;
    using U = std::uint8_t;
    if (!take_sparse(binding, 8, false)) return nullptr;
    const bool a = type_of(binding, 1) == "s8", b = type_of(binding, 2) == "s8";
    if (a) return b ? &multiply_sparse_integers<S, S> : &multiply_sparse_integers<S, U>;
    return b ? &multiply_sparse_integers<U, S> : &multiply_sparse_integers<U, U>;
}

// Operations of a thread of the group, of eight columns and the whole depth, zeros included, as the profiler counts.
#define EACH(counter, depth) .operations = {{{Counter::counter, 64 * 8 * (depth)*2 / (32 * kGroupWarps)}}}
#define PRODUCT(text, a, numbers, binder, counter, depth)                                                      \
    {                                                                                                          \
        .syntax = "wgmma.mma_async~.sp.sync.aligned" text, .operands = "=Vb32 " a " b64 b32 s32 pred" numbers, \
        .kind = Class::kTensor, .effect = effect::kAddProduct, .bind = &(binder), .needs = {82, 90},           \
        EACH(counter, depth), .control = Control::kConverge,                                                   \
        .meets = of_group(WarpGroup::kMeets, meet_by(Meets::kNoOperand, {0, 1, 2, 3, 5}))                      \
    }
#define BOTH(text, numbers, of_b, binder, counter, depth)            \
    PRODUCT(text, "b64", numbers of_b of_b, binder, counter, depth), \
        PRODUCT(text, "Vb32", numbers of_b, binder, counter, depth)
#define SIGNS " s32 s32"

constexpr Row kWgmmaSparseRows[] = {
    BOTH(SHAPES("32") ".[f32 f16].f16.f16", SIGNS, " s32", bind_sparse_halves, kTensorFp16Operations, 32),
    BOTH(SHAPES("32") ".f32.bf16.bf16", SIGNS, " s32", bind_sparse_halves, kTensorBf16Operations, 32),
    BOTH(SHAPES("16") ".f32.tf32.tf32", SIGNS, "", bind_sparse_tf32, kTensorTf32Operations, 16),
    BOTH(SHAPES("64") ".[f32 f16].[e4m3 e5m2].[e4m3 e5m2]", SIGNS, "", bind_sparse_bytes, kTensorFp8Operations, 64),
    BOTH(SHAPES_OF_WHOLE("64") "{.satfinite}.s32.[s8 u8].[s8 u8]{.satfinite}", "", "", bind_sparse_integers,
         kTensorInt8Operations, 64),
};

}  // namespace
}  // namespace tilescope::isa::TILESCOPE_TARGET::wgmma

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& wgmma_sparse_family() {
    static constexpr Family kFamily{"wgmma_sparse", "products that four warps make of a sparse matrix",
                                    wgmma::kWgmmaSparseRows, std::size(wgmma::kWgmmaSparseRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
