// wgmma: products of matrices that four warps make together, of shared memory and registers.
//
// The four warps wait for each other at a product, and each then computes its own 16 rows of D, which every
// wgmma.wait_group allows: they need its own rows of A and all of B. PTX doesn't promise that they wait; an H200 does
// so (machine/block_group.cpp has what was measured). wgmma.fence and wgmma.wait_group wait for nobody. A commit that
// doesn't follow a product in straight code waits, because ptxas makes an empty product of it. What orders these reads
// with others' writes is told (ProductGroup) and left to checks.
#include <bit>
#include <iterator>
#include <type_traits>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/families/matrix_quick.h"
#include "scope/isa/families/wgmma_products.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET::wgmma {
namespace {

using machine::ProductGroup;
using machine::ProductGroupKind;

// ---- products ----------------------------------------------------------------------------------------------------

// Of 16 or 32 bits.
template <class Element, class Format>
void multiply_floats(Warp& warp, const Op& op) {
    constexpr unsigned kDepth = kDepthBytes * 8 / Element::kBits;
    using Words = QuickWords<Element, kDepth>;
    const auto& of = *static_cast<const GroupProduct*>(op.extra);
    Taken<> taken;
    take_factors(warp, op, of, taken);
    const auto word_in = [](const std::byte* line, unsigned pack, unsigned group) {
        std::uint32_t word;
        std::memcpy(&word, line + (pack * kQuickGroups + group) * sizeof word, sizeof word);
        return word;
    };
    Words words;
    const auto take_lanes = [&](const auto& line_of) {
        for (unsigned pack = 0; pack < Words::kPacks; ++pack)
            for (unsigned group = 0; group < kQuickGroups; ++group)
                for (unsigned place = 0; place < kLaneLines; ++place)
                    words.lanes[pack][group][place] = word_in(line_of(line_at(place)), pack, group);
    };
    const auto take_others = [&](const auto& line_of) {
        for (unsigned pack = 0; pack < Words::kPacks; ++pack)
            for (unsigned lane = 0; lane < kOtherLanes; ++lane)
                words.others[pack][lane] = word_in(line_of(lane / kQuickGroups), pack, lane % kQuickGroups);
    };
    const auto row_of_a = [&](unsigned row) { return &taken.a.bytes[row][0]; };
    if constexpr (kRowsAreLanes)
        take_lanes(row_of_a);
    else
        take_others(row_of_a);
    QuickProduct product(words, of.negates);
    QuickSums<typename Format::Word> c = {}, d;
    for (unsigned tile = 0; tile < of.columns / kMatrixColumns; ++tile) {
        const auto column_of_b = [&](unsigned column) { return &taken.b.bytes[tile * kMatrixColumns + column][0]; };
        if constexpr (kRowsAreLanes)
            take_others(column_of_b);
        else
            take_lanes(column_of_b);
        if (taken.adds) read_addends(warp, of, tile, c);
        product.template sum<Format>(c, d);
        write_results(warp, of, tile, d);
    }
}

template <class Left, class Right, class Format>
void multiply_bytes(Warp& warp, const Op& op) {
    constexpr unsigned kDepth = kDepthBytes;
    const auto& of = *static_cast<const GroupProduct*>(op.extra);
    Taken<> taken;
    take_factors(warp, op, of, taken);
    alignas(64) std::uint32_t rows[kWarpRows][kDepth];
    for (unsigned row = 0; row < kWarpRows; ++row) spread_line<Left>(taken.a.bytes[row], rows[row]);
    Factors<kWarpRows, kDepth> left;
    left.template read<Left>(rows);
    if (of.negates) left.negate();
    for (unsigned tile = 0; tile < of.columns / kMatrixColumns; ++tile) {
        alignas(64) std::uint32_t bits[kDepth][kMatrixColumns];
        for (unsigned j = 0; j < kMatrixColumns; ++j) {
            std::uint32_t column[kDepth];
            spread_line<Right>(taken.b.bytes[tile * kMatrixColumns + j], column);
            for (unsigned k = 0; k < kDepth; ++k) bits[k][j] = column[k];
        }
        typename Format::Word before[kWarpRows][kMatrixColumns] = {}, sums[kWarpRows][kMatrixColumns];
        if (taken.adds) read_tile(warp, of, tile, before);
        Factors<kDepth, kMatrixColumns> right;
        right.template read<Right>(bits);
        sum_products<Format, ByteSums>(left, right, before, sums);
        write_tile(warp, of, tile, sums);
    }
}

// sum(line of A, line of B) of all of them, on top of the sums before.
template <class Sum>
void add_whole(Warp& warp, const Op& op, const Sum& sum) {
    const auto& of = *static_cast<const GroupProduct*>(op.extra);
    Taken<> taken;
    take_factors(warp, op, of, taken);
    for (unsigned tile = 0; tile < of.columns / kMatrixColumns; ++tile) {
        std::uint32_t sums[kWarpRows][kMatrixColumns] = {};
        if (taken.adds) read_tile(warp, of, tile, sums);
        for (unsigned row = 0; row < kWarpRows; ++row)
            for (unsigned j = 0; j < kMatrixColumns; ++j) {
                const std::int64_t all = sum(taken.a.bytes[row], taken.b.bytes[tile * kMatrixColumns + j]);
                sums[row][j] =
                    static_cast<std::uint32_t>(added_whole(static_cast<std::int32_t>(sums[row][j]), all, of.saturates));
            }
        write_tile(warp, of, tile, sums);
    }
}

template <class Left, class Right>
void multiply_integers(Warp& warp, const Op& op) {
    add_whole(warp, op, [](const std::byte* a, const std::byte* b) {
        std::int32_t sum = 0;
        for (unsigned k = 0; k < kDepthBytes; ++k)
            sum += std::int32_t{static_cast<Left>(a[k])} * std::int32_t{static_cast<Right>(b[k])};
        return std::int64_t{sum};
    });
}

void multiply_bits(Warp& warp, const Op& op) {
    add_whole(warp, op, [](const std::byte* a, const std::byte* b) {
        int sum = 0;
        for (unsigned k = 0; k < kDepthBytes; ++k) sum += std::popcount(static_cast<std::uint8_t>(a[k] & b[k]));
        return std::int64_t{sum};
    });
}

// ---- what orders them ---------------------------------------------------------------------------------------------

template <ProductGroupKind kKind>
void tell_products(Warp& warp, const Op& op) {
    if (!warp.worker->audience.wants(machine::Event::kProductGroup)) return;
    ProductGroup group;
    machine::fill(group, warp, op);
    group.kind = kKind;
    if constexpr (kKind == ProductGroupKind::kWait)
        group.pending = warp.source<std::uint32_t>(op.a)[std::countr_zero(warp.exec)];
    warp.worker->audience.tell(group);
}

OpFn bind_order(Binding& binding) {
    if (binding.has("fence")) return &tell_products<ProductGroupKind::kFence>;
    return binding.has("commit_group") ? &tell_products<ProductGroupKind::kCommit>
                                       : &tell_products<ProductGroupKind::kWait>;
}

// ---- binding ------------------------------------------------------------------------------------------------------

OpFn bind_f16(Binding& binding) {
    const bool halves = type_of(binding, 0) == "f16";
    if (!take_product(binding, halves)) return nullptr;
    return halves ? &multiply_floats<F16Element, OfF16> : &multiply_floats<F16Element, OfF32>;
}
OpFn bind_bf16(Binding& binding) {
    return take_product(binding, false) ? &multiply_floats<Bf16Element, OfF32> : nullptr;
}
OpFn bind_tf32(Binding& binding) {
    return take_product(binding, false) ? &multiply_floats<Tf32Element, OfF32> : nullptr;
}

template <class Format>
OpFn pick_bytes(bool a_is_e4m3, bool b_is_e4m3) {
    using E4m3 = PlainE4m3Element;
    using E5m2 = E5m2Element;
    if (a_is_e4m3) return b_is_e4m3 ? &multiply_bytes<E4m3, E4m3, Format> : &multiply_bytes<E4m3, E5m2, Format>;
    return b_is_e4m3 ? &multiply_bytes<E5m2, E4m3, Format> : &multiply_bytes<E5m2, E5m2, Format>;
}

OpFn bind_bytes(Binding& binding) {
    const bool halves = type_of(binding, 0) == "f16";
    if (!take_product(binding, halves)) return nullptr;
    const bool a = type_of(binding, 1) == "e4m3", b = type_of(binding, 2) == "e4m3";
    return halves ? pick_bytes<OfF16>(a, b) : pick_bytes<OfF32>(a, b);
}

OpFn bind_integers(Binding& binding) {
    using S = std::int8_t;
    using U = std::uint8_t;
    if (!take_product(binding, false)) return nullptr;
    const bool a = type_of(binding, 1) == "s8", b = type_of(binding, 2) == "s8";
    if (a) return b ? &multiply_integers<S, S> : &multiply_integers<S, U>;
    return b ? &multiply_integers<U, S> : &multiply_integers<U, U>;
}

OpFn bind_bits(Binding& binding) { return take_product(binding, false) ? &multiply_bits : nullptr; }

// Operations of a thread of the group, of eight columns.
#define EACH(counter, depth) .operations = {{{Counter::counter, 64 * 8 * (depth)*2 / (32 * kGroupWarps)}}}
#define PRODUCT(text, operands_, binder, counter, depth)                                                              \
    {                                                                                                                 \
        .syntax = "wgmma.mma_async~.sync.aligned" text, .operands = "=Vb32 " operands_, .kind = Class::kTensor,       \
        .effect = effect::kAddProduct, .bind = &(binder), .needs = {80, 90}, EACH(counter, depth),                    \
        .control = Control::kConverge, .meets = of_group(WarpGroup::kMeets, meet_by(Meets::kNoOperand, {0, 1, 2, 3})) \
    }
#define ORDER(text, effect_, operands_, group)                                                                 \
    {                                                                                                          \
        .syntax = text, .operands = operands_, .kind = Class::kSync, .effect = effect_, .bind = &bind_order,   \
        .needs = {80, 90}, .control = Control::kConverge,                                                      \
        .meets = of_group(WarpGroup::group, meet_by(Meets::kNoOperand)), .note = "products happen when issued" \
    }

constexpr Row kWgmmaRows[] = {
    PRODUCT(SHAPES("16") ".[f32 f16].f16.f16", "b64 b64 pred s32 s32 s32 s32", bind_f16, kTensorFp16Operations, 16),
    PRODUCT(SHAPES("16") ".[f32 f16].f16.f16", "Vb32 b64 pred s32 s32 s32", bind_f16, kTensorFp16Operations, 16),
    PRODUCT(SHAPES("16") ".f32.bf16.bf16", "b64 b64 pred s32 s32 s32 s32", bind_bf16, kTensorBf16Operations, 16),
    PRODUCT(SHAPES("16") ".f32.bf16.bf16", "Vb32 b64 pred s32 s32 s32", bind_bf16, kTensorBf16Operations, 16),
    PRODUCT(SHAPES("8") ".f32.tf32.tf32", "b64 b64 pred s32 s32", bind_tf32, kTensorTf32Operations, 8),
    PRODUCT(SHAPES("8") ".f32.tf32.tf32", "Vb32 b64 pred s32 s32", bind_tf32, kTensorTf32Operations, 8),
    PRODUCT(SHAPES("32") ".[f32 f16].[e4m3 e5m2].[e4m3 e5m2]", "b64 b64 pred s32 s32", bind_bytes, kTensorFp8Operations,
            32),
    PRODUCT(SHAPES("32") ".[f32 f16].[e4m3 e5m2].[e4m3 e5m2]", "Vb32 b64 pred s32 s32", bind_bytes,
            kTensorFp8Operations, 32),
    PRODUCT(SHAPES_OF_WHOLE("32") "{.satfinite}.s32.[s8 u8].[s8 u8]{.satfinite}", "b64 b64 pred", bind_integers,
            kTensorInt8Operations, 32),
    PRODUCT(SHAPES_OF_WHOLE("32") "{.satfinite}.s32.[s8 u8].[s8 u8]{.satfinite}", "Vb32 b64 pred", bind_integers,
            kTensorInt8Operations, 32),
    PRODUCT(SHAPES_OF_WHOLE("256") ".s32.b1.b1.and.popc", "b64 b64 pred", bind_bits, kTensorInt1Operations, 256),
    PRODUCT(SHAPES_OF_WHOLE("256") ".s32.b1.b1.and.popc", "Vb32 b64 pred", bind_bits, kTensorInt1Operations, 256),
    ORDER("wgmma.fence~.sync.aligned", Effect{}, "", kNeeded),
    ORDER("wgmma.commit_group~.sync.aligned", effect::kCommitProducts, "", kMeetsUnlessBehind),
    ORDER("wgmma.wait_group~.sync.aligned", effect::kWaitProducts, "s32", kNone),
};

}  // namespace
}  // namespace tilescope::isa::TILESCOPE_TARGET::wgmma

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& wgmma_family() {
    static constexpr Family kFamily{"wgmma", "products of matrices that four warps make", wgmma::kWgmmaRows,
                                    std::size(wgmma::kWgmmaRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
