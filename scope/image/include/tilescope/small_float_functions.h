// What __half and __nv_bfloat16 have alike, by the same names: included once by the header of each, which says what
// they are: TILESCOPE_SMALL and TILESCOPE_PAIR, the types; TILESCOPE_SMALL_PTX and TILESCOPE_PAIR_PTX, their names in
// PTX; TILESCOPE_NATIVE, where the device has instructions for all of it; TILESCOPE_FLOAT(x) and TILESCOPE_ROUNDED(x),
// from and to float; TILESCOPE_SMALL_BITS(bits) and TILESCOPE_PAIR_BITS(bits); the names of conversions.
//
// Guarantees: one instruction where TILESCOPE_NATIVE is set; the same results through float elsewhere.

#define TILESCOPE_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))
#define TILESCOPE_ON_DEVICE static __inline__ __attribute__((device, always_inline))

TILESCOPE_BOTH unsigned int __tilescope_pair_bits(TILESCOPE_PAIR x) { return x.x.__x | ((unsigned int)x.y.__x << 16); }

// To and from integers, in each rounding: one PTX cvt, which saturates.
#if TILESCOPE_NATIVE
#define TILESCOPE_TO(to, name, mode, rounding, type, c, as, host)                                      \
    TILESCOPE_BOTH to TILESCOPE_SMALL_TO(name##_##mode)(TILESCOPE_SMALL x) {                           \
        as result;                                                                                     \
        asm("cvt." rounding "." type "." TILESCOPE_SMALL_PTX " %0, %1;" : "=" c(result) : "h"(x.__x)); \
        return (to)result;                                                                             \
    }
#define TILESCOPE_FROM(from, name, mode, rounding, type, c, wide)                             \
    TILESCOPE_BOTH TILESCOPE_SMALL TILESCOPE_SMALL_FROM(name, mode)(from x) {                 \
        unsigned short bits;                                                                  \
        asm("cvt." rounding "." TILESCOPE_SMALL_PTX "." type " %0, %1;" : "=h"(bits) : c(x)); \
        return TILESCOPE_SMALL_BITS(bits);                                                    \
    }
#else
#define TILESCOPE_TO(to, name, mode, rounding, type, c, as, host)                               \
    TILESCOPE_BOTH to TILESCOPE_SMALL_TO(name##_##mode)(TILESCOPE_SMALL x) {                    \
        const bool has_sign = (to)-1 < 0;                                                       \
        const int bits = 8 * sizeof(to) - (has_sign ? 1 : 0);                                   \
        const float end = 2.0f * (float)(1ull << (bits - 1)), whole = host(TILESCOPE_FLOAT(x)); \
        if (whole != whole) return sizeof(to) == 8 ? (to)(1ull << 63) : (to)0;                  \
        if (whole >= end) return (to)(~0ull >> (64 - bits));                                    \
        if (has_sign) return whole < -end ? (to)-end : (to)whole;                               \
        return whole < 0 ? (to)0 : (to)whole;                                                   \
    }
#define TILESCOPE_FROM(from, name, mode, rounding, type, c, wide)                       \
    TILESCOPE_BOTH TILESCOPE_SMALL TILESCOPE_SMALL_FROM(name, mode)(from x) {           \
        return TILESCOPE_SMALL_BITS(TILESCOPE_OF_INTEGER((wide)x, __tilescope_##mode)); \
    }
#endif
#define TILESCOPE_INTEGER(type, name, ptx, c, as, wide)               \
    TILESCOPE_TO(type, name, rn, "rni", ptx, c, as, __builtin_rintf)  \
    TILESCOPE_TO(type, name, rz, "rzi", ptx, c, as, __builtin_truncf) \
    TILESCOPE_TO(type, name, rd, "rmi", ptx, c, as, __builtin_floorf) \
    TILESCOPE_TO(type, name, ru, "rpi", ptx, c, as, __builtin_ceilf)  \
    TILESCOPE_FROM(type, name, rn, "rn", ptx, c, wide)                \
    TILESCOPE_FROM(type, name, rz, "rz", ptx, c, wide)                \
    TILESCOPE_FROM(type, name, rd, "rm", ptx, c, wide)                \
    TILESCOPE_FROM(type, name, ru, "rp", ptx, c, wide)
TILESCOPE_INTEGER(int, int, "s32", "r", int, long long)
TILESCOPE_INTEGER(unsigned int, uint, "u32", "r", unsigned int, unsigned long long)
TILESCOPE_INTEGER(short, short, "s16", "h", short, long long)
TILESCOPE_INTEGER(unsigned short, ushort, "u16", "h", unsigned short, unsigned long long)
TILESCOPE_INTEGER(long long, ll, "s64", "l", long long, long long)
TILESCOPE_INTEGER(unsigned long long, ull, "u64", "l", unsigned long long, unsigned long long)
TILESCOPE_TO(signed char, char, rz, "rzi", "s8", "h", short, __builtin_truncf)
TILESCOPE_TO(unsigned char, uchar, rz, "rzi", "u8", "h", unsigned short, __builtin_truncf)
#undef TILESCOPE_INTEGER
#undef TILESCOPE_TO
#undef TILESCOPE_FROM

// The members that the types declare.
#define TILESCOPE_MEMBER(name, type, as)                                \
    __host__ __device__ inline TILESCOPE_SMALL::TILESCOPE_SMALL(type x) \
        : TILESCOPE_SMALL(TILESCOPE_SMALL_FROM(name, rn)((as)x)) {}     \
    __host__ __device__ inline TILESCOPE_SMALL::operator type() const { \
        return (type)TILESCOPE_SMALL_TO(name##_rz)(*this);              \
    }
TILESCOPE_MEMBER(short, short, short)
TILESCOPE_MEMBER(ushort, unsigned short, unsigned short)
TILESCOPE_MEMBER(int, int, int)
TILESCOPE_MEMBER(uint, unsigned int, unsigned int)
TILESCOPE_MEMBER(ll, long, long long)
TILESCOPE_MEMBER(ull, unsigned long, unsigned long long)
TILESCOPE_MEMBER(ll, long long, long long)
TILESCOPE_MEMBER(ull, unsigned long long, unsigned long long)
#undef TILESCOPE_MEMBER
__host__ __device__ inline TILESCOPE_SMALL::operator signed char() const { return TILESCOPE_SMALL_TO(char_rz)(*this); }
__host__ __device__ inline TILESCOPE_SMALL::operator unsigned char() const {
    return TILESCOPE_SMALL_TO(uchar_rz)(*this);
}
__host__ __device__ inline TILESCOPE_SMALL::operator char() const { return (char)TILESCOPE_SMALL_TO(char_rz)(*this); }

// Comparisons: false where one is not a number; those with a u are true there. Of pairs: 1 and 0, masks, or whether
// both.
#if TILESCOPE_NATIVE
#define TILESCOPE_COMPARE_PAIR(mode, scalar)                                     \
    unsigned int bits;                                                           \
    asm("set." mode "." TILESCOPE_PAIR_PTX "." TILESCOPE_PAIR_PTX " %0, %1, %2;" \
        : "=r"(bits)                                                             \
        : "r"(__tilescope_pair_bits(x)), "r"(__tilescope_pair_bits(y)));         \
    return TILESCOPE_PAIR_BITS(bits)
#define TILESCOPE_COMPARE_MASK(mode, scalar)                             \
    unsigned int bits;                                                   \
    asm("set." mode ".u32." TILESCOPE_PAIR_PTX " %0, %1, %2;"            \
        : "=r"(bits)                                                     \
        : "r"(__tilescope_pair_bits(x)), "r"(__tilescope_pair_bits(y))); \
    return bits
#else
#define TILESCOPE_COMPARE_PAIR(mode, scalar)                                 \
    return TILESCOPE_PAIR(TILESCOPE_ROUNDED(scalar(x.x, y.x) ? 1.0f : 0.0f), \
                          TILESCOPE_ROUNDED(scalar(x.y, y.y) ? 1.0f : 0.0f))
#define TILESCOPE_COMPARE_MASK(mode, scalar) \
    return (scalar(x.x, y.x) ? 0xffffu : 0u) | (scalar(x.y, y.y) ? 0xffff0000u : 0u)
#endif
#define TILESCOPE_COMPARE(name, mode, condition)                                        \
    TILESCOPE_BOTH bool __h##name(TILESCOPE_SMALL x, TILESCOPE_SMALL y) {               \
        const float a = TILESCOPE_FLOAT(x), b = TILESCOPE_FLOAT(y);                     \
        return condition;                                                               \
    }                                                                                   \
    TILESCOPE_BOTH TILESCOPE_PAIR __h##name##2(TILESCOPE_PAIR x, TILESCOPE_PAIR y) {    \
        TILESCOPE_COMPARE_PAIR(mode, __h##name);                                        \
    }                                                                                   \
    TILESCOPE_BOTH unsigned int __h##name##2_mask(TILESCOPE_PAIR x, TILESCOPE_PAIR y) { \
        TILESCOPE_COMPARE_MASK(mode, __h##name);                                        \
    }                                                                                   \
    TILESCOPE_BOTH bool __hb##name##2(TILESCOPE_PAIR x, TILESCOPE_PAIR y) {             \
        return __h##name(x.x, y.x) && __h##name(x.y, y.y);                              \
    }
TILESCOPE_COMPARE(eq, "eq", a == b)
TILESCOPE_COMPARE(ne, "ne", a<b || a> b)
TILESCOPE_COMPARE(lt, "lt", a < b)
TILESCOPE_COMPARE(le, "le", a <= b)
TILESCOPE_COMPARE(gt, "gt", a > b)
TILESCOPE_COMPARE(ge, "ge", a >= b)
TILESCOPE_COMPARE(equ, "equ", !(a < b || a > b))
TILESCOPE_COMPARE(neu, "neu", a != b)
TILESCOPE_COMPARE(ltu, "ltu", !(a >= b))
TILESCOPE_COMPARE(leu, "leu", !(a > b))
TILESCOPE_COMPARE(gtu, "gtu", !(a <= b))
TILESCOPE_COMPARE(geu, "geu", !(a < b))
#undef TILESCOPE_COMPARE

TILESCOPE_BOTH bool __hisnan(TILESCOPE_SMALL x) {
    const float a = TILESCOPE_FLOAT(x);
    return a != a;
}
TILESCOPE_BOTH TILESCOPE_PAIR __tilescope_nan2(TILESCOPE_PAIR x, TILESCOPE_PAIR y) {
#define TILESCOPE_EITHER_NAN(a, b) (__hisnan(a) || __hisnan(b))
    TILESCOPE_COMPARE_PAIR("nan", TILESCOPE_EITHER_NAN);
#undef TILESCOPE_EITHER_NAN
}
TILESCOPE_BOTH TILESCOPE_PAIR __hisnan2(TILESCOPE_PAIR x) { return __tilescope_nan2(x, x); }
TILESCOPE_BOTH int __hisinf(TILESCOPE_SMALL x) {
    const float a = TILESCOPE_FLOAT(x);
    return a == __builtin_inff() ? 1 : a == -__builtin_inff() ? -1 : 0;
}
#undef TILESCOPE_COMPARE_PAIR
#undef TILESCOPE_COMPARE_MASK

// Instructions of two or three operands, of one element and of a pair. The last argument is the result through float.
#define TILESCOPE_NUMBERS2 [[maybe_unused]] const float a = TILESCOPE_FLOAT(x), b = TILESCOPE_FLOAT(y)
#if TILESCOPE_NATIVE
#define TILESCOPE_INSTRUCTION2(name, name2, instruction, through_float)                         \
    TILESCOPE_BOTH TILESCOPE_SMALL name(TILESCOPE_SMALL x, TILESCOPE_SMALL y) {                 \
        unsigned short bits;                                                                    \
        asm("{ " instruction(TILESCOPE_SMALL_PTX) "; }" : "=h"(bits) : "h"(x.__x), "h"(y.__x)); \
        return TILESCOPE_SMALL_BITS(bits);                                                      \
    }                                                                                           \
    TILESCOPE_BOTH TILESCOPE_PAIR name2(TILESCOPE_PAIR x, TILESCOPE_PAIR y) {                   \
        unsigned int bits;                                                                      \
        asm("{ " instruction(TILESCOPE_PAIR_PTX) "; }"                                          \
            : "=r"(bits)                                                                        \
            : "r"(__tilescope_pair_bits(x)), "r"(__tilescope_pair_bits(y)));                    \
        return TILESCOPE_PAIR_BITS(bits);                                                       \
    }
#else
#define TILESCOPE_INSTRUCTION2(name, name2, instruction, through_float)         \
    TILESCOPE_BOTH TILESCOPE_SMALL name(TILESCOPE_SMALL x, TILESCOPE_SMALL y) { \
        TILESCOPE_NUMBERS2;                                                     \
        return TILESCOPE_ROUNDED(through_float);                                \
    }                                                                           \
    TILESCOPE_BOTH TILESCOPE_PAIR name2(TILESCOPE_PAIR x, TILESCOPE_PAIR y) {   \
        return TILESCOPE_PAIR(name(x.x, y.x), name(x.y, y.y));                  \
    }
#endif
// Extremes: zeros of either sign are told apart.
TILESCOPE_BOTH float __tilescope_max_of(TILESCOPE_SMALL x, TILESCOPE_SMALL y) {
    TILESCOPE_NUMBERS2;
    return a != a ? b : b != b ? a : a > b || (a == b && !(x.__x & 0x8000)) ? a : b;
}
TILESCOPE_BOTH float __tilescope_min_of(TILESCOPE_SMALL x, TILESCOPE_SMALL y) {
    TILESCOPE_NUMBERS2;
    return a != a ? b : b != b ? a : a < b || (a == b && (x.__x & 0x8000)) ? a : b;
}
#define TILESCOPE_OF2_max(type) "max." type " %0, %1, %2"
#define TILESCOPE_OF2_min(type) "min." type " %0, %1, %2"
#define TILESCOPE_OF2_max_nan(type) "max.NaN." type " %0, %1, %2"
#define TILESCOPE_OF2_min_nan(type) "min.NaN." type " %0, %1, %2"
TILESCOPE_INSTRUCTION2(__hmax, __hmax2, TILESCOPE_OF2_max, __tilescope_max_of(x, y))
TILESCOPE_INSTRUCTION2(__hmin, __hmin2, TILESCOPE_OF2_min, __tilescope_min_of(x, y))
TILESCOPE_INSTRUCTION2(__hmax_nan, __hmax2_nan, TILESCOPE_OF2_max_nan,
                       a != a   ? a
                       : b != b ? b
                                : __tilescope_max_of(x, y))
TILESCOPE_INSTRUCTION2(__hmin_nan, __hmin2_nan, TILESCOPE_OF2_min_nan,
                       a != a   ? a
                       : b != b ? b
                                : __tilescope_min_of(x, y))

// Of whatever is rounded once, then kept between 0 and 1: not a number becomes 0.
#define TILESCOPE_SATURATED(name, rounded)                                                                \
    TILESCOPE_BOTH TILESCOPE_SMALL __h##name##_sat(TILESCOPE_SMALL x, TILESCOPE_SMALL y){                 \
        TILESCOPE_SATURATED_##rounded} TILESCOPE_BOTH TILESCOPE_PAIR __h##name##2_sat(TILESCOPE_PAIR x,   \
                                                                                      TILESCOPE_PAIR y) { \
        TILESCOPE_SATURATED2_##rounded                                                                    \
    }
#if TILESCOPE_SATURATES
#define TILESCOPE_SATURATED_BY(instruction)                                              \
    unsigned short bits;                                                                 \
    asm("{" instruction ".sat.f16 %0, %1, %2; }" : "=h"(bits) : "h"(x.__x), "h"(y.__x)); \
    return TILESCOPE_SMALL_BITS(bits);
#define TILESCOPE_SATURATED2_BY(instruction)                             \
    unsigned int bits;                                                   \
    asm("{" instruction ".sat.f16x2 %0, %1, %2; }"                       \
        : "=r"(bits)                                                     \
        : "r"(__tilescope_pair_bits(x)), "r"(__tilescope_pair_bits(y))); \
    return TILESCOPE_PAIR_BITS(bits);
#define TILESCOPE_SATURATED_add TILESCOPE_SATURATED_BY("add")
#define TILESCOPE_SATURATED_sub TILESCOPE_SATURATED_BY("sub")
#define TILESCOPE_SATURATED_mul TILESCOPE_SATURATED_BY("mul")
#define TILESCOPE_SATURATED2_add TILESCOPE_SATURATED2_BY("add")
#define TILESCOPE_SATURATED2_sub TILESCOPE_SATURATED2_BY("sub")
#define TILESCOPE_SATURATED2_mul TILESCOPE_SATURATED2_BY("mul")
#else
#define TILESCOPE_SATURATED_add return TILESCOPE_ROUNDED(__tilescope_saturated(TILESCOPE_FLOAT(__hadd_rn(x, y))));
#define TILESCOPE_SATURATED_sub return TILESCOPE_ROUNDED(__tilescope_saturated(TILESCOPE_FLOAT(__hsub_rn(x, y))));
#define TILESCOPE_SATURATED_mul return TILESCOPE_ROUNDED(__tilescope_saturated(TILESCOPE_FLOAT(__hmul_rn(x, y))));
#define TILESCOPE_SATURATED2_add return TILESCOPE_PAIR(__hadd_sat(x.x, y.x), __hadd_sat(x.y, y.y));
#define TILESCOPE_SATURATED2_sub return TILESCOPE_PAIR(__hsub_sat(x.x, y.x), __hsub_sat(x.y, y.y));
#define TILESCOPE_SATURATED2_mul return TILESCOPE_PAIR(__hmul_sat(x.x, y.x), __hmul_sat(x.y, y.y));
#endif
TILESCOPE_SATURATED(add, add)
TILESCOPE_SATURATED(sub, sub)
TILESCOPE_SATURATED(mul, mul)
#undef TILESCOPE_SATURATED_BY
#undef TILESCOPE_SATURATED2_BY
#undef TILESCOPE_SATURATED_add
#undef TILESCOPE_SATURATED_sub
#undef TILESCOPE_SATURATED_mul
#undef TILESCOPE_SATURATED2_add
#undef TILESCOPE_SATURATED2_sub
#undef TILESCOPE_SATURATED2_mul
#undef TILESCOPE_SATURATED

#if defined(__CUDA__)
#define TILESCOPE_FUSED(name, name2, spelling)                                                              \
    TILESCOPE_ON_DEVICE TILESCOPE_SMALL name(TILESCOPE_SMALL x, TILESCOPE_SMALL y, TILESCOPE_SMALL z) {     \
        unsigned short bits;                                                                                \
        asm("fma.rn" spelling "." TILESCOPE_SMALL_PTX " %0, %1, %2, %3;"                                    \
            : "=h"(bits)                                                                                    \
            : "h"(x.__x), "h"(y.__x), "h"(z.__x));                                                          \
        return TILESCOPE_SMALL_BITS(bits);                                                                  \
    }                                                                                                       \
    TILESCOPE_ON_DEVICE TILESCOPE_PAIR name2(TILESCOPE_PAIR x, TILESCOPE_PAIR y, TILESCOPE_PAIR z) {        \
        unsigned int bits;                                                                                  \
        asm("fma.rn" spelling "." TILESCOPE_PAIR_PTX " %0, %1, %2, %3;"                                     \
            : "=r"(bits)                                                                                    \
            : "r"(__tilescope_pair_bits(x)), "r"(__tilescope_pair_bits(y)), "r"(__tilescope_pair_bits(z))); \
        return TILESCOPE_PAIR_BITS(bits);                                                                   \
    }
TILESCOPE_FUSED(__hfma, __hfma2, "")
TILESCOPE_FUSED(__hfma_relu, __hfma2_relu, ".relu")
#undef TILESCOPE_FUSED
TILESCOPE_ON_DEVICE TILESCOPE_SMALL __hfma_sat(TILESCOPE_SMALL x, TILESCOPE_SMALL y, TILESCOPE_SMALL z) {
    return TILESCOPE_ROUNDED(__tilescope_saturated(TILESCOPE_FLOAT(__hfma(x, y, z))));
}
TILESCOPE_ON_DEVICE TILESCOPE_PAIR __hfma2_sat(TILESCOPE_PAIR x, TILESCOPE_PAIR y, TILESCOPE_PAIR z) {
    return TILESCOPE_PAIR(__hfma_sat(x.x, y.x, z.x), __hfma_sat(x.y, y.y, z.y));
}
// x * y + z of complex numbers, the real part in the pair's low element.
TILESCOPE_ON_DEVICE TILESCOPE_PAIR __hcmadd(TILESCOPE_PAIR x, TILESCOPE_PAIR y, TILESCOPE_PAIR z) {
    const TILESCOPE_SMALL real = __hfma(x.x, y.x, z.x), imaginary = __hfma(x.x, y.y, z.y);
    return TILESCOPE_PAIR(__hfma(__hneg(x.y), y.y, real), __hfma(x.y, y.x, imaginary));
}

// Rounded to integers.
#if TILESCOPE_NATIVE
#define TILESCOPE_TO_WHOLE(name, mode, host)                                                                   \
    TILESCOPE_ON_DEVICE TILESCOPE_SMALL h##name(TILESCOPE_SMALL x) {                                           \
        unsigned short bits;                                                                                   \
        asm("cvt." mode "." TILESCOPE_SMALL_PTX "." TILESCOPE_SMALL_PTX " %0, %1;" : "=h"(bits) : "h"(x.__x)); \
        return TILESCOPE_SMALL_BITS(bits);                                                                     \
    }                                                                                                          \
    TILESCOPE_ON_DEVICE TILESCOPE_PAIR h2##name(TILESCOPE_PAIR x) { return TILESCOPE_PAIR(h##name(x.x), h##name(x.y)); }
#else
#define TILESCOPE_TO_WHOLE(name, mode, host)                         \
    TILESCOPE_ON_DEVICE TILESCOPE_SMALL h##name(TILESCOPE_SMALL x) { \
        return TILESCOPE_ROUNDED(host(TILESCOPE_FLOAT(x)));          \
    }                                                                \
    TILESCOPE_ON_DEVICE TILESCOPE_PAIR h2##name(TILESCOPE_PAIR x) { return TILESCOPE_PAIR(h##name(x.x), h##name(x.y)); }
#endif
TILESCOPE_TO_WHOLE(trunc, "rzi", __builtin_truncf)
TILESCOPE_TO_WHOLE(ceil, "rpi", __builtin_ceilf)
TILESCOPE_TO_WHOLE(floor, "rmi", __builtin_floorf)
TILESCOPE_TO_WHOLE(rint, "rni", __builtin_rintf)
#undef TILESCOPE_TO_WHOLE

TILESCOPE_ON_DEVICE TILESCOPE_SMALL htanh(TILESCOPE_SMALL x) { return TILESCOPE_TANH(x); }
TILESCOPE_ON_DEVICE TILESCOPE_PAIR h2tanh(TILESCOPE_PAIR x) { return TILESCOPE_PAIR(htanh(x.x), htanh(x.y)); }
TILESCOPE_ON_DEVICE TILESCOPE_SMALL htanh_approx(TILESCOPE_SMALL x) {
    unsigned short bits;
    asm("tanh.approx." TILESCOPE_SMALL_PTX " %0, %1;" : "=h"(bits) : "h"(x.__x));
    return TILESCOPE_SMALL_BITS(bits);
}
TILESCOPE_ON_DEVICE TILESCOPE_PAIR h2tanh_approx(TILESCOPE_PAIR x) {
    unsigned int bits;
    asm("tanh.approx." TILESCOPE_PAIR_PTX " %0, %1;" : "=r"(bits) : "r"(__tilescope_pair_bits(x)));
    return TILESCOPE_PAIR_BITS(bits);
}

// Loads and stores that choose their caches, shuffles: as of integers of their width.
#define TILESCOPE_SMALL_LOAD(name)                                       \
    TILESCOPE_ON_DEVICE TILESCOPE_SMALL name(const TILESCOPE_SMALL* p) { \
        return TILESCOPE_SMALL_BITS(name((const unsigned short*)p));     \
    }                                                                    \
    TILESCOPE_ON_DEVICE TILESCOPE_PAIR name(const TILESCOPE_PAIR* p) {   \
        return TILESCOPE_PAIR_BITS(name((const unsigned int*)p));        \
    }
#define TILESCOPE_SMALL_STORE(name)                                                                           \
    TILESCOPE_ON_DEVICE void name(TILESCOPE_SMALL* p, TILESCOPE_SMALL x) { name((unsigned short*)p, x.__x); } \
    TILESCOPE_ON_DEVICE void name(TILESCOPE_PAIR* p, TILESCOPE_PAIR x) {                                      \
        name((unsigned int*)p, __tilescope_pair_bits(x));                                                     \
    }
TILESCOPE_SMALL_LOAD(__ldg)
TILESCOPE_SMALL_LOAD(__ldca)
TILESCOPE_SMALL_LOAD(__ldcg)
TILESCOPE_SMALL_LOAD(__ldcs)
TILESCOPE_SMALL_LOAD(__ldlu)
TILESCOPE_SMALL_LOAD(__ldcv)
TILESCOPE_SMALL_STORE(__stwb)
TILESCOPE_SMALL_STORE(__stcg)
TILESCOPE_SMALL_STORE(__stcs)
TILESCOPE_SMALL_STORE(__stwt)
#undef TILESCOPE_SMALL_LOAD
#undef TILESCOPE_SMALL_STORE

#define TILESCOPE_SMALL_SHUFFLE(name, offset_type)                                                                   \
    TILESCOPE_ON_DEVICE TILESCOPE_SMALL name(unsigned mask, TILESCOPE_SMALL x, offset_type offset, int width = 32) { \
        return TILESCOPE_SMALL_BITS((unsigned short)name(mask, (unsigned int)x.__x, offset, width));                 \
    }                                                                                                                \
    TILESCOPE_ON_DEVICE TILESCOPE_PAIR name(unsigned mask, TILESCOPE_PAIR x, offset_type offset, int width = 32) {   \
        return TILESCOPE_PAIR_BITS(name(mask, __tilescope_pair_bits(x), offset, width));                             \
    }
TILESCOPE_SMALL_SHUFFLE(__shfl_sync, int)
TILESCOPE_SMALL_SHUFFLE(__shfl_up_sync, unsigned int)
TILESCOPE_SMALL_SHUFFLE(__shfl_down_sync, unsigned int)
TILESCOPE_SMALL_SHUFFLE(__shfl_xor_sync, int)
#undef TILESCOPE_SMALL_SHUFFLE
#endif

// Operators.
#define TILESCOPE_SMALL_ARITHMETIC(type, op, name)                                       \
    TILESCOPE_BOTH type operator op(const type& x, const type& y) { return name(x, y); } \
    TILESCOPE_BOTH type& operator op##=(type& x, const type& y) { return x = name(x, y); }
#define TILESCOPE_SMALL_STEP(type, op, name, one)                          \
    TILESCOPE_BOTH type& operator op(type& x) { return x = name(x, one); } \
    TILESCOPE_BOTH type operator op(type& x, int) {                        \
        const type before = x;                                             \
        x = name(x, one);                                                  \
        return before;                                                     \
    }
#define TILESCOPE_SMALL_OPERATORS(type, two, b, tail, one)                                           \
    TILESCOPE_SMALL_ARITHMETIC(type, +, __hadd##tail)                                                \
    TILESCOPE_SMALL_ARITHMETIC(type, -, __hsub##tail)                                                \
    TILESCOPE_SMALL_ARITHMETIC(type, *, __hmul##tail)                                                \
    TILESCOPE_SMALL_ARITHMETIC(type, /, __h##two##div)                                               \
    TILESCOPE_SMALL_STEP(type, ++, __hadd##tail, one)                                                \
    TILESCOPE_SMALL_STEP(type, --, __hsub##tail, one)                                                \
    TILESCOPE_BOTH type operator+(const type& x) { return x; }                                       \
    TILESCOPE_BOTH type operator-(const type& x) { return __hneg##tail(x); }                         \
    TILESCOPE_BOTH bool operator==(const type& x, const type& y) { return __h##b##eq##tail(x, y); }  \
    TILESCOPE_BOTH bool operator!=(const type& x, const type& y) { return __h##b##neu##tail(x, y); } \
    TILESCOPE_BOTH bool operator<(const type& x, const type& y) { return __h##b##lt##tail(x, y); }   \
    TILESCOPE_BOTH bool operator<=(const type& x, const type& y) { return __h##b##le##tail(x, y); }  \
    TILESCOPE_BOTH bool operator>(const type& x, const type& y) { return __h##b##gt##tail(x, y); }   \
    TILESCOPE_BOTH bool operator>=(const type& x, const type& y) { return __h##b##ge##tail(x, y); }
TILESCOPE_SMALL_OPERATORS(TILESCOPE_SMALL, , , , TILESCOPE_ROUNDED(1.0f))
TILESCOPE_SMALL_OPERATORS(TILESCOPE_PAIR, 2, b, 2, TILESCOPE_PAIR(TILESCOPE_ROUNDED(1.0f), TILESCOPE_ROUNDED(1.0f)))
#undef TILESCOPE_SMALL_OPERATORS
#undef TILESCOPE_SMALL_STEP
#undef TILESCOPE_SMALL_ARITHMETIC

#undef TILESCOPE_INSTRUCTION2
#undef TILESCOPE_NUMBERS2
#undef TILESCOPE_OF2_max
#undef TILESCOPE_OF2_min
#undef TILESCOPE_OF2_max_nan
#undef TILESCOPE_OF2_min_nan
#undef TILESCOPE_BOTH
#undef TILESCOPE_ON_DEVICE
#undef TILESCOPE_SMALL
#undef TILESCOPE_PAIR
#undef TILESCOPE_SMALL_PTX
#undef TILESCOPE_PAIR_PTX
#undef TILESCOPE_NATIVE
#undef TILESCOPE_SATURATES
#undef TILESCOPE_FLOAT
#undef TILESCOPE_ROUNDED
#undef TILESCOPE_SMALL_BITS
#undef TILESCOPE_PAIR_BITS
#undef TILESCOPE_TANH
#undef TILESCOPE_SMALL_TO
#undef TILESCOPE_SMALL_FROM
#undef TILESCOPE_OF_INTEGER
