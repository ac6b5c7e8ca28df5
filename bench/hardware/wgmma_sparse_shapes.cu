// wgmma of sparse matrices, of every width: what each of its sums' registers gets. Values are wgmma_sparse_values.cu's
// affair.
//
// usage: wgmma_sparse_shapes      a line for each type and number of columns: name, columns, digest
#include "wgmma_shapes.h"

namespace {

#define RUN(n, words, text, tail) WGMMA_RUN(n, words, ".sp.sync", text, "%0, %1, %3, 0", tail)
#define RUN_FEW(n, names) WGMMA_RUN_FEW(n, ".sp.sync", "k32.f16.f16.f16", names, "%0, %1, %3, 0", ", 1, 1, 0, 0")
#define FORM(name, factor, sum, columns, run) WGMMA_FORM(name, factor, sum, columns, true, run)
#define SINGLES(n, words)                                                              \
    FORM(f16_f32, kF16, kF32, n, RUN(n, words, "k32.f32.f16.f16", ", 1, 1, 0, 0"))     \
    FORM(bf16_f32, kBf16, kF32, n, RUN(n, words, "k32.f32.bf16.bf16", ", 1, 1, 0, 0")) \
    FORM(tf32_f32, kTf32, kF32, n, RUN(n, words, "k16.f32.tf32.tf32", ", 1, 1"))       \
    FORM(e4m3_f32, kE4m3, kF32, n, RUN(n, words, "k64.f32.e4m3.e4m3", ", 1, 1"))
#define HALVES(n, words) FORM(f16_f16, kF16, kF16, n, RUN(n, words, "k32.f16.f16.f16", ", 1, 1, 0, 0"))
#define WHOLE(n, words) FORM(s8_s32, kS8, kS32, n, RUN(n, words, "k64.s32.s8.s8", ""))
EACH_SINGLE(SINGLES)
EACH_HALF(HALVES)
EACH_WHOLE(WHOLE)
FORM(f16_f16, kF16, kF16, 8, RUN_FEW(8, "d0,d1"))
FORM(f16_f16, kF16, kF16, 24, RUN_FEW(24, "d0,d1,d2,d3,d4,d5"))

}  // namespace

int main() {
    Word* const out = room_for_sums();
    MEASURE_FLOATS
#define MEASURE_WHOLE(n, words) measure<s8_s32_##n>(out);
    EACH_WHOLE(MEASURE_WHOLE)
    return 0;
}
