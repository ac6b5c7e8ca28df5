// Products of fragments: wmma.mma, for every type, shape and order of the factors. Part of mma.h.
#pragma once

namespace nvcuda {
namespace wmma {

#define TILESCOPE_PRODUCT(M, N, K, T, A, a_order, B, b_order, types, D, d_how, of_d, C, c_how, of_c, Word, how, of_a,  \
                          of_b)                                                                                        \
    asm volatile("wmma.mma.sync.aligned." a_order "." b_order TILESCOPE_SHAPE(M, N, K) types " " TILESCOPE_TEXT##of_d( \
                     d) ", " TILESCOPE_TEXT##of_a(a) ", " TILESCOPE_TEXT##of_b(b) ", " TILESCOPE_TEXT##of_c(c) ";"     \
                 : TILESCOPE_LIST##of_d(d, "=" d_how)                                                                  \
                 : TILESCOPE_LIST##of_a(a, how), TILESCOPE_LIST##of_b(b, how), TILESCOPE_LIST##of_c(c, c_how))
#define TILESCOPE_WORDS(Word, name, registers, from) \
    Word name[registers];                            \
    memcpy(name, static_cast<const void*>(from.x), sizeof(name));
// In one order of the factors.
#define TILESCOPE_ORDERED(M, N, K, T, A, a_order, B, b_order, types, DT, DW, d_how, of_d, CT, CW, c_how, of_c, Word, \
                          how, of_a, of_b)                                                                           \
    TILESCOPE_MMA void mma_sync(                                                                                     \
        fragment<accumulator, M, N, K, DT>& sum, const fragment<matrix_a, M, N, K, T, A>& left,                      \
        const fragment<matrix_b, M, N, K, T, B>& right, const fragment<accumulator, M, N, K, CT>& before) {          \
        DW d[of_d];                                                                                                  \
        TILESCOPE_WORDS(Word, a, of_a, left)                                                                         \
        TILESCOPE_WORDS(Word, b, of_b, right)                                                                        \
        TILESCOPE_WORDS(CW, c, of_c, before)                                                                         \
        TILESCOPE_PRODUCT(M, N, K, T, A, a_order, B, b_order, types, DT, d_how, of_d, CT, c_how, of_c, Word, how,    \
                          of_a, of_b);                                                                               \
        memcpy(static_cast<void*>(sum.x), d, sizeof(d));                                                             \
    }
// Integers can stop at the greatest and least numbers.
#define TILESCOPE_SATURATED(M, N, K, T, A, a_order, B, b_order, types, DT, DW, d_how, of_d, CT, CW, c_how, of_c, Word, \
                            how, of_a, of_b)                                                                           \
    TILESCOPE_MMA void mma_sync(fragment<accumulator, M, N, K, DT>& sum,                                               \
                                const fragment<matrix_a, M, N, K, T, A>& left,                                         \
                                const fragment<matrix_b, M, N, K, T, B>& right,                                        \
                                const fragment<accumulator, M, N, K, CT>& before, bool saturate = false) {             \
        DW d[of_d];                                                                                                    \
        TILESCOPE_WORDS(Word, a, of_a, left)                                                                           \
        TILESCOPE_WORDS(Word, b, of_b, right)                                                                          \
        TILESCOPE_WORDS(CW, c, of_c, before)                                                                           \
        if (saturate)                                                                                                  \
            TILESCOPE_PRODUCT(M, N, K, T, A, a_order, B, b_order, types ".satfinite", DT, d_how, of_d, CT, c_how,      \
                              of_c, Word, how, of_a, of_b);                                                            \
        else                                                                                                           \
            TILESCOPE_PRODUCT(M, N, K, T, A, a_order, B, b_order, types, DT, d_how, of_d, CT, c_how, of_c, Word, how,  \
                              of_a, of_b);                                                                             \
        memcpy(static_cast<void*>(sum.x), d, sizeof(d));                                                               \
    }
#define TILESCOPE_ORDERS(one, M, N, K, T, ...)                               \
    one(M, N, K, T, row_major, "row", row_major, "row", __VA_ARGS__)         \
        one(M, N, K, T, row_major, "row", col_major, "col", __VA_ARGS__)     \
            one(M, N, K, T, col_major, "col", row_major, "row", __VA_ARGS__) \
                one(M, N, K, T, col_major, "col", col_major, "col", __VA_ARGS__)

#define TILESCOPE_HALVES(M, N, K)                                                                                     \
    TILESCOPE_ORDERS(TILESCOPE_ORDERED, M, N, K, __half, ".f16.f16", __half, unsigned, "r", 4, __half, unsigned, "r", \
                     4, unsigned, "r", 8, 8)                                                                          \
    TILESCOPE_ORDERS(TILESCOPE_ORDERED, M, N, K, __half, ".f32.f32", float, float, "f", 8, float, float, "f", 8,      \
                     unsigned, "r", 8, 8)                                                                             \
    TILESCOPE_ORDERS(TILESCOPE_ORDERED, M, N, K, __half, ".f32.f16", float, float, "f", 8, __half, unsigned, "r", 4,  \
                     unsigned, "r", 8, 8)                                                                             \
    TILESCOPE_ORDERS(TILESCOPE_ORDERED, M, N, K, __half, ".f16.f32", __half, unsigned, "r", 4, float, float, "f", 8,  \
                     unsigned, "r", 8, 8)
TILESCOPE_HALVES(16, 16, 16)
TILESCOPE_HALVES(32, 8, 16)
TILESCOPE_HALVES(8, 32, 16)
#undef TILESCOPE_HALVES

#define TILESCOPE_FLOATS(M, N, K, T, types, of_a, of_b)                                                               \
    TILESCOPE_ORDERS(TILESCOPE_ORDERED, M, N, K, T, types, float, float, "f", 8, float, float, "f", 8, unsigned, "r", \
                     of_a, of_b)
TILESCOPE_FLOATS(16, 16, 16, __nv_bfloat16, ".f32.bf16.bf16.f32", 4, 4)
TILESCOPE_FLOATS(32, 8, 16, __nv_bfloat16, ".f32.bf16.bf16.f32", 8, 2)
TILESCOPE_FLOATS(8, 32, 16, __nv_bfloat16, ".f32.bf16.bf16.f32", 2, 8)
TILESCOPE_FLOATS(16, 16, 8, precision::tf32, ".f32.tf32.tf32.f32", 4, 4)
#undef TILESCOPE_FLOATS

#define TILESCOPE_INTEGERS(M, N, K, T, types, of_a, of_b)                                                             \
    TILESCOPE_ORDERS(TILESCOPE_SATURATED, M, N, K, T, types, int, int, "r", 8, int, int, "r", 8, unsigned, "r", of_a, \
                     of_b)
TILESCOPE_INTEGERS(16, 16, 16, signed char, ".s32.s8.s8.s32", 2, 2)
TILESCOPE_INTEGERS(32, 8, 16, signed char, ".s32.s8.s8.s32", 4, 1)
TILESCOPE_INTEGERS(8, 32, 16, signed char, ".s32.s8.s8.s32", 1, 4)
TILESCOPE_INTEGERS(16, 16, 16, unsigned char, ".s32.u8.u8.s32", 2, 2)
TILESCOPE_INTEGERS(32, 8, 16, unsigned char, ".s32.u8.u8.s32", 4, 1)
TILESCOPE_INTEGERS(8, 32, 16, unsigned char, ".s32.u8.u8.s32", 1, 4)
#undef TILESCOPE_INTEGERS

TILESCOPE_ORDERS(TILESCOPE_ORDERED, 8, 8, 4, double, ".f64.f64.f64.f64.rn", double, double, "d", 2, double, double, "d",
                 2, double, "d", 1, 1)
#undef TILESCOPE_ORDERS
#undef TILESCOPE_SATURATED
#undef TILESCOPE_ORDERED
#undef TILESCOPE_WORDS
#undef TILESCOPE_PRODUCT
#undef TILESCOPE_SHAPE
#undef TILESCOPE_LIST8
#undef TILESCOPE_LIST4
#undef TILESCOPE_LIST2
#undef TILESCOPE_LIST1
#undef TILESCOPE_TEXT8
#undef TILESCOPE_TEXT4
#undef TILESCOPE_TEXT2
#undef TILESCOPE_TEXT1

}  // namespace wmma
}  // namespace nvcuda
