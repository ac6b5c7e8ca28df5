// What mma.sync gives, form by form: a warp for each case, whose matrices tensor_elements.h makes.
//
// usage: tensor_values CASES [--form NAME] [--dump FOLDER]     a line for each form and kind: name, kind, cases, digest
//
// A digest is that of D's words by case and row, so it hangs on no layout of fragments. --dump writes D's words.
#include "tensor_program.h"

namespace {

using Double = std::uint64_t;

#define OUT(n) "=r"(d[n])
#define IN(x, n) "r"(x[n])
#define ASM_1_1_2(text) \
    asm volatile(text " {%0,%1}, {%2}, {%3}, {%4,%5};" : OUT(0), OUT(1) : IN(a, 0), IN(b, 0), IN(c, 0), IN(c, 1))
#define ASM_2_1_2(text)                                   \
    asm volatile(text " {%0,%1}, {%2,%3}, {%4}, {%5,%6};" \
                 : OUT(0), OUT(1)                         \
                 : IN(a, 0), IN(a, 1), IN(b, 0), IN(c, 0), IN(c, 1))
#define ASM_2_1_4(text)                                                \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};" \
                 : OUT(0), OUT(1), OUT(2), OUT(3)                      \
                 : IN(a, 0), IN(a, 1), IN(b, 0), IN(c, 0), IN(c, 1), IN(c, 2), IN(c, 3))
#define ASM_4_2_2(text)                                            \
    asm volatile(text " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};" \
                 : OUT(0), OUT(1)                                  \
                 : IN(a, 0), IN(a, 1), IN(a, 2), IN(a, 3), IN(b, 0), IN(b, 1), IN(c, 0), IN(c, 1))
#define ASM_4_2_4(text)                                                            \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};" \
                 : OUT(0), OUT(1), OUT(2), OUT(3)                                  \
                 : IN(a, 0), IN(a, 1), IN(a, 2), IN(a, 3), IN(b, 0), IN(b, 1), IN(c, 0), IN(c, 1), IN(c, 2), IN(c, 3))
#define OUT8(n) "=d"(d[n])
#define IN8(x, n) "d"(x[n])
#define ASM64_1_1_2(text) \
    asm volatile(text " {%0,%1}, {%2}, {%3}, {%4,%5};" : OUT8(0), OUT8(1) : IN8(a, 0), IN8(b, 0), IN8(c, 0), IN8(c, 1))
#define ASM64_2_1_4(text)                                              \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};" \
                 : OUT8(0), OUT8(1), OUT8(2), OUT8(3)                  \
                 : IN8(a, 0), IN8(a, 1), IN8(b, 0), IN8(c, 0), IN8(c, 1), IN8(c, 2), IN8(c, 3))
#define ASM64_4_2_4(text)                                                                                             \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                                    \
                 : OUT8(0), OUT8(1), OUT8(2), OUT8(3)                                                                 \
                 : IN8(a, 0), IN8(a, 1), IN8(a, 2), IN8(a, 3), IN8(b, 0), IN8(b, 1), IN8(c, 0), IN8(c, 1), IN8(c, 2), \
                   IN8(c, 3))
#define ASM64_8_4_4(text)                                                                                             \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%16,%17,%18,%19};"            \
                 : OUT8(0), OUT8(1), OUT8(2), OUT8(3)                                                                 \
                 : IN8(a, 0), IN8(a, 1), IN8(a, 2), IN8(a, 3), IN8(a, 4), IN8(a, 5), IN8(a, 6), IN8(a, 7), IN8(b, 0), \
                   IN8(b, 1), IN8(b, 2), IN8(b, 3), IN8(c, 0), IN8(c, 1), IN8(c, 2), IN8(c, 3))

#define FORM_OF(name, word, m, k, ta, tb, tc, asm_of, na, nb, nc, text)                                    \
    struct name {                                                                                          \
        static constexpr const char* kName = #name;                                                        \
        using Register = word;                                                                             \
        static constexpr unsigned kM = m, kA = na, kB = nb, kC = nc;                                       \
        static constexpr Type kTypeA = Type::ta, kTypeB = Type::tb, kTypeC = Type::tc;                     \
        static __device__ void run(word* d, const word* a, const word* b, const word* c) { asm_of(text); } \
    };
#define FORM(name, m, k, ta, tb, tc, na, nb, nc, text) \
    FORM_OF(name, Word, m, k, ta, tb, tc, ASM_##na##_##nb##_##nc, na, nb, nc, "mma.sync.aligned." text)
#define FORM64(name, m, k, na, nb, nc, text) \
    FORM_OF(name, double, m, k, kF64, kF64, kF64, ASM64_##na##_##nb##_##nc, na, nb, nc, "mma.sync.aligned." text)

#define EACH_FORM(X)                                                                              \
    X(f16_k8_f32, 16, 8, kF16, kF16, kF32, 2, 1, 4, "m16n8k8.row.col.f32.f16.f16.f32")            \
    X(f16_k16_f32, 16, 16, kF16, kF16, kF32, 4, 2, 4, "m16n8k16.row.col.f32.f16.f16.f32")         \
    X(f16_k8_f16, 16, 8, kF16, kF16, kF16, 2, 1, 2, "m16n8k8.row.col.f16.f16.f16.f16")            \
    X(f16_k16_f16, 16, 16, kF16, kF16, kF16, 4, 2, 2, "m16n8k16.row.col.f16.f16.f16.f16")         \
    X(bf16_k8, 16, 8, kBf16, kBf16, kF32, 2, 1, 4, "m16n8k8.row.col.f32.bf16.bf16.f32")           \
    X(bf16_k16, 16, 16, kBf16, kBf16, kF32, 4, 2, 4, "m16n8k16.row.col.f32.bf16.bf16.f32")        \
    X(tf32_k4, 16, 4, kTf32, kTf32, kF32, 2, 1, 4, "m16n8k4.row.col.f32.tf32.tf32.f32")           \
    X(tf32_k8, 16, 8, kTf32, kTf32, kF32, 4, 2, 4, "m16n8k8.row.col.f32.tf32.tf32.f32")           \
    X(e4m3_k32, 16, 32, kE4m3, kE4m3, kF32, 4, 2, 4, "m16n8k32.row.col.f32.e4m3.e4m3.f32")        \
    X(e5m2_k32, 16, 32, kE5m2, kE5m2, kF32, 4, 2, 4, "m16n8k32.row.col.f32.e5m2.e5m2.f32")        \
    X(e4m3_e5m2_k32, 16, 32, kE4m3, kE5m2, kF32, 4, 2, 4, "m16n8k32.row.col.f32.e4m3.e5m2.f32")   \
    X(e5m2_e4m3_k32, 16, 32, kE5m2, kE4m3, kF32, 4, 2, 4, "m16n8k32.row.col.f32.e5m2.e4m3.f32")   \
    X(e4m3_k32_f16, 16, 32, kE4m3, kE4m3, kF16, 4, 2, 2, "m16n8k32.row.col.f16.e4m3.e4m3.f16")    \
    X(e5m2_k32_f16, 16, 32, kE5m2, kE5m2, kF16, 4, 2, 2, "m16n8k32.row.col.f16.e5m2.e5m2.f16")    \
    X(e4m3_k16, 16, 16, kE4m3, kE4m3, kF32, 2, 1, 4, "m16n8k16.row.col.f32.e4m3.e4m3.f32")        \
    X(e5m2_k16_f16, 16, 16, kE5m2, kE5m2, kF16, 2, 1, 2, "m16n8k16.row.col.f16.e5m2.e5m2.f16")    \
    X(s8_m8, 8, 16, kS8, kS8, kS32, 1, 1, 2, "m8n8k16.row.col.s32.s8.s8.s32")                     \
    X(u8_s8_m8_sat, 8, 16, kU8, kS8, kS32, 1, 1, 2, "m8n8k16.row.col.satfinite.s32.u8.s8.s32")    \
    X(s8_k16, 16, 16, kS8, kS8, kS32, 2, 1, 4, "m16n8k16.row.col.s32.s8.s8.s32")                  \
    X(s8_k32, 16, 32, kS8, kS8, kS32, 4, 2, 4, "m16n8k32.row.col.s32.s8.s8.s32")                  \
    X(u8_k32_sat, 16, 32, kU8, kU8, kS32, 4, 2, 4, "m16n8k32.row.col.satfinite.s32.u8.u8.s32")    \
    X(s8_u8_k32_sat, 16, 32, kS8, kU8, kS32, 4, 2, 4, "m16n8k32.row.col.satfinite.s32.s8.u8.s32") \
    X(s4_m8, 8, 32, kS4, kS4, kS32, 1, 1, 2, "m8n8k32.row.col.s32.s4.s4.s32")                     \
    X(u4_s4_k32, 16, 32, kU4, kS4, kS32, 2, 1, 4, "m16n8k32.row.col.s32.u4.s4.s32")               \
    X(u4_k64_sat, 16, 64, kU4, kU4, kS32, 4, 2, 4, "m16n8k64.row.col.satfinite.s32.u4.u4.s32")    \
    X(b1_m8_xor, 8, 128, kB1, kB1, kS32, 1, 1, 2, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc")      \
    X(b1_m8_and, 8, 128, kB1, kB1, kS32, 1, 1, 2, "m8n8k128.row.col.s32.b1.b1.s32.and.popc")      \
    X(b1_k128_xor, 16, 128, kB1, kB1, kS32, 2, 1, 4, "m16n8k128.row.col.s32.b1.b1.s32.xor.popc")  \
    X(b1_k256_and, 16, 256, kB1, kB1, kS32, 4, 2, 4, "m16n8k256.row.col.s32.b1.b1.s32.and.popc")
#define EACH_FORM64(X)                                           \
    X(f64_m8, 8, 4, 1, 1, 2, "m8n8k4.row.col.f64.f64.f64.f64")   \
    X(f64_k4, 16, 4, 2, 1, 4, "m16n8k4.row.col.f64.f64.f64.f64") \
    X(f64_k8, 16, 8, 4, 2, 4, "m16n8k8.row.col.f64.f64.f64.f64") \
    X(f64_k16, 16, 16, 8, 4, 4, "m16n8k16.row.col.f64.f64.f64.f64")
EACH_FORM(FORM)
EACH_FORM64(FORM64)

constexpr unsigned kN = 8;

__device__ void assign(Word& word, std::uint64_t bits) { word = static_cast<Word>(bits); }
__device__ void assign(double& word, std::uint64_t bits) { word = __longlong_as_double(static_cast<long long>(bits)); }
__device__ std::uint64_t bits_in(Word word) { return word; }
__device__ std::uint64_t bits_in(double word) { return static_cast<std::uint64_t>(__double_as_longlong(word)); }

// D's words of each case, rows one after the other.
template <class Form>
__global__ void multiply(Kind kind, unsigned first, unsigned cases, std::uint64_t* out) {
    using Register = typename Form::Register;
    constexpr unsigned kRegister = sizeof(Register) * 8;
    const unsigned lane = threadIdx.x % 32, group = lane / 4, in_group = lane % 4;
    const unsigned nth = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (nth >= cases) return;
    const std::uint64_t of_case = first + nth;
    const auto filled = [&](Type type, unsigned matrix, unsigned row, unsigned column, bool down) {
        const unsigned bits = bits_of(type);
        std::uint64_t word = 0;
        for (unsigned i = 0; i < kRegister / bits; ++i)
            word |= element(type, kind, of_case, matrix, row + (down ? i : 0), column + (down ? 0 : i)) << (i * bits);
        return word;
    };
    Register a[Form::kA], b[Form::kB], c[Form::kC], d[Form::kC];
    // Elements of a row (of A) or column (of B) that a register holds, and a lane's registers: rows 8 apart first.
    constexpr unsigned kPerA = kRegister / bits_of(Form::kTypeA), kPerB = kRegister / bits_of(Form::kTypeB);
    constexpr unsigned kPerC = kRegister / bits_of(Form::kTypeC);
    constexpr unsigned kRowsOfA = Form::kM / 8;
#pragma unroll
    for (unsigned i = 0; i < Form::kA; ++i)
        assign(a[i],
               filled(Form::kTypeA, 0, group + i % kRowsOfA * 8, in_group * kPerA + i / kRowsOfA * 4 * kPerA, false));
#pragma unroll
    for (unsigned i = 0; i < Form::kB; ++i)
        assign(b[i], filled(Form::kTypeB, 1, in_group * kPerB + i * 4 * kPerB, group, true));
    constexpr unsigned kRegistersOfRow = 2 / kPerC;
#pragma unroll
    for (unsigned i = 0; i < Form::kC; ++i)
        assign(c[i],
               filled(Form::kTypeC, 2, group + i / kRegistersOfRow * 8, in_group * 2 + i % kRegistersOfRow, false));
    Form::run(d, a, b, c);
#pragma unroll
    for (unsigned i = 0; i < Form::kC; ++i)
        for (unsigned e = 0; e < kPerC; ++e) {
            const unsigned bits = bits_of(Form::kTypeC);
            const std::uint64_t value = bits_in(d[i]) >> (e * bits) & (bits == 64 ? ~0ull : (1ull << bits) - 1);
            const unsigned row = group + i / kRegistersOfRow * 8, column = in_group * 2 + i % kRegistersOfRow + e;
            out[(std::size_t{nth} * Form::kM + row) * kN + column] = value;
        }
}

template <class Form>
void measure(const Asked& asked) {
    Results<std::uint64_t> results(asked, Form::kM * kN);
    for (unsigned kind = 0; kind < kKinds; ++kind) {
        multiply<Form><<<(asked.cases + 3) / 4, 128>>>(static_cast<Kind>(kind), 0, asked.cases, results.on_card());
        results.tell({Form::kName, kNames[kind]}, bits_of(Form::kTypeC) / 8);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const Asked asked = asked_of(argc, argv, "tensor_values");
#define MEASURE(name, ...) \
    if (asked.wants(#name)) measure<name>(asked);
    EACH_FORM(MEASURE)
    EACH_FORM64(MEASURE)
    return 0;
}
