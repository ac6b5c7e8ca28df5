// Fragments, and how they come from memory and go there: wmma.load and wmma.store. Part of mma.h.
#pragma once

// Lists of registers in an instruction's text, and as its operands.
#define TILESCOPE_TEXT1(n) "{%[" #n "0]}"
#define TILESCOPE_TEXT2(n) "{%[" #n "0], %[" #n "1]}"
#define TILESCOPE_TEXT4(n) "{%[" #n "0], %[" #n "1], %[" #n "2], %[" #n "3]}"
#define TILESCOPE_TEXT8(n) \
    "{%[" #n "0], %[" #n "1], %[" #n "2], %[" #n "3], %[" #n "4], %[" #n "5], %[" #n "6], %[" #n "7]}"
#define TILESCOPE_LIST1(n, how) [n##0] how(n[0])
#define TILESCOPE_LIST2(n, how) TILESCOPE_LIST1(n, how), [n##1] how(n[1])
#define TILESCOPE_LIST4(n, how) TILESCOPE_LIST2(n, how), [n##2] how(n[2]), [n##3] how(n[3])
#define TILESCOPE_LIST8(n, how) \
    TILESCOPE_LIST4(n, how), [n##4] how(n[4]), [n##5] how(n[5]), [n##6] how(n[6]), [n##7] how(n[7])
#define TILESCOPE_SHAPE(M, N, K) ".m" #M "n" #N "k" #K

namespace nvcuda {
namespace wmma {

// A part of a factor: `registers` of the type Word, which hold `count` elements.
#define TILESCOPE_LOAD(use, which, M, N, K, T, ptx, Layout, layout, Element, Word, how, registers)             \
    TILESCOPE_MMA void load_matrix_sync(fragment<use, M, N, K, T, Layout>& f, const Element* p, unsigned ld) { \
        Word d[registers];                                                                                     \
        asm volatile("wmma.load." which ".sync.aligned." layout TILESCOPE_SHAPE(                               \
                         M, N, K) "." ptx " " TILESCOPE_TEXT##registers(d) ", [%[p]], %[ld];"                  \
                     : TILESCOPE_LIST##registers(d, "=" how)                                                   \
                     : [p] "l"(p), [ld] "r"(ld)                                                                \
                     : "memory");                                                                              \
        memcpy(static_cast<void*>(f.x), d, sizeof(d));                                                         \
    }
#define TILESCOPE_FACTOR(use, which, M, N, K, T, ptx, Element, Word, how, registers, count)      \
    template <class Layout>                                                                      \
    class fragment<use, M, N, K, T, Layout> : public details::elements<Element, count> {};       \
    TILESCOPE_LOAD(use, which, M, N, K, T, ptx, row_major, "row", Element, Word, how, registers) \
    TILESCOPE_LOAD(use, which, M, N, K, T, ptx, col_major, "col", Element, Word, how, registers)
// Both factors of a product of one type: of 16, 32 and 8 rows, where the factors have as many registers as they are
// long.
#define TILESCOPE_FACTORS(M, N, K, T, ptx, Element, Word, how, of_a, count_a, of_b, count_b) \
    TILESCOPE_FACTOR(matrix_a, "a", M, N, K, T, ptx, Element, Word, how, of_a, count_a)      \
    TILESCOPE_FACTOR(matrix_b, "b", M, N, K, T, ptx, Element, Word, how, of_b, count_b)
TILESCOPE_FACTORS(16, 16, 16, __half, "f16", __half, unsigned, "r", 8, 16, 8, 16)
TILESCOPE_FACTORS(32, 8, 16, __half, "f16", __half, unsigned, "r", 8, 16, 8, 16)
TILESCOPE_FACTORS(8, 32, 16, __half, "f16", __half, unsigned, "r", 8, 16, 8, 16)
TILESCOPE_FACTORS(16, 16, 16, __nv_bfloat16, "bf16", __nv_bfloat16, unsigned, "r", 4, 8, 4, 8)
TILESCOPE_FACTORS(32, 8, 16, __nv_bfloat16, "bf16", __nv_bfloat16, unsigned, "r", 8, 16, 2, 4)
TILESCOPE_FACTORS(8, 32, 16, __nv_bfloat16, "bf16", __nv_bfloat16, unsigned, "r", 2, 4, 8, 16)
TILESCOPE_FACTORS(16, 16, 16, signed char, "s8", signed char, unsigned, "r", 2, 8, 2, 8)
TILESCOPE_FACTORS(32, 8, 16, signed char, "s8", signed char, unsigned, "r", 4, 16, 1, 4)
TILESCOPE_FACTORS(8, 32, 16, signed char, "s8", signed char, unsigned, "r", 1, 4, 4, 16)
TILESCOPE_FACTORS(16, 16, 16, unsigned char, "u8", unsigned char, unsigned, "r", 2, 8, 2, 8)
TILESCOPE_FACTORS(32, 8, 16, unsigned char, "u8", unsigned char, unsigned, "r", 4, 16, 1, 4)
TILESCOPE_FACTORS(8, 32, 16, unsigned char, "u8", unsigned char, unsigned, "r", 1, 4, 4, 16)
TILESCOPE_FACTORS(16, 16, 8, precision::tf32, "tf32", float, unsigned, "r", 4, 4, 4, 4)
TILESCOPE_FACTORS(8, 8, 4, double, "f64", double, double, "d", 1, 1, 1, 1)
#undef TILESCOPE_FACTORS
#undef TILESCOPE_FACTOR
#undef TILESCOPE_LOAD

// What products are added to, and become.
#define TILESCOPE_LOADED(M, N, K, ptx, layout, how, registers)                            \
    asm volatile("wmma.load.c.sync.aligned." layout TILESCOPE_SHAPE(                      \
                     M, N, K) "." ptx " " TILESCOPE_TEXT##registers(d) ", [%[p]], %[ld];" \
                 : TILESCOPE_LIST##registers(d, "=" how)                                  \
                 : [p] "l"(p), [ld] "r"(ld)                                               \
                 : "memory")
#define TILESCOPE_STORED(M, N, K, ptx, layout, how, registers)                                                         \
    asm volatile("wmma.store.d.sync.aligned." layout TILESCOPE_SHAPE(                                                  \
                     M, N, K) "." ptx                                                                                  \
                              " [%[p]], " TILESCOPE_TEXT##registers(d) ", %[ld];" ::TILESCOPE_LIST##registers(d, how), \
                 [p] "l"(p), [ld] "r"(ld)                                                                              \
                 : "memory")
#define TILESCOPE_SUMS(M, N, K, T, ptx, Word, how, registers, count)                                    \
    template <>                                                                                         \
    class fragment<accumulator, M, N, K, T, void> : public details::elements<T, count> {};              \
    TILESCOPE_MMA void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* p, unsigned ld,  \
                                        layout_t layout) {                                              \
        Word d[registers];                                                                              \
        if (layout == mem_row_major)                                                                    \
            TILESCOPE_LOADED(M, N, K, ptx, "row", how, registers);                                      \
        else                                                                                            \
            TILESCOPE_LOADED(M, N, K, ptx, "col", how, registers);                                      \
        memcpy(static_cast<void*>(f.x), d, sizeof(d));                                                  \
    }                                                                                                   \
    TILESCOPE_MMA void store_matrix_sync(T* p, const fragment<accumulator, M, N, K, T>& f, unsigned ld, \
                                         layout_t layout) {                                             \
        Word d[registers];                                                                              \
        memcpy(d, static_cast<const void*>(f.x), sizeof(d));                                            \
        if (layout == mem_row_major)                                                                    \
            TILESCOPE_STORED(M, N, K, ptx, "row", how, registers);                                      \
        else                                                                                            \
            TILESCOPE_STORED(M, N, K, ptx, "col", how, registers);                                      \
    }
#define TILESCOPE_ALL_SUMS(M, N, K)                             \
    TILESCOPE_SUMS(M, N, K, __half, "f16", unsigned, "r", 4, 8) \
    TILESCOPE_SUMS(M, N, K, float, "f32", float, "f", 8, 8)     \
    TILESCOPE_SUMS(M, N, K, int, "s32", int, "r", 8, 8)
TILESCOPE_ALL_SUMS(16, 16, 16)
TILESCOPE_ALL_SUMS(32, 8, 16)
TILESCOPE_ALL_SUMS(8, 32, 16)
TILESCOPE_SUMS(16, 16, 8, float, "f32", float, "f", 8, 8)
TILESCOPE_SUMS(8, 8, 4, double, "f64", double, "d", 2, 2)
#undef TILESCOPE_ALL_SUMS
#undef TILESCOPE_SUMS
#undef TILESCOPE_STORED
#undef TILESCOPE_LOADED

}  // namespace wmma
}  // namespace nvcuda
