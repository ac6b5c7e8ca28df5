// What mma.sp gives, form by form: a warp for each case, whose matrices tensor_elements.h makes.
//
// usage: sparse_values CASES [--form NAME] [--dump FOLDER]
//
// A line for each form, kind of numbers and kind of metadata: their names, cases, digest. Each lane has metadata of its
// own, so a digest tells also which lanes' words count. --dump writes D's words, rows one after the other.
#include "tensor_program.h"

namespace {

#define IN(x, n) "r"(x[n])
#define OUT(n) "=r"(d[n])
#define ASM_2_2_2(text, selector)                                               \
    asm volatile(text " {%0,%1}, {%2,%3}, {%4,%5}, {%6,%7}, %8, " #selector ";" \
                 : OUT(0), OUT(1)                                               \
                 : IN(a, 0), IN(a, 1), IN(b, 0), IN(b, 1), IN(c, 0), IN(c, 1), "r"(e))
#define ASM_2_2_4(text, selector)                                                              \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11}, %12, " #selector ";" \
                 : OUT(0), OUT(1), OUT(2), OUT(3)                                              \
                 : IN(a, 0), IN(a, 1), IN(b, 0), IN(b, 1), IN(c, 0), IN(c, 1), IN(c, 2), IN(c, 3), "r"(e))
#define ASM_4_4_2(text, selector)                                                                                      \
    asm volatile(text " {%0,%1}, {%2,%3,%4,%5}, {%6,%7,%8,%9}, {%10,%11}, %12, " #selector ";"                         \
                 : OUT(0), OUT(1)                                                                                      \
                 : IN(a, 0), IN(a, 1), IN(a, 2), IN(a, 3), IN(b, 0), IN(b, 1), IN(b, 2), IN(b, 3), IN(c, 0), IN(c, 1), \
                   "r"(e))
#define ASM_4_4_4(text, selector)                                                                                      \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, %16, " #selector ";"         \
                 : OUT(0), OUT(1), OUT(2), OUT(3)                                                                      \
                 : IN(a, 0), IN(a, 1), IN(a, 2), IN(a, 3), IN(b, 0), IN(b, 1), IN(b, 2), IN(b, 3), IN(c, 0), IN(c, 1), \
                   IN(c, 2), IN(c, 3), "r"(e))

#define FORM(name, ta, tb, tc, n, nc, selector, text)                                              \
    struct name {                                                                                  \
        static constexpr const char* kName = #name;                                                \
        static constexpr unsigned kA = n, kC = nc;                                                 \
        static constexpr Type kTypeA = Type::ta, kTypeB = Type::tb, kTypeC = Type::tc;             \
        static __device__ void run(Word* d, const Word* a, const Word* b, const Word* c, Word e) { \
            ASM_##n##_##n##_##nc("mma.sp" text, selector);                                         \
        }                                                                                          \
    };

#define ORDERED "::ordered_metadata.sync.aligned."
// clang-format off
#define EACH_FORM(X) \
    X(f16_k16_f32, kF16, kF16, kF32, 2, 4, 0, ORDERED "m16n8k16.row.col.f32.f16.f16.f32") \
    X(f16_k16_f32_1, kF16, kF16, kF32, 2, 4, 1, ORDERED "m16n8k16.row.col.f32.f16.f16.f32") \
    X(f16_k16_f32_2, kF16, kF16, kF32, 2, 4, 2, ORDERED "m16n8k16.row.col.f32.f16.f16.f32") \
    X(f16_k16_f32_3, kF16, kF16, kF32, 2, 4, 3, ORDERED "m16n8k16.row.col.f32.f16.f16.f32") \
    X(f16_k32_f32, kF16, kF16, kF32, 4, 4, 0, ORDERED "m16n8k32.row.col.f32.f16.f16.f32") \
    X(f16_k32_f32_1, kF16, kF16, kF32, 4, 4, 1, ".sync.aligned." "m16n8k32.row.col.f32.f16.f16.f32") \
    X(f16_k16_f16, kF16, kF16, kF16, 2, 2, 1, ORDERED "m16n8k16.row.col.f16.f16.f16.f16") \
    X(f16_k32_f16, kF16, kF16, kF16, 4, 2, 0, ORDERED "m16n8k32.row.col.f16.f16.f16.f16") \
    X(bf16_k16, kBf16, kBf16, kF32, 2, 4, 2, ORDERED "m16n8k16.row.col.f32.bf16.bf16.f32") \
    X(bf16_k32, kBf16, kBf16, kF32, 4, 4, 1, ORDERED "m16n8k32.row.col.f32.bf16.bf16.f32") \
    X(tf32_k8, kTf32, kTf32, kF32, 2, 4, 0, ORDERED "m16n8k8.row.col.f32.tf32.tf32.f32") \
    X(tf32_k8_1, kTf32, kTf32, kF32, 2, 4, 1, ORDERED "m16n8k8.row.col.f32.tf32.tf32.f32") \
    X(tf32_k8_3, kTf32, kTf32, kF32, 2, 4, 3, ".sync.aligned." "m16n8k8.row.col.f32.tf32.tf32.f32") \
    X(tf32_k16, kTf32, kTf32, kF32, 4, 4, 0, ORDERED "m16n8k16.row.col.f32.tf32.tf32.f32") \
    X(tf32_k16_1, kTf32, kTf32, kF32, 4, 4, 1, ORDERED "m16n8k16.row.col.f32.tf32.tf32.f32") \
    X(e4m3_k64, kE4m3, kE4m3, kF32, 4, 4, 0, ORDERED "m16n8k64.row.col.f32.e4m3.e4m3.f32") \
    X(e5m2_k64, kE5m2, kE5m2, kF32, 4, 4, 0, ORDERED "m16n8k64.row.col.f32.e5m2.e5m2.f32") \
    X(e4m3_e5m2_k64, kE4m3, kE5m2, kF32, 4, 4, 0, ".sync.aligned." "m16n8k64.row.col.f32.e4m3.e5m2.f32") \
    X(e5m2_e4m3_k64, kE5m2, kE4m3, kF32, 4, 4, 0, ORDERED "m16n8k64.row.col.f32.e5m2.e4m3.f32") \
    X(s8_k32, kS8, kS8, kS32, 2, 4, 0, ORDERED "m16n8k32.row.col.s32.s8.s8.s32") \
    X(u8_s8_k32_1, kU8, kS8, kS32, 2, 4, 1, ORDERED "m16n8k32.row.col.s32.u8.s8.s32") \
    X(s8_k64, kS8, kS8, kS32, 4, 4, 0, ORDERED "m16n8k64.row.col.s32.s8.s8.s32") \
    X(s8_u8_k64_sat, kS8, kU8, kS32, 4, 4, 0, ".sync.aligned." "m16n8k64.row.col.satfinite.s32.s8.u8.s32") \
    X(u8_k64_sat, kU8, kU8, kS32, 4, 4, 0, ORDERED "m16n8k64.row.col.satfinite.s32.u8.u8.s32") \
    X(s4_k64, kS4, kS4, kS32, 2, 4, 0, ORDERED "m16n8k64.row.col.s32.s4.s4.s32") \
    X(u4_s4_k64_1, kU4, kS4, kS32, 2, 4, 1, ORDERED "m16n8k64.row.col.s32.u4.s4.s32") \
    X(s4_k128, kS4, kS4, kS32, 4, 4, 0, ORDERED "m16n8k128.row.col.s32.s4.s4.s32") \
    X(s4_u4_k128, kS4, kU4, kS32, 4, 4, 0, ".sync.aligned." "m16n8k128.row.col.s32.s4.u4.s32") \
    X(u4_k128_sat, kU4, kU4, kS32, 4, 4, 0, ORDERED "m16n8k128.row.col.satfinite.s32.u4.u4.s32")
// clang-format on
EACH_FORM(FORM)

constexpr unsigned kM = 16, kN = 8;

template <class Form>
__global__ void multiply(Kind kind, Places places, unsigned cases, Word* out) {
    const unsigned lane = threadIdx.x % 32, group = lane / 4, in_group = lane % 4;
    const unsigned nth = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (nth >= cases) return;
    constexpr auto kElementBits = [](Type type) { return type == Type::kTf32 ? 32u : bits_of(type); };
    const auto filled = [&](Type type, unsigned matrix, unsigned row, unsigned column, bool down) {
        const unsigned bits = kElementBits(type);
        Word word = 0;
        for (unsigned i = 0; i < 32 / bits; ++i)
            word |= static_cast<Word>(element(type, kind, nth, matrix, row + (down ? i : 0), column + (down ? 0 : i)))
                    << (i * bits % 32);
        return word;
    };
    Word a[Form::kA], b[Form::kA], c[Form::kC], d[Form::kC];
    constexpr unsigned kPerA = 32 / kElementBits(Form::kTypeA), kPerB = 32 / kElementBits(Form::kTypeB);
    constexpr unsigned kPerC = 32 / kElementBits(Form::kTypeC), kRegistersOfRow = 2 / kPerC;
#pragma unroll
    for (unsigned i = 0; i < Form::kA; ++i)
        a[i] = filled(Form::kTypeA, 0, group + i % 2 * 8, (in_group + i / 2 * 4) * kPerA, false);
#pragma unroll
    for (unsigned i = 0; i < Form::kA; ++i) b[i] = filled(Form::kTypeB, 1, (in_group + i * 4) * kPerB, group, true);
#pragma unroll
    for (unsigned i = 0; i < Form::kC; ++i)
        c[i] = filled(Form::kTypeC, 2, group + i / kRegistersOfRow * 8, in_group * 2 + i % kRegistersOfRow, false);
    Form::run(d, a, b, c, metadata(Form::kTypeA, places, nth, lane));
#pragma unroll
    for (unsigned i = 0; i < Form::kC; ++i)
        for (unsigned e = 0; e < kPerC; ++e) {
            const unsigned row = group + i / kRegistersOfRow * 8, column = in_group * 2 + i % kRegistersOfRow + e;
            out[(std::size_t{nth} * kM + row) * kN + column] = kPerC == 1 ? d[i] : d[i] >> (16 * e) & 0xffffu;
        }
}

template <class Form>
void measure(const Asked& asked) {
    Results<Word> results(asked, kM * kN);
    for (unsigned kind = 0; kind < kKinds; ++kind)
        for (unsigned places = 0; places < kPlaces; ++places) {
            multiply<Form><<<(asked.cases + 3) / 4, 128>>>(static_cast<Kind>(kind), static_cast<Places>(places),
                                                           asked.cases, results.on_card());
            results.tell({Form::kName, kNames[kind], kPlaceNames[places]});
        }
}

}  // namespace

int main(int argc, char** argv) {
    const Asked asked = asked_of(argc, argv, "sparse_values");
#define MEASURE(name, ...) \
    if (asked.wants(#name)) measure<name>(asked);
    EACH_FORM(MEASURE)
    return 0;
}
