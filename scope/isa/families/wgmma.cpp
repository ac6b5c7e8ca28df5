// wgmma: products of matrices that four warps make together, of shared memory and registers.
//
// Each warp computes its own 16 rows of D when it comes to the instruction, which every wait allows: they need its own
// rows of A and all of B. What orders these reads with others' writes is told (ProductGroup) and left to checks.
#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <limits>
#include <vector>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/families/matrix_sums.h"
#include "scope/isa/families/wgmma_factors.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET::wgmma {
namespace {

using machine::OpFn;
using machine::ProductGroup;
using machine::ProductGroupKind;
using machine::TILESCOPE_TARGET::write_lanes;

constexpr std::size_t kShapeWord = 3;  // behind mma_async, sync, aligned

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

// The elements of a line, each in a word of its own.
template <class Element, unsigned kDepth>
void spread_line(const std::byte (&line)[kDepthBytes], std::uint32_t (&bits)[kDepth]) {
    constexpr unsigned kBytes = kDepthBytes / kDepth;
    for (unsigned k = 0; k < kDepth; ++k) {
        bits[k] = 0;
        std::memcpy(&bits[k], line + k * kBytes, kBytes);
    }
}

template <class Left, class Right, class Format, class Kept>
void multiply_floats(Warp& warp, const Op& op) {
    constexpr unsigned kDepth = kDepthBytes * 8 / Left::kBits;
    const auto& of = *static_cast<const GroupProduct*>(op.extra);
    Taken taken;
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
        Factors<kDepth, kMatrixColumns> right;
        right.template read<Right>(bits);
        typename Format::Word before[kWarpRows][kMatrixColumns] = {}, sums[kWarpRows][kMatrixColumns];
        if (taken.adds) read_tile(warp, of, tile, before);
        sum_products<Format, Kept>(left, right, before, sums);
        write_tile(warp, of, tile, sums);
    }
}

// sum(line of A, line of B) of all of them, on top of the sums before.
template <class Sum>
void add_whole(Warp& warp, const Op& op, const Sum& sum) {
    using Limits = std::numeric_limits<std::int32_t>;
    const auto& of = *static_cast<const GroupProduct*>(op.extra);
    Taken taken;
    take_factors(warp, op, of, taken);
    for (unsigned tile = 0; tile < of.columns / kMatrixColumns; ++tile) {
        std::uint32_t sums[kWarpRows][kMatrixColumns] = {};
        if (taken.adds) read_tile(warp, of, tile, sums);
        for (unsigned row = 0; row < kWarpRows; ++row)
            for (unsigned j = 0; j < kMatrixColumns; ++j) {
                const std::int64_t all = std::int64_t{static_cast<std::int32_t>(sums[row][j])} +
                                         sum(taken.a.bytes[row], taken.b.bytes[tile * kMatrixColumns + j]);
                const std::int64_t held =
                    of.saturates ? std::clamp<std::int64_t>(all, Limits::min(), Limits::max()) : all;
                sums[row][j] = static_cast<std::uint32_t>(held);
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

// The number between 'n' and 'k' of a shape's name.
unsigned columns_of(const Binding& binding) {
    const std::string_view shape = binding.form.words()[kShapeWord];
    unsigned columns = 0;
    for (std::size_t i = shape.find('n') + 1; i < shape.size() && shape[i] != 'k'; ++i)
        columns = columns * 10 + static_cast<unsigned>(shape[i] - '0');
    return columns;
}

Handed handed(const BoundOperand& operand, unsigned& brought) { return {operand.slot, brought++}; }

std::vector<Handed> registers_in(const BoundOperand& operand, unsigned& brought) {
    std::vector<Handed> list;
    for (const BoundOperand& element : operand.elements) list.push_back(handed(element, brought));
    return list;
}

// The signs of A and B, and whether they are turned over, follow the four operands that all forms have.
bool take_numbers(Binding& binding, GroupProduct& of) {
    constexpr std::size_t kFirst = 4, kSigns = 2;
    for (std::size_t i = kFirst; i < binding.operands.size(); ++i) {
        const BoundOperand& number = binding.operands[i];
        const bool is_sign = i < kFirst + kSigns;
        if (!number.is_immediate ||
            (is_sign ? number.value != 1 && number.value != -1 : number.value != 0 && number.value != 1)) {
            binding.fail(is_sign ? "a factor's scale other than 1 and -1"
                                 : "a factor's transposition other than 0 and 1");
            return false;
        }
        if (is_sign) {
            of.negates = of.negates != (number.value == -1);
        } else {
            const bool is_of_a = of.a.empty() && i == kFirst + kSigns;
            (is_of_a ? of.a_across : of.b_across) = number.value == 1;
        }
    }
    return true;
}

bool take_product(Binding& binding, bool sums_halves) {
    GroupProduct of;
    of.columns = columns_of(binding);
    of.sums_halves = sums_halves;
    of.saturates = binding.has("satfinite");
    unsigned brought = 0;
    of.sums = registers_in(binding.operands[0], brought);
    of.a = registers_in(binding.operands[1], brought);
    if (of.a.empty()) of.a_descriptor = handed(binding.operands[1], brought);
    of.b_descriptor = handed(binding.operands[2], brought);
    of.adds = handed(binding.operands[3], brought);
    of.adds_negated = binding.operands[3].negated;
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
std::string_view type_of(const Binding& binding, unsigned n) {
    const std::vector<std::string_view>& words = binding.form.words();
    return words[kShapeWord + 1 + n + (words[kShapeWord + 1] == "satfinite" ? 1 : 0)];
}

template <class Element, class Kept>
OpFn pick_sums(Binding& binding) {
    const bool halves = type_of(binding, 0) == "f16";
    if (!take_product(binding, halves)) return nullptr;
    return halves ? &multiply_floats<Element, Element, OfF16, Kept> : &multiply_floats<Element, Element, OfF32, Kept>;
}

OpFn bind_f16(Binding& binding) { return pick_sums<F16Element, FullSums>(binding); }
OpFn bind_bf16(Binding& binding) {
    return take_product(binding, false) ? &multiply_floats<Bf16Element, Bf16Element, OfF32, FullSums> : nullptr;
}
OpFn bind_tf32(Binding& binding) {
    return take_product(binding, false) ? &multiply_floats<Tf32Element, Tf32Element, OfF32, FullSums> : nullptr;
}

template <class Format>
OpFn pick_bytes(bool a_is_e4m3, bool b_is_e4m3) {
    using E4m3 = PlainE4m3Element;
    using E5m2 = E5m2Element;
    if (a_is_e4m3)
        return b_is_e4m3 ? &multiply_floats<E4m3, E4m3, Format, ByteSums>
                         : &multiply_floats<E4m3, E5m2, Format, ByteSums>;
    return b_is_e4m3 ? &multiply_floats<E5m2, E4m3, Format, ByteSums> : &multiply_floats<E5m2, E5m2, Format, ByteSums>;
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

#define EIGHT_COLUMNS(k)                                                                                            \
    "m64n8k" k " m64n16k" k " m64n24k" k " m64n32k" k " m64n48k" k " m64n64k" k " m64n80k" k " m64n96k" k           \
    " m64n112k" k " m64n128k" k " m64n144k" k " m64n160k" k " m64n176k" k " m64n192k" k " m64n208k" k " m64n224k" k \
    " m64n240k" k " m64n256k" k
#define SHAPES_OF_WHOLE(k) ".[" EIGHT_COLUMNS(k) "]"
#define SHAPES(k)                                                                                             \
    ".[" EIGHT_COLUMNS(k) " m64n40k" k " m64n56k" k " m64n72k" k " m64n88k" k " m64n104k" k " m64n120k" k     \
                          " m64n136k" k " m64n152k" k " m64n168k" k " m64n184k" k " m64n200k" k " m64n216k" k \
                          " m64n232k" k " m64n248k" k "]"

// Operations of a thread of the group, of eight columns.
#define EACH(counter, depth) .operations = {{{Counter::counter, 64 * 8 * (depth)*2 / (32 * kGroupWarps)}}}
#define PRODUCT(text, operands_, binder, counter, depth)                                                       \
    {                                                                                                          \
        .syntax = "wgmma.mma_async.sync.aligned" text, .operands = "=Vb32 " operands_, .kind = Class::kTensor, \
        .effect = effect::kAddProduct, .bind = &(binder), .needs = {80, 90}, EACH(counter, depth),             \
        .control = Control::kConverge, .meets = meet_by(Meets::kNoOperand, {0, 1, 2, 3})                       \
    }
#define ORDER(text, effect_, operands_)                                                                      \
    {                                                                                                        \
        .syntax = text, .operands = operands_, .kind = Class::kSync, .effect = effect_, .bind = &bind_order, \
        .needs = {80, 90}, .control = Control::kConverge, .meets = meet_by(Meets::kNoOperand),               \
        .note = "products happen when issued"                                                                \
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
    ORDER("wgmma.fence.sync.aligned", Effect{}, ""),
    ORDER("wgmma.commit_group.sync.aligned", effect::kCommitProducts, ""),
    ORDER("wgmma.wait_group.sync.aligned", effect::kWaitProducts, "s32"),
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
