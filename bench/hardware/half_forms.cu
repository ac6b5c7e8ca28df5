// What rare spellings of f16 and bf16 arithmetic give, form by form (see word_digests.h).
//   nvcc -std=c++17 -arch=sm_90a -o half_forms half_forms.cu && ./half_forms [cases]
// ptxas 13.0 also takes fma.rz of bf16, which PTX does not have; on an H200 the packed one rounded to the nearest, the
// other one multiplied and added f16. No such form is here.
#include "word_digests.h"

namespace {

using word_digests::Word;

// A half of eight is one at the end of a range of f16 or bf16, or what reads outside a tensor give (7ff7).
__device__ Word half_of(Word half) {
    constexpr Word kEnds[] = {0,      0x8000, 0x7ff7, 0xfff7, 0x7c00, 0xfc00, 0x3c00, 0xbc00,
                              0x7f80, 0xff80, 0x7fff, 0x7bff, 0x3f80, 0x0001, 0x83ff, 0x0080};
    return (half & 7) == 5 ? kEnds[half >> 3 & 15] : half & 0xffff;
}
__device__ Word halves_of(Word word) { return half_of(word) | half_of(word >> 16) << 16; }

#define CALL(text) asm(text : "=r"(*r++) : "r"(a), "r"(b), "r"(c));
#define NAME(text) text,
#define COUNT(text) +1
#define GROUP(name, forms, ...)                                             \
    struct name {                                                           \
        static constexpr int count = 0 forms(COUNT, __VA_ARGS__);           \
        static const char* const* names() {                                 \
            static const char* const kNames[] = {forms(NAME, __VA_ARGS__)}; \
            return kNames;                                                  \
        }                                                                   \
        __device__ static void all(Word a, Word b, Word c, Word* r) {       \
            a = halves_of(a), b = halves_of(b), c = halves_of(c);           \
            forms(CALL, __VA_ARGS__)                                        \
        }                                                                   \
    };

#define ONE(op)                                                                               \
    "{ .reg .b16 x, y, z, n; mov.b32 {x, n}, %1; mov.b32 {y, n}, %2; mov.b32 {z, n}, %3; " op \
    " x, x, y, z; mov.b16 n, 0; mov.b32 %0, {x, n}; }"
#define OF_F16(X, more)                            \
    X("fma.rn" more ".f16x2 %0, %1, %2, %3;")      \
    X("fma.rn.sat" more ".f16x2 %0, %1, %2, %3;")  \
    X("fma.rn.relu" more ".f16x2 %0, %1, %2, %3;") \
    X(ONE("fma.rn.sat" more ".f16"))               \
    X(ONE("fma.rn.relu" more ".f16"))
#define OF_BF16(X, round)                             \
    X("fma" round ".bf16x2 %0, %1, %2, %3;")          \
    X("fma" round ".relu.bf16x2 %0, %1, %2, %3;")     \
    X("fma" round ".oob.bf16x2 %0, %1, %2, %3;")      \
    X("fma" round ".relu.oob.bf16x2 %0, %1, %2, %3;") \
    X("fma" round ".oob.relu.bf16x2 %0, %1, %2, %3;") \
    X(ONE("fma" round ".bf16"))                       \
    X(ONE("fma" round ".relu.bf16"))                  \
    X(ONE("fma" round ".oob.bf16"))                   \
    X(ONE("fma" round ".oob.relu.bf16"))
#define NARROW(op) "{ .reg .b16 x, n; " op "; mov.b16 n, 0; mov.b32 %0, {x, n}; }"
#define CONVERSIONS(X, unused)                              \
    X("cvt.rn.satfinite.relu.f16x2.f32 %0, %1, %2;")        \
    X("cvt.rz.satfinite.relu.f16x2.f32 %0, %1, %2;")        \
    X("cvt.rn.satfinite.relu.bf16x2.f32 %0, %1, %2;")       \
    X("cvt.rz.satfinite.relu.bf16x2.f32 %0, %1, %2;")       \
    X("cvt.rn.relu.satfinite.f16x2.f32 %0, %1, %2;")        \
    X("cvt.rz.relu.satfinite.bf16x2.f32 %0, %1, %2;")       \
    X(NARROW("cvt.rn.relu.satfinite.e4m3x2.f32 x, %1, %2")) \
    X(NARROW("cvt.rn.relu.satfinite.e5m2x2.f32 x, %1, %2")) \
    X(NARROW("cvt.rn.relu.satfinite.e4m3x2.f16x2 x, %1"))   \
    X(NARROW("cvt.rn.relu.satfinite.e5m2x2.f16x2 x, %1"))   \
    X(NARROW("cvt.rn.satfinite.relu.e4m3x2.f16x2 x, %1"))   \
    X(NARROW("cvt.rn.satfinite.relu.e5m2x2.f32 x, %1, %2"))

GROUP(f16, OF_F16, "") GROUP(f16_outside, OF_F16, ".oob") GROUP(bf16, OF_BF16, ".rn") GROUP(conversions, CONVERSIONS, )

}  // namespace

int main(int count, char** arguments) {
    const Word cases = word_digests::cases_of(count, arguments);
    word_digests::print_digests<f16>(cases);
    word_digests::print_digests<f16_outside>(cases);
    word_digests::print_digests<bf16>(cases);
    word_digests::print_digests<conversions>(cases);
}
