// Products and sums of PTX, some with a rounding and some without, in one block: which of them ptxas makes one
// multiply-add is certain, whatever surrounds them, and what they mean is written down beside.
//
// Guarantees: one factor of each product is a value that no compiler knows; two that it knew would be multiplied, and
// rounded, beforehand.
#pragma once

#include <cmath>
#include <cstring>

#include "meaning_on_both.h"
#if defined(RANDOM_HALF)
#include "halves_on_host.h"
#endif

namespace both {

#if defined(__CUDACC__)
static __device__ unsigned nothing;  // 0
#endif
#if defined(__CUDA_ARCH__)
static __device__ inline unsigned zero() {
    unsigned bits;
    asm volatile("ld.volatile.global.u32 %0,[%1];" : "=r"(bits) : "l"(&nothing));
    return bits;
}
#endif

// What a type is to PTX: an integer of its bits, in a register of the letter.
template <class T>
struct Raw;
template <>
struct Raw<float> {
    using Bits = unsigned;
};
template <>
struct Raw<double> {
    using Bits = unsigned long long;
};
#if defined(RANDOM_HALF)
template <>
struct Raw<__half> {
    using Bits = unsigned short;
};
template <>
struct Raw<__half2> {
    using Bits = unsigned;
};
#endif
#if defined(RANDOM_BFLOAT16)
template <>
struct Raw<__nv_bfloat16> {
    using Bits = unsigned short;
};
template <>
struct Raw<__nv_bfloat162> {
    using Bits = unsigned;
};
#endif
template <class To, class From>
RANDOM_BOTH To same(From x) {
    static_assert(sizeof(To) == sizeof(From), "of one size");
    To result;
    memcpy(&result, &x, sizeof x);
    return result;
}

// On the host: rounded once, each.
#define RANDOM_SINGLE_STEPS(T)                                  \
    inline T fused(T x, T y, T z) { return std::fma(x, y, z); } \
    inline T times(T x, T y) { return x * y; }                  \
    inline T plus(T x, T y) { return x + y; }                   \
    inline T minus(T x) { return -x; }
RANDOM_SINGLE_STEPS(float)
RANDOM_SINGLE_STEPS(double)
#undef RANDOM_SINGLE_STEPS
#define RANDOM_HALF_STEPS(H, pair)                                           \
    inline H fused(H x, H y, H z) { return reference::hfma##pair(x, y, z); } \
    inline H times(H x, H y) { return reference::hmul##pair##_rn(x, y); }    \
    inline H plus(H x, H y) { return reference::hadd##pair(x, y); }          \
    inline H minus(H x) { return reference::hneg##pair(x); }
#if defined(RANDOM_HALF)
RANDOM_HALF_STEPS(__half, )
RANDOM_HALF_STEPS(__half2, 2)
#endif
#if defined(RANDOM_BFLOAT16)
RANDOM_HALF_STEPS(__nv_bfloat16, )
RANDOM_HALF_STEPS(__nv_bfloat162, 2)
#endif
#undef RANDOM_HALF_STEPS
// Code that is made for a debugger is not fused.
template <class T>
T joined(T x, T y, T z) {
#ifdef RANDOM_FUSES_NOTHING
    return plus(times(x, y), z);
#else
    return fused(x, y, z);
#endif
}

// name(x, y, z, w, v): PTX with p and q to keep values in, of no type, as PTX has no registers of bf16, and what it
// means.
#if defined(__CUDA_ARCH__)
#define RANDOM_CONTRACTED(name, T, letter, of, lines, meaning)                                    \
    RANDOM_BOTH T name(T x, T y, T z, T w, T v) {                                                 \
        using R = Raw<T>::Bits;                                                                   \
        const R none = static_cast<R>(zero());                                                    \
        R r;                                                                                      \
        asm("{.reg ." of " p,q,s;" lines "}"                                                      \
            : "=" letter(r)                                                                       \
            : letter(static_cast<R>(same<R>(x) | none)), letter(same<R>(y)),                      \
              letter(static_cast<R>(same<R>(z) | none)), letter(same<R>(w)), letter(same<R>(v))); \
        return same<T>(r);                                                                        \
    }
#else
#define RANDOM_CONTRACTED(name, T, letter, of, lines, meaning) \
    RANDOM_BOTH T name(T x, T y, T z, T w, T v) {              \
        (void)w, (void)v;                                      \
        return meaning;                                        \
    }
#endif
#define RANDOM_CONTRACTED_ALL(T, letter, t, of)                                                                        \
    RANDOM_CONTRACTED(product_plus, T, letter, of, "mul." t " p,%1,%2;add." t " %0,p,%3;", joined(x, y, z))            \
    RANDOM_CONTRACTED(plus_product, T, letter, of, "mul." t " p,%1,%2;add." t " %0,%3,p;", joined(x, y, z))            \
    RANDOM_CONTRACTED(product_minus, T, letter, of, "mul." t " p,%1,%2;sub." t " %0,p,%3;", joined(x, y, minus(z)))    \
    RANDOM_CONTRACTED(minus_product, T, letter, of, "mul." t " p,%1,%2;sub." t " %0,%3,p;", joined(minus(x), y, z))    \
    RANDOM_CONTRACTED(horner, T, letter, of, "mul." t " p,%1,%2;add." t " p,p,%3;mul." t " p,p,%4;add." t " %0,p,%5;", \
                      joined(joined(x, y, z), w, v))                                                                   \
    RANDOM_CONTRACTED(two_products, T, letter, of,                                                                     \
                      "mul." t " p,%1,%2;mul." t " q,%3,%4;add." t " p,p,q;add." t " %0,p,%5;",                        \
                      plus(joined(x, y, times(z, w)), v))                                                              \
    RANDOM_CONTRACTED(later_product, T, letter, of,                                                                    \
                      "mul." t " q,%3,%4;mul." t " p,%1,%2;sub." t " s,p,q;mul." t " s,s,%5;add." t " %0,s,%1;",       \
                      joined(joined(x, y, minus(times(z, w))), v, x))                                                  \
    RANDOM_CONTRACTED(two_sums, T, letter, of,                                                                         \
                      "mul." t " p,%1,%2;add." t " q,p,%4;sub." t " s,%5,p;mul.rn." t " %0,q,s;",                      \
                      times(joined(x, y, w), joined(minus(x), y, v)))                                                  \
    RANDOM_CONTRACTED(kept_product, T, letter, of, "mul." t " p,%1,%2;add." t " q,p,%4;mul.rn." t " %0,p,q;",          \
                      times(times(x, y), plus(times(x, y), w)))                                                        \
    RANDOM_CONTRACTED(product_twice, T, letter, of, "mul." t " p,%1,%2;add." t " q,p,p;add.rn." t " %0,q,%4;",         \
                      plus(plus(times(x, y), times(x, y)), w))                                                         \
    RANDOM_CONTRACTED(rounded_product, T, letter, of, "mul.rn." t " p,%1,%2;add." t " %0,p,%3;", plus(times(x, y), z)) \
    RANDOM_CONTRACTED(rounded_sum, T, letter, of, "mul." t " p,%1,%2;sub.rn." t " %0,p,%3;",                           \
                      plus(times(x, y), minus(z)))                                                                     \
    RANDOM_CONTRACTED(rounded_between, T, letter, of,                                                                  \
                      "mul." t " p,%1,%2;add.rn." t " p,p,%4;mul.rn." t " q,p,%5;add." t " p,q,%3;add." t " %0,p,%1;", \
                      plus(plus(times(plus(times(x, y), w), v), z), x))
RANDOM_CONTRACTED_ALL(float, "r", "f32", "b32")
RANDOM_CONTRACTED_ALL(double, "l", "f64", "b64")
#if defined(RANDOM_HALF)
RANDOM_CONTRACTED_ALL(__half, "h", "f16", "b16")
RANDOM_CONTRACTED_ALL(__half2, "r", "f16x2", "b32")
#endif
#if defined(RANDOM_BFLOAT16)
RANDOM_CONTRACTED_ALL(__nv_bfloat16, "h", "bf16", "b16")
RANDOM_CONTRACTED_ALL(__nv_bfloat162, "r", "bf16x2", "b32")
#endif
#undef RANDOM_CONTRACTED_ALL
#undef RANDOM_CONTRACTED

}  // namespace both
