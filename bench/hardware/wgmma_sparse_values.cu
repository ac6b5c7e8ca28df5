// What wgmma gives of sparse matrices, form by form: a group of four warps for each case, whose matrices and metadata
// tensor_elements.h makes.
//
// usage: wgmma_sparse_values CASES [--form NAME] [--dump FOLDER]
//
// A line for each form, kind of numbers and kind of metadata: their names, cases, digest of D's words by case and row.
// All forms have eight columns: wgmma_sparse_shapes.cu has the others.
#include "wgmma_values.h"

namespace {

#define RUN_2(text, selector, tail)                                                                                \
    asm volatile(WGMMA_BEGIN("%5") "wgmma.mma_async.sp.sync.aligned.m64n8" text " {%0,%1}, %2, %3, %4, " #selector \
                                   ", keep" tail WGMMA_END                                                         \
                 : "+r"(d[0]), "+r"(d[1])                                                                          \
                 : "l"(at_a), "l"(at_b), "r"(e), "r"(kKeeps ? 1 : 0)                                               \
                 : "memory")
#define RUN_4(text, selector, tail)                                                                 \
    asm volatile(WGMMA_BEGIN("%7") "wgmma.mma_async.sp.sync.aligned.m64n8" text                     \
                                   " {%0,%1,%2,%3}, %4, %5, %6, " #selector ", keep" tail WGMMA_END \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                   \
                 : "l"(at_a), "l"(at_b), "r"(e), "r"(kKeeps ? 1 : 0)                                \
                 : "memory")
#define RUN_R(text, selector, tail)                                                                             \
    asm volatile(WGMMA_BEGIN("%10") "wgmma.mma_async.sp.sync.aligned.m64n8" text                                \
                                    " {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, %9, " #selector ", keep" tail WGMMA_END \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                               \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(at_b), "r"(e), "r"(kKeeps ? 1 : 0)           \
                 : "memory")

#define FORM_OF(name, ta, tb, tc, words, run) WGMMA_VALUES_FORM(name, ta, tb, tc, words, true, true, run)
#define FORM4(name, ta, tb, tc, text, selector, tail) FORM_OF(name, ta, tb, tc, 4, RUN_4(text, selector, tail))
#define FORM2(name, ta, tb, text, selector, tail) FORM_OF(name, ta, tb, kF16, 2, RUN_2(text, selector, tail))
#define FORM_R(name, ta, tb, tc, text, selector, tail) FORM_OF(name, ta, tb, tc, 4, RUN_R(text, selector, tail))

// clang-format off
#define EACH_FORM(X4, X2, XR) \
    X4(f16_f32, kF16, kF16, kF32, "k32.f32.f16.f16", 0, ", 1, 1, 0, 0") \
    X4(f16_f32_1, kF16, kF16, kF32, "k32.f32.f16.f16", 1, ", 1, 1, 0, 0") \
    X2(f16_f16, kF16, kF16, "k32.f16.f16.f16", 0, ", 1, 1, 0, 0") \
    X4(bf16_f32, kBf16, kBf16, kF32, "k32.f32.bf16.bf16", 1, ", 1, 1, 0, 0") \
    X4(tf32_f32, kTf32, kTf32, kF32, "k16.f32.tf32.tf32", 0, ", 1, 1") \
    X4(tf32_f32_1, kTf32, kTf32, kF32, "k16.f32.tf32.tf32", 1, ", 1, 1") \
    X4(e4m3_f32, kE4m3, kE4m3, kF32, "k64.f32.e4m3.e4m3", 0, ", 1, 1") \
    X4(e5m2_f32, kE5m2, kE5m2, kF32, "k64.f32.e5m2.e5m2", 0, ", 1, 1") \
    X4(e4m3_e5m2_f32, kE4m3, kE5m2, kF32, "k64.f32.e4m3.e5m2", 0, ", 1, 1") \
    X4(e5m2_e4m3_f32, kE5m2, kE4m3, kF32, "k64.f32.e5m2.e4m3", 0, ", 1, 1") \
    X2(e4m3_f16, kE4m3, kE4m3, "k64.f16.e4m3.e4m3", 0, ", 1, 1") \
    X2(e5m2_f16, kE5m2, kE5m2, "k64.f16.e5m2.e5m2", 0, ", 1, 1") \
    X4(s8_s32, kS8, kS8, kS32, "k64.s32.s8.s8", 0, "") \
    X4(u8_s32, kU8, kU8, kS32, "k64.s32.u8.u8", 0, "") \
    X4(s8_u8_sat, kS8, kU8, kS32, "k64.s32.s8.u8.satfinite", 0, "") \
    X4(u8_s8_sat, kU8, kS8, kS32, "k64.s32.u8.s8.satfinite", 0, "") \
    X4(f16_minus_a, kF16, kF16, kF32, "k32.f32.f16.f16", 0, ", -1, 1, 0, 0") \
    X4(tf32_minus_both, kTf32, kTf32, kF32, "k16.f32.tf32.tf32", 0, ", -1, -1") \
    X2(e4m3_minus_b, kE4m3, kE4m3, "k64.f16.e4m3.e4m3", 0, ", 1, -1") \
    XR(f16_registers, kF16, kF16, kF32, "k32.f32.f16.f16", 0, ", 1, 1, 0") \
    XR(bf16_registers_1, kBf16, kBf16, kF32, "k32.f32.bf16.bf16", 1, ", 1, 1, 0") \
    XR(tf32_registers, kTf32, kTf32, kF32, "k16.f32.tf32.tf32", 0, ", 1, 1") \
    XR(e5m2_registers, kE5m2, kE4m3, kF32, "k64.f32.e5m2.e4m3", 0, ", 1, 1") \
    XR(s8_registers, kS8, kS8, kS32, "k64.s32.s8.s8", 0, "")
// clang-format on
EACH_FORM(FORM4, FORM2, FORM_R)

}  // namespace

int main(int argc, char** argv) {
    const Asked asked = asked_of(argc, argv, "wgmma_sparse_values");
#define MEASURE(name, ...) \
    if (asked.wants(#name)) measure<name>(asked);
    EACH_FORM(MEASURE, MEASURE, MEASURE)
    return 0;
}
