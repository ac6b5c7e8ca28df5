// mma.sync m8n8k4 of f16: four products, each of eight lanes, as Volta's tensor cores made them.
//
// Guarantees: bit for bit what an H200 gives (27 November 2026, bench/hardware/tensor_rare.cu), whose assembler makes
// ordinary multiply-adds of it, in f32: from +0 on, one product after the other, and the addend by an addition. Where D
// is f16 the first two and the last two products are summed by themselves; the addend meets the former first. Volta's
// own unit summed otherwise.
#include <iterator>
#include <string_view>
#include <vector>

#include "scope/isa/families/float_lanes.h"
#include "scope/isa/families/matrix_registers.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET::quads {
namespace {

constexpr unsigned kProducts = 4, kLanes = 8, kSize = 8, kDepth = 4, kQuad = 4;

struct QuadMatrices {
    Matrices matrices;
    bool a_by_rows = true, b_by_rows = false, adds_halves = false, gives_halves = false;
};

// A product's lanes are a quad of the lower half of the warp and the same of the upper; the latter have the later rows
// of A and columns of B.
constexpr unsigned lane_of(unsigned product, unsigned nth) { return product * kQuad + nth % kQuad + nth / kQuad * 16; }

struct Place {
    unsigned row, column;
};
// The i-th of a lane's eight elements of C or D: as f16 they are a row, as f32 they lie in both of two rows.
constexpr Place place_of_sum(unsigned nth, unsigned i, bool halves) {
    const unsigned first = nth / kQuad * kQuad, in_quad = nth % kQuad;
    if (halves) return {first + in_quad, i};
    return {first + (in_quad & 1u) + (i & 2u), (i & 4u) + (in_quad & 2u) + (i & 1u)};
}

void multiply_quads(Warp& warp, const Op& op) {
    const auto& of = *static_cast<const QuadMatrices*>(op.extra);
    const Matrices& in = of.matrices;
    const auto half = [&](const Fragment& fragment, unsigned i, unsigned lane) {
        const std::uint32_t word = words_of<std::uint32_t>(warp, fragment, i / 2)[lane];
        return F16::widen(static_cast<std::uint16_t>(word >> (16 * (i % 2))));
    };
    float sums[kProducts][kSize][kSize];
    for (unsigned product = 0; product < kProducts; ++product) {
        float a[kSize][kDepth], b[kDepth][kSize], c[kSize][kSize];
        for (unsigned nth = 0; nth < kLanes; ++nth) {
            const unsigned lane = lane_of(product, nth), first = nth / kQuad * kQuad, in_quad = nth % kQuad;
            for (unsigned i = 0; i < kDepth; ++i) {
                (of.a_by_rows ? a[nth][i] : a[first + i][in_quad]) = half(in.a, i, lane);
                (of.b_by_rows ? b[in_quad][first + i] : b[i][nth]) = half(in.b, i, lane);
            }
            for (unsigned i = 0; i < kSize; ++i) {
                const Place place = place_of_sum(nth, i, of.adds_halves);
                c[place.row][place.column] =
                    of.adds_halves ? half(in.c, i, lane) : float_of(words_of<std::uint32_t>(warp, in.c, i)[lane]);
            }
        }
        for (unsigned row = 0; row < kSize; ++row)
            for (unsigned column = 0; column < kSize; ++column) {
                const auto product_of = [&](unsigned k, float onto) { return fused(a[row][k], b[k][column], onto); };
                const float addend = c[row][column];
                if (of.gives_halves) {
                    // Onto -0: a product by itself.
                    const float first = product_of(1, product_of(0, -0.0f)), last = product_of(3, product_of(2, -0.0f));
                    sums[product][row][column] = addend + first + last;
                } else {
                    float sum = 0;
                    for (unsigned k = 0; k < kDepth; ++k) sum = product_of(k, sum);
                    sums[product][row][column] = sum + addend;
                }
            }
    }
    const auto sum_of = [&](unsigned lane, unsigned i) {
        const unsigned product = lane % 16 / kQuad, nth = lane % kQuad + lane / 16 * kQuad;
        const Place place = place_of_sum(nth, i, of.gives_halves);
        return sums[product][place.row][place.column];
    };
    for (unsigned word = 0; word < in.results; ++word)
        write_lanes(warp.exec, warp.target<std::uint32_t>(in.d[word]), [&](unsigned lane) {
            if (of.gives_halves)
                return static_cast<std::uint32_t>(F16::narrow(sum_of(lane, 2 * word))) |
                       static_cast<std::uint32_t>(F16::narrow(sum_of(lane, 2 * word + 1))) << 16;
            const float sum = sum_of(lane, word);
            return sum != sum ? OfF32::kNan : bits_of(sum);
        });
}

OpFn bind_quads(Binding& binding) {
    constexpr unsigned kFactor = 2, kOfHalves = 4, kOfSingles = 8;
    QuadMatrices of;
    of.adds_halves = type_word(binding, 3) == "f16";
    of.gives_halves = type_word(binding, 0) == "f16";
    const std::vector<std::string_view>& words = binding.form.words();
    constexpr std::size_t kLayoutOfA = 3, kLayoutOfB = 4;  // behind sync, aligned and the shape
    of.a_by_rows = words[kLayoutOfA] == "row";
    of.b_by_rows = words[kLayoutOfB] == "row";
    if (!place_matrices(binding, of.matrices, kFactor, kFactor, of.adds_halves ? kOfHalves : kOfSingles,
                        of.gives_halves ? kOfHalves : kOfSingles))
        return nullptr;
    binding.op.extra = binding.keep(of);
    return &multiply_quads;
}

#define QUADS(types)                                                                                            \
    {                                                                                                           \
        .syntax = "mma.sync.aligned.m8n8k4.[row col].[row col]." types, .operands = "=Vb32 Vb32 Vb32 Vb32",     \
        .kind = Class::kTensor, .effect = effect::kExchange, .bind = &bind_quads, .needs = {64, 70},            \
        .operations = {{{Counter::kTensorFp16Operations, kProducts * kSize * kSize * kDepth * 2 / kWarpSize}}}, \
        .control = Control::kConverge, .meets = meet_by(Meets::kNoOperand, {1, 2, 3})                           \
    }

constexpr Row kQuadMultiplyRows[] = {
    QUADS("f32.f16.f16.f32"),
    QUADS("f16.f16.f16.f16"),
    QUADS("f32.f16.f16.f16"),
};

}  // namespace
}  // namespace tilescope::isa::TILESCOPE_TARGET::quads

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& quad_multiply_family() {
    static constexpr Family kFamily{"quad_multiply", "products of matrices that eight lanes hold",
                                    quads::kQuadMultiplyRows, std::size(quads::kQuadMultiplyRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
