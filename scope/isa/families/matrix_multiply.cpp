// mma.sync: products of small matrices that a warp holds in its registers.
#include <bit>
#include <iterator>
#include <type_traits>

#include "scope/isa/families/fused_doubles.h"
#include "scope/isa/families/lane_functions.h"
#include "scope/isa/families/matrix_quick.h"
#include "scope/isa/families/matrix_registers.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

// ---- floating point ---------------------------------------------------------------------------------------------

template <class Element, class Format, unsigned kDepth>
void multiply_floats(Warp& warp, const Op& op) {
    const auto& of = *static_cast<const Matrices*>(op.extra);
    QuickWords<Element, kDepth> words;
    QuickSums<typename Format::Word> c, d;
    read_factors(warp, of, words);
    read_addends(warp, of, c);
    QuickProduct(words).template sum<Format>(c, d);
    write_results(warp, of, d);
}

// ptxas makes two products of f16 of one of bytes: of the first two bytes of each word, and on top of these of the last
// two. The addend comes last, by an addition of its own.
template <class Left, class Right, class Format, unsigned kDepth>
void multiply_bytes(Warp& warp, const Op& op) {
    constexpr unsigned kHalfShift = 16;
    const auto& of = *static_cast<const Matrices*>(op.extra);
    QuickWords<Left, kDepth> bytes;
    read_factors(warp, of, bytes);
    QuickSums<typename Format::Word> sums[3] = {}, c;
    for (unsigned step = 0; step < 2; ++step) {
        QuickWords<F16Element, kDepth / 2> words;
        const auto widen = [&]<class Element>(const std::uint32_t* from, std::uint32_t* to, std::size_t size, Element) {
            for (std::size_t i = 0; i < size / sizeof *from; ++i) {
                const std::uint32_t pair = from[i] >> (kHalfShift * step);
                to[i] = Element::pattern(pair) | Element::pattern(pair >> 8) << 16;
            }
        };
        using OfLanes = std::conditional_t<kRowsAreLanes, Left, Right>;
        using OfOthers = std::conditional_t<kRowsAreLanes, Right, Left>;
        widen(&bytes.lanes[0][0][0], &words.lanes[0][0][0], sizeof words.lanes, OfLanes{});
        widen(&bytes.others[0][0], &words.others[0][0], sizeof words.others, OfOthers{});
        QuickProduct(words).template sum<Format>(sums[step], sums[step + 1]);
    }
    read_addends(warp, of, c);
    for (unsigned row = 0; row < kQuickRows; ++row)
        for (unsigned j = 0; j < kMatrixColumns; ++j) c.at(row, j) = Format::added(sums[2].at(row, j), c.at(row, j));
    write_results(warp, of, c);
}

// Fused multiply-adds, one after the other.
void multiply_doubles(Warp& warp, const Op& op) {
    const auto& of = *static_cast<const Matrices*>(op.extra);
    const unsigned tiles = of.c.count / 2, depth = of.b.count * kTileWords;
    double a[16][16], b[16][kMatrixColumns], sums[16][kMatrixColumns];
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const unsigned row = row_in_tile(lane), t = word_in_row(lane);
        for (unsigned word = 0; word < of.a.count; ++word)
            a[row + word % tiles * kTileRows][t + word / tiles * kTileWords] = words_of<double>(warp, of.a, word)[lane];
        for (unsigned word = 0; word < of.b.count; ++word)
            b[t + word * kTileWords][row] = words_of<double>(warp, of.b, word)[lane];
        for (unsigned word = 0; word < of.c.count; ++word)
            sums[row + word / 2 * kTileRows][2 * t + word % 2] = words_of<double>(warp, of.c, word)[lane];
    }
    const auto add_products = [&] {
        for (unsigned row = 0; row < tiles * kTileRows; ++row)
            for (unsigned k = 0; k < depth; ++k)
                for (unsigned j = 0; j < kMatrixColumns; ++j)
                    sums[row][j] = Float64Fma<false, false>::apply(a[row][k], b[k][j], sums[row][j]);
    };
    in_rounding(of.rounding, add_products);
    for (unsigned word = 0; word < of.results; ++word)
        write_lanes(warp.exec, warp.target<std::uint64_t>(of.d[word]), [&](unsigned lane) {
            return bits_of(sums[row_in_tile(lane) + word / 2 * kTileRows][2 * word_in_row(lane) + word % 2]);
        });
}

// ---- integers -----------------------------------------------------------------------------------------------------

template <unsigned kBits, bool kSignedA, bool kSignedB, unsigned kRows>
void multiply_integers(Warp& warp, const Op& op) {
    constexpr unsigned kMostDepth = 8 * 32 / kBits;
    const auto& of = *static_cast<const Matrices*>(op.extra);
    const unsigned depth = of.b.count * kTileWords * (32 / kBits);
    std::int32_t a[kRows][kMostDepth], b[kMostDepth][kMatrixColumns], c[kRows][kMatrixColumns];
    for_each_of_a<kBits, kRows>(warp, of, [&](unsigned row, unsigned column, unsigned i, std::uint32_t bits) {
        a[row][column + i] = integer_of<kBits, kSignedA>(bits);
    });
    for_each_of_b<kBits>(warp, of, [&](unsigned row, unsigned column, unsigned i, std::uint32_t bits) {
        b[row + i][column] = integer_of<kBits, kSignedB>(bits);
    });
    read_sums(warp, of, c);
    const bool saturates = op.flags != 0;
    for (unsigned row = 0; row < kRows; ++row) {
        std::int32_t sums[kMatrixColumns] = {};
        for (unsigned k = 0; k < depth; ++k)
            for (unsigned j = 0; j < kMatrixColumns; ++j) sums[j] += a[row][k] * b[k][j];
        for (unsigned j = 0; j < kMatrixColumns; ++j) c[row][j] = added_whole(c[row][j], sums[j], saturates);
    }
    write_sums(warp, of, c);
}

template <bool kXor, unsigned kRows>
void multiply_bits(Warp& warp, const Op& op) {
    const auto& of = *static_cast<const Matrices*>(op.extra);
    const unsigned words = of.b.count * kTileWords;
    std::uint32_t a[kRows][8], b[8][kMatrixColumns], c[kRows][kMatrixColumns];
    for_each_of_a<32, kRows>(
        warp, of, [&](unsigned row, unsigned column, unsigned, std::uint32_t bits) { a[row][column] = bits; });
    for_each_of_b<32>(warp, of,
                      [&](unsigned row, unsigned column, unsigned, std::uint32_t bits) { b[row][column] = bits; });
    read_sums(warp, of, c);
    for (unsigned row = 0; row < kRows; ++row)
        for (unsigned k = 0; k < words; ++k)
            for (unsigned j = 0; j < kMatrixColumns; ++j)
                c[row][j] +=
                    static_cast<std::uint32_t>(std::popcount(kXor ? a[row][k] ^ b[k][j] : a[row][k] & b[k][j]));
    write_sums(warp, of, c);
}

// ---- binding ------------------------------------------------------------------------------------------------------

unsigned rows_of(const Binding& binding) {
    return binding.form.one_of({"m8n8k16", "m8n8k32", "m8n8k128", "m8n8k4"}) != "" ? 8 : 16;
}

template <class Format>
OpFn pick_floats(std::string_view type, unsigned depth) {
    if (type == "f16")
        return depth == 8 ? &multiply_floats<F16Element, Format, 8> : &multiply_floats<F16Element, Format, 16>;
    if (type == "bf16")
        return depth == 8 ? &multiply_floats<Bf16Element, Format, 8> : &multiply_floats<Bf16Element, Format, 16>;
    return depth == 4 ? &multiply_floats<Tf32Element, Format, 4> : &multiply_floats<Tf32Element, Format, 8>;
}

OpFn bind_floats(Binding& binding) {
    const unsigned depth = depth_of(binding);
    const std::string_view type = type_word(binding, 1);
    const bool sums_halves = type_word(binding, 0) == "f16";
    const unsigned tiles = type == "tf32" ? depth / 4 : depth / 8;  // of A along its depth
    if (!take_matrices(binding, 2 * tiles, tiles, sums_halves ? 2 : 4)) return nullptr;
    return sums_halves ? pick_floats<OfF16>(type, depth) : pick_floats<OfF32>(type, depth);
}

template <class Format, unsigned kDepth>
OpFn pick_bytes(bool a_is_e4m3, bool b_is_e4m3) {
    if (a_is_e4m3)
        return b_is_e4m3 ? &multiply_bytes<E4m3Element, E4m3Element, Format, kDepth>
                         : &multiply_bytes<E4m3Element, E5m2Element, Format, kDepth>;
    return b_is_e4m3 ? &multiply_bytes<E5m2Element, E4m3Element, Format, kDepth>
                     : &multiply_bytes<E5m2Element, E5m2Element, Format, kDepth>;
}

OpFn bind_bytes(Binding& binding) {
    const bool is_deep = depth_of(binding) == 32, sums_halves = type_word(binding, 0) == "f16";
    if (!take_matrices(binding, is_deep ? 4 : 2, is_deep ? 2 : 1, sums_halves ? 2 : 4)) return nullptr;
    const bool a = type_word(binding, 1) == "e4m3", b = type_word(binding, 2) == "e4m3";
    if (sums_halves) return is_deep ? pick_bytes<OfF16, 32>(a, b) : pick_bytes<OfF16, 16>(a, b);
    return is_deep ? pick_bytes<OfF32, 32>(a, b) : pick_bytes<OfF32, 16>(a, b);
}

OpFn bind_doubles(Binding& binding) {
    const unsigned tiles = rows_of(binding) / kTileRows, deep = depth_of(binding) / kTileWords;
    Matrices of;
    if (!place_matrices(binding, of, tiles * deep, deep, 2 * tiles, 2 * tiles)) return nullptr;
    of.rounding = rounding_of(binding.form);
    binding.op.extra = binding.keep(of);
    return &multiply_doubles;
}

template <unsigned kBits, unsigned kRows>
OpFn pick_integers(bool signed_a, bool signed_b) {
    if (signed_a)
        return signed_b ? &multiply_integers<kBits, true, true, kRows> : &multiply_integers<kBits, true, false, kRows>;
    return signed_b ? &multiply_integers<kBits, false, true, kRows> : &multiply_integers<kBits, false, false, kRows>;
}

OpFn bind_integers(Binding& binding) {
    const std::string_view a = type_word(binding, 1), b = type_word(binding, 2);
    const unsigned bits = a.ends_with('4') ? 4 : 8, tiles = rows_of(binding) / kTileRows;
    const unsigned deep = depth_of(binding) * bits / 32 / kTileWords;
    if (!take_matrices(binding, tiles * deep, deep, 2 * tiles)) return nullptr;
    binding.op.flags = binding.has("satfinite") ? 1 : 0;
    const bool signed_a = a.starts_with('s'), signed_b = b.starts_with('s');
    if (bits == 4)
        return tiles == 1 ? pick_integers<4, 8>(signed_a, signed_b) : pick_integers<4, 16>(signed_a, signed_b);
    return tiles == 1 ? pick_integers<8, 8>(signed_a, signed_b) : pick_integers<8, 16>(signed_a, signed_b);
}

OpFn bind_bits(Binding& binding) {
    const unsigned tiles = rows_of(binding) / kTileRows, deep = depth_of(binding) / 32 / kTileWords;
    if (!take_matrices(binding, tiles * deep, deep, 2 * tiles)) return nullptr;
    if (binding.has("xor")) return tiles == 1 ? &multiply_bits<true, 8> : &multiply_bits<true, 16>;
    return tiles == 1 ? &multiply_bits<false, 8> : &multiply_bits<false, 16>;
}

// Multiplications and additions of a thread, of rows x 8 x depth by a warp. Bytes are multiplied as f16, halves of
// bytes as bytes: so the profiler counts them.
#define EACH(counter, rows, depth) .operations = {{{Counter::counter, (rows)*8 * (depth)*2 / 32}}}
#define MATRICES .kind = Class::kTensor, .effect = effect::kExchange
#define TOGETHER .control = Control::kConverge, .meets = meet_by(Meets::kNoOperand, {1, 2, 3})
#define ROW(text, binder, ptx, sm, counter, rows, depth)                                                     \
    {                                                                                                        \
        .syntax = "mma.sync.aligned." text, .operands = "=Vb32 Vb32 Vb32 Vb32", MATRICES, .bind = &(binder), \
        .needs = {ptx, sm}, EACH(counter, rows, depth), TOGETHER                                             \
    }
#define ROW64(text, ptx, sm, rows, depth)                                                                        \
    {                                                                                                            \
        .syntax = "mma.sync.aligned." text, .operands = "=Vf64 Vf64 Vf64 Vf64", MATRICES, .bind = &bind_doubles, \
        .needs = {ptx, sm}, EACH(kTensorFp64Operations, rows, depth), TOGETHER                                   \
    }

constexpr Row kMatrixMultiplyRows[] = {
    ROW("m16n8k8.row.col.f32.f16.f16.f32", bind_floats, 65, 75, kTensorFp16Operations, 16, 8),
    ROW("m16n8k8.row.col.f16.f16.f16.f16", bind_floats, 65, 75, kTensorFp16Operations, 16, 8),
    ROW("m16n8k16.row.col.f32.f16.f16.f32", bind_floats, 70, 80, kTensorFp16Operations, 16, 16),
    ROW("m16n8k16.row.col.f16.f16.f16.f16", bind_floats, 70, 80, kTensorFp16Operations, 16, 16),
    ROW("m16n8k8.row.col.f32.bf16.bf16.f32", bind_floats, 70, 80, kTensorBf16Operations, 16, 8),
    ROW("m16n8k16.row.col.f32.bf16.bf16.f32", bind_floats, 70, 80, kTensorBf16Operations, 16, 16),
    ROW("m16n8k4.row.col.f32.tf32.tf32.f32", bind_floats, 70, 80, kTensorTf32Operations, 16, 4),
    ROW("m16n8k8.row.col.f32.tf32.tf32.f32", bind_floats, 70, 80, kTensorTf32Operations, 16, 8),
    ROW("m16n8k32.row.col.f32.[e4m3 e5m2].[e4m3 e5m2].f32", bind_bytes, 84, 89, kTensorFp16Operations, 16, 32),
    ROW("m16n8k32.row.col.f16.[e4m3 e5m2].[e4m3 e5m2].f16", bind_bytes, 87, 89, kTensorFp16Operations, 16, 32),
    ROW("m16n8k16.row.col.f32.[e4m3 e5m2].[e4m3 e5m2].f32", bind_bytes, 87, 89, kTensorFp16Operations, 16, 16),
    ROW("m16n8k16.row.col.f16.[e4m3 e5m2].[e4m3 e5m2].f16", bind_bytes, 87, 89, kTensorFp16Operations, 16, 16),
    ROW("m8n8k16.row.col{.satfinite}.s32.[u8 s8].[u8 s8].s32", bind_integers, 65, 75, kTensorInt8Operations, 8, 16),
    ROW("m16n8k16.row.col{.satfinite}.s32.[u8 s8].[u8 s8].s32", bind_integers, 70, 80, kTensorInt8Operations, 16, 16),
    ROW("m16n8k32.row.col{.satfinite}.s32.[u8 s8].[u8 s8].s32", bind_integers, 70, 80, kTensorInt8Operations, 16, 32),
    ROW("m8n8k32.row.col{.satfinite}.s32.[u4 s4].[u4 s4].s32", bind_integers, 65, 75, kTensorInt8Operations, 8, 32),
    ROW("m16n8k32.row.col{.satfinite}.s32.[u4 s4].[u4 s4].s32", bind_integers, 70, 80, kTensorInt8Operations, 16, 32),
    ROW("m16n8k64.row.col{.satfinite}.s32.[u4 s4].[u4 s4].s32", bind_integers, 70, 80, kTensorInt8Operations, 16, 64),
    ROW("m8n8k128.row.col.s32.b1.b1.s32.xor.popc", bind_bits, 70, 75, kTensorInt1Operations, 8, 256),
    ROW("m8n8k128.row.col.s32.b1.b1.s32.and.popc", bind_bits, 71, 80, kTensorInt1Operations, 8, 128),
    ROW("m16n8k128.row.col.s32.b1.b1.s32.xor.popc", bind_bits, 70, 80, kTensorInt1Operations, 16, 256),
    ROW("m16n8k128.row.col.s32.b1.b1.s32.and.popc", bind_bits, 71, 80, kTensorInt1Operations, 16, 128),
    ROW("m16n8k256.row.col.s32.b1.b1.s32.xor.popc", bind_bits, 70, 80, kTensorInt1Operations, 16, 512),
    ROW("m16n8k256.row.col.s32.b1.b1.s32.and.popc", bind_bits, 71, 80, kTensorInt1Operations, 16, 256),
    ROW64("m8n8k4.row.col{.[rn rz rm rp]}.f64.f64.f64.f64", 70, 80, 8, 4),
    ROW64("m16n8k4.row.col{.[rn rz rm rp]}.f64.f64.f64.f64", 78, 90, 16, 4),
    ROW64("m16n8k8.row.col{.[rn rz rm rp]}.f64.f64.f64.f64", 78, 90, 16, 8),
    ROW64("m16n8k16.row.col{.[rn rz rm rp]}.f64.f64.f64.f64", 78, 90, 16, 16),
};

}  // namespace

const Family& matrix_multiply_family() {
    static constexpr Family kFamily{"matrix_multiply", "products of matrices in registers", kMatrixMultiplyRows,
                                    std::size(kMatrixMultiplyRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
