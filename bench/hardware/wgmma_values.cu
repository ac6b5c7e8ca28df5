// What wgmma gives, form by form: a group of four warps for each case, whose matrices tensor_elements.h makes.
//
// usage: wgmma_values CASES [--form NAME] [--dump FOLDER]     a line for each form and kind: name, kind, cases, digest
//
// A digest is that of D's words by case and row. All forms have eight columns: wgmma_shapes.cu has the others, and
// wgmma_operands.cu what descriptors mean. --dump writes D's words.
#include "wgmma_values.h"

namespace {

// The last operand is whether the sums before count.
#define RUN_2(text, tail)                                                                                            \
    asm volatile(WGMMA_BEGIN("%4") "wgmma.mma_async.sync.aligned.m64n8" text " {%0,%1}, %2, %3, keep" tail WGMMA_END \
                 : "+r"(d[0]), "+r"(d[1])                                                                            \
                 : "l"(at_a), "l"(at_b), "r"(kKeeps ? 1 : 0)                                                         \
                 : "memory")
#define RUN_4(text, tail)                                                        \
    asm volatile(WGMMA_BEGIN("%6") "wgmma.mma_async.sync.aligned.m64n8" text     \
                                   " {%0,%1,%2,%3}, %4, %5, keep" tail WGMMA_END \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                \
                 : "l"(at_a), "l"(at_b), "r"(kKeeps ? 1 : 0)                     \
                 : "memory")
#define RUN_REGISTERS_4(text, tail)                                                           \
    asm volatile(WGMMA_BEGIN("%9") "wgmma.mma_async.sync.aligned.m64n8" text                  \
                                   " {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, keep" tail WGMMA_END   \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                             \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(at_b), "r"(kKeeps ? 1 : 0) \
                 : "memory")

#define FORM_OF(name, ta, tb, tc, words, keeps, run) WGMMA_VALUES_FORM(name, ta, tb, tc, words, false, keeps, run)
#define FORM4(name, ta, tb, tc, text, tail) FORM_OF(name, ta, tb, tc, 4, true, RUN_4(text, tail))
#define FORM2(name, ta, tb, text, tail) FORM_OF(name, ta, tb, kF16, 2, true, RUN_2(text, tail))
#define FORM_R(name, ta, tb, tc, text, tail) FORM_OF(name, ta, tb, tc, 4, true, RUN_REGISTERS_4(text, tail))

#define EACH_FORM(X4, X2, XR)                                                  \
    X4(f16_f32, kF16, kF16, kF32, "k16.f32.f16.f16", ", 1, 1, 0, 0")           \
    X2(f16_f16, kF16, kF16, "k16.f16.f16.f16", ", 1, 1, 0, 0")                 \
    X4(bf16_f32, kBf16, kBf16, kF32, "k16.f32.bf16.bf16", ", 1, 1, 0, 0")      \
    X4(tf32_f32, kTf32, kTf32, kF32, "k8.f32.tf32.tf32", ", 1, 1")             \
    X4(e4m3_f32, kE4m3, kE4m3, kF32, "k32.f32.e4m3.e4m3", ", 1, 1")            \
    X4(e5m2_f32, kE5m2, kE5m2, kF32, "k32.f32.e5m2.e5m2", ", 1, 1")            \
    X4(e4m3_e5m2_f32, kE4m3, kE5m2, kF32, "k32.f32.e4m3.e5m2", ", 1, 1")       \
    X4(e5m2_e4m3_f32, kE5m2, kE4m3, kF32, "k32.f32.e5m2.e4m3", ", 1, 1")       \
    X2(e4m3_f16, kE4m3, kE4m3, "k32.f16.e4m3.e4m3", ", 1, 1")                  \
    X2(e5m2_f16, kE5m2, kE5m2, "k32.f16.e5m2.e5m2", ", 1, 1")                  \
    X2(e4m3_e5m2_f16, kE4m3, kE5m2, "k32.f16.e4m3.e5m2", ", 1, 1")             \
    X4(s8_s32, kS8, kS8, kS32, "k32.s32.s8.s8", "")                            \
    X4(u8_s32, kU8, kU8, kS32, "k32.s32.u8.u8", "")                            \
    X4(s8_u8_sat, kS8, kU8, kS32, "k32.s32.s8.u8.satfinite", "")               \
    X4(u8_s8_sat, kU8, kS8, kS32, "k32.s32.u8.s8.satfinite", "")               \
    X4(b1_s32, kB1, kB1, kS32, "k256.s32.b1.b1.and.popc", "")                  \
    X4(f16_minus_a, kF16, kF16, kF32, "k16.f32.f16.f16", ", -1, 1, 0, 0")      \
    X4(bf16_minus_b, kBf16, kBf16, kF32, "k16.f32.bf16.bf16", ", 1, -1, 0, 0") \
    X4(tf32_minus_both, kTf32, kTf32, kF32, "k8.f32.tf32.tf32", ", -1, -1")    \
    X2(e4m3_minus_a, kE4m3, kE4m3, "k32.f16.e4m3.e4m3", ", -1, 1")             \
    XR(f16_registers, kF16, kF16, kF32, "k16.f32.f16.f16", ", 1, 1, 0")        \
    XR(tf32_registers, kTf32, kTf32, kF32, "k8.f32.tf32.tf32", ", 1, 1")       \
    XR(e5m2_registers, kE5m2, kE4m3, kF32, "k32.f32.e5m2.e4m3", ", 1, 1")      \
    XR(s8_registers, kS8, kS8, kS32, "k32.s32.s8.s8", "")
EACH_FORM(FORM4, FORM2, FORM_R)
FORM_OF(f16_alone, kF16, kF16, kF32, 4, false, RUN_4("k16.f32.f16.f16", ", 1, 1, 0, 0"))
FORM_OF(e4m3_alone, kE4m3, kE4m3, kF32, 4, false, RUN_4("k32.f32.e4m3.e4m3", ", 1, 1"))

}  // namespace

int main(int argc, char** argv) {
    const Asked asked = asked_of(argc, argv, "wgmma_values");
#define MEASURE(name, ...) \
    if (asked.wants(#name)) measure<name>(asked);
    EACH_FORM(MEASURE, MEASURE, MEASURE)
    MEASURE(f16_alone)
    MEASURE(e4m3_alone)
    return 0;
}
