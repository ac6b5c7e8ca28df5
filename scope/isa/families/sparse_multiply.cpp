// mma.sp: products of matrices in registers, of whose A half of the elements are kept.
#include <algorithm>
#include <iterator>
#include <string>

#include "scope/isa/families/matrix_registers.h"
#include "scope/isa/families/sparse_places.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET::sparse {
namespace {

constexpr unsigned kRows = kSparseRows;

struct SparseMatrices {
    Matrices matrices;
    Fragment metadata;
    unsigned selector = 0;
    bool saturates = false;
};

// Of an instruction whose A has `kStored` elements in a row, of kBits each.
template <unsigned kBits, unsigned kStored>
void metadata_of(const Warp& warp, const SparseMatrices& of, std::uint64_t (&rows)[kRows]) {
    read_metadata(sparse_layout(kBits), kStored * kBits, words_of<std::uint32_t>(warp, of.metadata, 0), of.selector,
                  rows);
}

template <class Element, class Format, unsigned kStored>
void multiply_floats(Warp& warp, const Op& op) {
    const auto& of = *static_cast<const SparseMatrices*>(op.extra);
    alignas(64) std::uint32_t left[kRows][kStored], right[2 * kStored][kMatrixColumns];
    for_each_of_a<Element::kBits, kRows>(
        warp, of.matrices,
        [&](unsigned row, unsigned column, unsigned i, std::uint32_t bits) { left[row][column + i] = bits; });
    for_each_of_b<Element::kBits>(
        warp, of.matrices,
        [&](unsigned row, unsigned column, unsigned i, std::uint32_t bits) { right[row + i][column] = bits; });
    std::uint64_t metadata[kRows];
    metadata_of<Element::kBits, kStored>(warp, of, metadata);
    Factors<kRows, kStored> a;
    a.template read<Element>(left);
    typename Format::Word sums[kRows][kMatrixColumns];
    read_sums(warp, of.matrices, sums);
    for (unsigned row = 0; row < kRows; ++row) {
        alignas(64) std::uint32_t chosen[kStored][kMatrixColumns];
        choose_elements<Element::kBits>(metadata[row], right, chosen);
        Factors<kStored, kMatrixColumns> b;
        b.template read<Element>(chosen);
        typename Format::Word before[kMatrixColumns];
        std::copy_n(sums[row], kMatrixColumns, before);
        sum_row<Format>(a, row, b, before, sums[row]);
    }
    write_sums(warp, of.matrices, sums);
}

// As of dense bytes two products of f16: of the first two bytes of each word of A, and on top of these of the last two.
template <class Left, class Right>
void multiply_bytes(Warp& warp, const Op& op) {
    constexpr unsigned kStored = 32, kStep = kStored / 2;
    const auto& of = *static_cast<const SparseMatrices*>(op.extra);
    alignas(64) std::uint32_t left[2][kRows][kStep], right[2 * kStored][kMatrixColumns];
    for_each_of_a<8, kRows>(warp, of.matrices, [&](unsigned row, unsigned column, unsigned i, std::uint32_t bits) {
        left[i / 2][row][column / 2 + i % 2] = bits;
    });
    for_each_of_b<8>(warp, of.matrices, [&](unsigned row, unsigned column, unsigned i, std::uint32_t bits) {
        right[row + i][column] = bits;
    });
    std::uint64_t metadata[kRows];
    metadata_of<8, kStored>(warp, of, metadata);
    Factors<kRows, kStep> a[2];
    for (unsigned step = 0; step < 2; ++step) a[step].template read<Left>(left[step]);
    std::uint32_t sums[kRows][kMatrixColumns];
    read_sums(warp, of.matrices, sums);
    for (unsigned row = 0; row < kRows; ++row) {
        alignas(64) std::uint32_t chosen[kStored][kMatrixColumns], in_step[2][kStep][kMatrixColumns];
        choose_elements<8>(metadata[row], right, chosen);
        for (unsigned n = 0; n < kStored; ++n)
            std::copy_n(chosen[n], kMatrixColumns, in_step[n / 2 % 2][n / 4 * 2 + n % 2]);
        std::uint32_t partial[3][kMatrixColumns] = {};
        for (unsigned step = 0; step < 2; ++step) {
            Factors<kStep, kMatrixColumns> b;
            b.template read<Right>(in_step[step]);
            sum_row<OfF32>(a[step], row, b, partial[step], partial[step + 1]);
        }
        for (unsigned j = 0; j < kMatrixColumns; ++j) sums[row][j] = OfF32::added(partial[2][j], sums[row][j]);
    }
    write_sums(warp, of.matrices, sums);
}

template <unsigned kBits, bool kSignedA, bool kSignedB, unsigned kStored>
void multiply_integers(Warp& warp, const Op& op) {
    const auto& of = *static_cast<const SparseMatrices*>(op.extra);
    std::int32_t a[kRows][kStored], b[2 * kStored][kMatrixColumns], sums[kRows][kMatrixColumns];
    for_each_of_a<kBits, kRows>(warp, of.matrices, [&](unsigned row, unsigned column, unsigned i, std::uint32_t bits) {
        a[row][column + i] = integer_of<kBits, kSignedA>(bits);
    });
    for_each_of_b<kBits>(warp, of.matrices, [&](unsigned row, unsigned column, unsigned i, std::uint32_t bits) {
        b[row + i][column] = integer_of<kBits, kSignedB>(bits);
    });
    std::uint64_t metadata[kRows];
    metadata_of<kBits, kStored>(warp, of, metadata);
    read_sums(warp, of.matrices, sums);
    for (unsigned row = 0; row < kRows; ++row) {
        std::int32_t products[kMatrixColumns] = {};
        for (unsigned n = 0; n < kStored; ++n) {
            const std::int32_t* const met = b[place_of_element<kBits>(metadata[row], n)];
            for (unsigned j = 0; j < kMatrixColumns; ++j) products[j] += a[row][n] * met[j];
        }
        for (unsigned j = 0; j < kMatrixColumns; ++j)
            sums[row][j] = added_whole(sums[row][j], products[j], of.saturates);
    }
    write_sums(warp, of.matrices, sums);
}

// ---- binding ------------------------------------------------------------------------------------------------------

// A and B have as many registers: B is twice as deep, and half as wide.
bool take(Binding& binding, unsigned element_bits, bool sums_halves) {
    constexpr std::size_t kMetadata = 4, kSelector = 5;
    const unsigned stored_bits = depth_of(binding) / 2 * element_bits, registers = stored_bits / 64;
    const unsigned of_sums = sums_halves ? 2 : 4;
    SparseMatrices of;
    if (!place_matrices(binding, of.matrices, registers, registers, of_sums, of_sums)) return false;
    unsigned brought = of.matrices.c.first_brought + of.matrices.c.count;
    of.metadata = fragment_of(binding.operands[kMetadata], brought);
    of.saturates = binding.has("satfinite");
    const BoundOperand& selector = binding.operands[kSelector];
    const unsigned selectors = metadata_selectors(sparse_layout(element_bits), stored_bits);
    if (!selector.is_immediate || selector.value < 0 || selector.value >= std::int64_t{selectors}) {
        binding.fail("a selector of sparse metadata that is no number below " + std::to_string(selectors));
        return false;
    }
    of.selector = static_cast<unsigned>(selector.value);
    binding.op.extra = binding.keep(of);
    return true;
}

template <class Element, class Format>
OpFn pick_depth(const Binding& binding) {
    constexpr unsigned kFew = 128 / Element::kBits;
    return depth_of(binding) == 2 * kFew ? &multiply_floats<Element, Format, kFew>
                                         : &multiply_floats<Element, Format, 2 * kFew>;
}

OpFn bind_floats(Binding& binding) {
    const std::string_view type = type_word(binding, 1);
    const bool sums_halves = type_word(binding, 0) == "f16";
    if (!take(binding, type == "tf32" ? 32 : 16, sums_halves)) return nullptr;
    if (type == "tf32") return pick_depth<Tf32Element, OfF32>(binding);
    if (type == "bf16") return pick_depth<Bf16Element, OfF32>(binding);
    return sums_halves ? pick_depth<F16Element, OfF16>(binding) : pick_depth<F16Element, OfF32>(binding);
}

OpFn bind_bytes(Binding& binding) {
    if (!take(binding, 8, false)) return nullptr;
    const bool a = type_word(binding, 1) == "e4m3", b = type_word(binding, 2) == "e4m3";
    if (a) return b ? &multiply_bytes<E4m3Element, E4m3Element> : &multiply_bytes<E4m3Element, E5m2Element>;
    return b ? &multiply_bytes<E5m2Element, E4m3Element> : &multiply_bytes<E5m2Element, E5m2Element>;
}

template <unsigned kBits, unsigned kStored>
OpFn pick_signs(bool a, bool b) {
    if (a) return b ? &multiply_integers<kBits, true, true, kStored> : &multiply_integers<kBits, true, false, kStored>;
    return b ? &multiply_integers<kBits, false, true, kStored> : &multiply_integers<kBits, false, false, kStored>;
}

OpFn bind_integers(Binding& binding) {
    const std::string_view left = type_word(binding, 1), right = type_word(binding, 2);
    const bool a = left.starts_with('s'), b = right.starts_with('s'), is_deep = depth_of(binding) >= 64;
    if (left.ends_with('4')) {
        if (!take(binding, 4, false)) return nullptr;
        return depth_of(binding) == 64 ? pick_signs<4, 32>(a, b) : pick_signs<4, 64>(a, b);
    }
    if (!take(binding, 8, false)) return nullptr;
    return is_deep ? pick_signs<8, 32>(a, b) : pick_signs<8, 16>(a, b);
}

// Multiplications and additions of a thread, as the profiler counts them: of the whole depth, zeros included.
#define EACH(counter, depth) .operations = {{{Counter::counter, 16 * 8 * (depth)*2 / 32}}}
#define ROW(text, binder, ptx, sm, counter, depth)                                                                \
    {                                                                                                             \
        .syntax = "mma.[sp sp::ordered_metadata].sync.aligned." text, .operands = "=Vb32 Vb32 Vb32 Vb32 b32 s32", \
        .kind = Class::kTensor, .effect = effect::kExchange, .bind = &(binder), .needs = {ptx, sm},               \
        EACH(counter, depth), .control = Control::kConverge, .meets = meet_by(Meets::kNoOperand, {1, 2, 3, 4})    \
    }

constexpr Row kSparseMultiplyRows[] = {
    ROW("m16n8k16.row.col.f32.f16.f16.f32", bind_floats, 71, 80, kTensorFp16Operations, 16),
    ROW("m16n8k16.row.col.f16.f16.f16.f16", bind_floats, 71, 80, kTensorFp16Operations, 16),
    ROW("m16n8k32.row.col.f32.f16.f16.f32", bind_floats, 71, 80, kTensorFp16Operations, 32),
    ROW("m16n8k32.row.col.f16.f16.f16.f16", bind_floats, 71, 80, kTensorFp16Operations, 32),
    ROW("m16n8k16.row.col.f32.bf16.bf16.f32", bind_floats, 71, 80, kTensorBf16Operations, 16),
    ROW("m16n8k32.row.col.f32.bf16.bf16.f32", bind_floats, 71, 80, kTensorBf16Operations, 32),
    ROW("m16n8k8.row.col.f32.tf32.tf32.f32", bind_floats, 71, 80, kTensorTf32Operations, 8),
    ROW("m16n8k16.row.col.f32.tf32.tf32.f32", bind_floats, 71, 80, kTensorTf32Operations, 16),
    ROW("m16n8k64.row.col.f32.[e4m3 e5m2].[e4m3 e5m2].f32", bind_bytes, 84, 89, kTensorFp16Operations, 64),
    ROW("m16n8k32.row.col{.satfinite}.s32.[u8 s8].[u8 s8].s32", bind_integers, 71, 80, kTensorInt8Operations, 32),
    ROW("m16n8k64.row.col{.satfinite}.s32.[u8 s8].[u8 s8].s32", bind_integers, 71, 80, kTensorInt8Operations, 64),
    ROW("m16n8k64.row.col{.satfinite}.s32.[u4 s4].[u4 s4].s32", bind_integers, 71, 80, kTensorInt8Operations, 64),
    ROW("m16n8k128.row.col{.satfinite}.s32.[u4 s4].[u4 s4].s32", bind_integers, 71, 80, kTensorInt8Operations, 128),
};

}  // namespace
}  // namespace tilescope::isa::TILESCOPE_TARGET::sparse

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& sparse_multiply_family() {
    static constexpr Family kFamily{"sparse_multiply", "products of matrices in registers, one of them sparse",
                                    sparse::kSparseMultiplyRows, std::size(sparse::kSparseMultiplyRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
