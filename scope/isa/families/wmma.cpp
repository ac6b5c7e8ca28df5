// wmma's products of matrices.
#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <vector>

#include "scope/isa/families/fused_doubles.h"
#include "scope/isa/families/matrix_quick.h"
#include "scope/isa/families/wmma_matrices.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET::wmma {
namespace {

using machine::Op;
using machine::OpFn;

struct Product {
    Matrix a, b, c, d;
    Shape shape;
    bool saturates = false;
    int rounding = 0;  // of doubles
};

// act(sums, line of A, column of B) for all of them; C and D may have their lines the other way round.
template <class Act>
void for_each_sum(const Product& of, Elements& c, const Act& act) {
    for (unsigned row = 0; row < of.shape.rows; ++row)
        for (unsigned column = 0; column < of.shape.columns; ++column)
            act(of.c.layout.lines_are_rows ? c.at[row][column] : c.at[column][row], row, column);
}

// Sums in another type than the addends come by way of f32: halves become it before, or of it behind.
enum class Change : std::uint8_t { kNone, kAddendsWiden, kSumsNarrow };

// `kStep`: products that are added up at a time. Those of tf32 are made of instructions half as deep (as ptxas 13.0
// does; a sum of 262,144 of them on an H200 tells, 27 November 2026).
template <class Element, class Format, unsigned kDepth, unsigned kStep = kDepth, Change kChange = Change::kNone>
void multiply_floats(Warp& warp, const Op& op) {
    const auto& of = *static_cast<const Product*>(op.extra);
    Elements a, b, c;
    unpack(warp, of.a, a);
    unpack(warp, of.b, b);
    unpack(warp, of.c, c);
    const auto sum_at = [&](unsigned row, unsigned column) -> std::uint64_t& {
        return of.c.layout.lines_are_rows ? c.at[row][column] : c.at[column][row];
    };
    const auto element = [](std::uint64_t bits) {
        return static_cast<std::uint32_t>(bits) & (~0u >> (32 - Element::kBits));
    };
    // Of a shape of eight rows the lower half of a tile stays empty.
    const unsigned rows = std::min(of.shape.rows, kQuickRows);
    for (unsigned first = 0; first < kDepth; first += kStep)
        for (unsigned top = 0; top < of.shape.rows; top += kQuickRows)
            for (unsigned from = 0; from < of.shape.columns; from += kMatrixColumns) {
                QuickWords<Element, kStep> words = {};
                for (unsigned k = 0; k < kStep; ++k) {
                    for (unsigned row = 0; row < rows; ++row) words.set_a(row, k, element(a.at[top + row][first + k]));
                    for (unsigned j = 0; j < kMatrixColumns; ++j) words.set_b(k, j, element(b.at[from + j][first + k]));
                }
                QuickSums<typename Format::Word> addends = {}, sums;
                for (unsigned j = 0; j < kMatrixColumns; ++j)
                    for (unsigned row = 0; row < rows; ++row) {
                        const std::uint64_t addend = sum_at(top + row, from + j);
                        if constexpr (kChange == Change::kAddendsWiden)
                            addends.at(row, j) = bits_of(F16::widen(static_cast<std::uint16_t>(addend)));
                        else
                            addends.at(row, j) = static_cast<typename Format::Word>(addend);
                    }
                QuickProduct(words).template sum<Format>(addends, sums);
                for (unsigned j = 0; j < kMatrixColumns; ++j)
                    for (unsigned row = 0; row < rows; ++row) {
                        std::uint64_t& sum = sum_at(top + row, from + j);
                        if constexpr (kChange == Change::kSumsNarrow)
                            sum = F16::narrow(float_of(sums.at(row, j)));
                        else
                            sum = sums.at(row, j);
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
    in_rounding(of.rounding, [&] {
        for_each_sum(of, c, [&](std::uint64_t& sum, unsigned row, unsigned column) {
            double value = double_of(sum);
            for (unsigned k = 0; k < of.shape.depth; ++k)
                value = Float64Fma<false, false>::apply(double_of(a.at[row][k]), double_of(b.at[column][k]), value);
            sum = bits_of(value);
        });
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

// Types of A and B, C, and of D where it differs.
bool take_product(Binding& binding, std::string_view factor, std::string_view addend, std::string_view sum = {}) {
    Product of;
    of.shape = shape_of(binding);
    of.saturates = binding.has("satfinite");
    of.rounding = rounding_of(binding.form);
    unsigned brought = 0, unused = 0;
    if (!take_matrix(binding, of.shape, Part::kA, factor, 1, brought, of.a) ||
        !take_matrix(binding, of.shape, Part::kB, factor, 2, brought, of.b) ||
        !take_matrix(binding, of.shape, Part::kSum, addend, 3, brought, of.c) ||
        !take_matrix(binding, of.shape, Part::kSum, sum.empty() ? addend : sum, 0, unused, of.d))
        return false;
    binding.op.extra = binding.keep(std::move(of));
    return true;
}

OpFn bind_f16(Binding& binding) {
    const std::vector<std::string_view>& words = binding.form.words();
    const std::string_view sum = words[words.size() - 2], addend = words.back();
    if (!take_product(binding, "f16", addend, sum)) return nullptr;
    if (sum == addend)
        return sum == "f16" ? &multiply_floats<F16Element, OfF16, 16> : &multiply_floats<F16Element, OfF32, 16>;
    return sum == "f16" ? &multiply_floats<F16Element, OfF32, 16, 16, Change::kSumsNarrow>
                        : &multiply_floats<F16Element, OfF32, 16, 16, Change::kAddendsWiden>;
}
OpFn bind_bf16(Binding& binding) {
    return take_product(binding, "bf16", "f32") ? &multiply_floats<Bf16Element, OfF32, 16> : nullptr;
}
OpFn bind_tf32(Binding& binding) {
    return take_product(binding, "tf32", "f32") ? &multiply_floats<Tf32Element, OfF32, 8, 4> : nullptr;
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
#define HALF_SHAPES ".[m16n16k16 m32n8k16 m8n32k16]"
// Operations of a thread.
#define MULTIPLY(text, registers, binder, ptx, sm, counter, each)                                        \
    {                                                                                                    \
        .syntax = "wmma.mma~" text, .operands = "=" registers " " registers " " registers " " registers, \
        .kind = Class::kTensor, .effect = effect::kExchange, .bind = &(binder), .needs = {ptx, sm},      \
        .operations = {{{Counter::counter, each}}}, .control = Control::kConverge,                       \
        .meets = meet_by(Meets::kNoOperand, {1, 2, 3})                                                   \
    }
#define LAYOUTS ".sync.aligned.[row col].[row col]"

constexpr Row kWmmaRows[] = {
    MULTIPLY(LAYOUTS HALF_SHAPES ".[f16 f32].[f16 f32]", "Vb32", bind_f16, 60, 70, kTensorFp16Operations, 256),
    MULTIPLY(LAYOUTS HALF_SHAPES ".f32.bf16.bf16.f32", "Vb32", bind_bf16, 70, 80, kTensorBf16Operations, 256),
    MULTIPLY(LAYOUTS ".m16n16k8.f32.tf32.tf32.f32", "Vb32", bind_tf32, 70, 80, kTensorTf32Operations, 128),
    MULTIPLY(LAYOUTS ".m8n8k4{.[rn rz rm rp]}.f64.f64.f64.f64", "Vf64", bind_f64, 70, 80, kTensorFp64Operations, 16),
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
}  // namespace tilescope::isa::TILESCOPE_TARGET::wmma

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& wmma_family() {
    static constexpr Family kFamily{"wmma", "products of matrices in the hardware's own layouts", wmma::kWmmaRows,
                                    std::size(wmma::kWmmaRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
