// The functions of libdevice that are one PTX instruction or a few: arithmetic with a rounding, conversions, bits.
//
// Guarantees: the same instructions that nvcc emits for them. What is not defined here or in libdevice_math.h stays an
// external __nv_ function, which the machine that runs the PTX supplies.
#pragma once

#define TILESCOPE_NV(result, name, ...) \
    extern "C" inline __attribute__((device, always_inline)) result __nv_##name(__VA_ARGS__)

// The builtins of floats: their forms that flush subnormals where -ftz=true asks for it.
#ifdef TILESCOPE_FLUSHES
#define TILESCOPE_FTZ ".ftz"
#define TILESCOPE_NVVM_F(builtin) __nvvm_##builtin##_ftz_f
#else
#define TILESCOPE_FTZ ""
#define TILESCOPE_NVVM_F(builtin) __nvvm_##builtin##_f
#endif
#define TILESCOPE_NVVM_D(builtin) __nvvm_##builtin##_d

// name##_rn, _rz, _rd, _ru from the builtin's _rn, _rz, _rm, _rp.
#define TILESCOPE_ROUNDED2(type, name, builtin, nvvm, b)                                                \
    TILESCOPE_NV(type, name##_rn, type x, type y) { return TILESCOPE_NVVM_##nvvm(builtin##_rn)(x, b); } \
    TILESCOPE_NV(type, name##_rz, type x, type y) { return TILESCOPE_NVVM_##nvvm(builtin##_rz)(x, b); } \
    TILESCOPE_NV(type, name##_rd, type x, type y) { return TILESCOPE_NVVM_##nvvm(builtin##_rm)(x, b); } \
    TILESCOPE_NV(type, name##_ru, type x, type y) { return TILESCOPE_NVVM_##nvvm(builtin##_rp)(x, b); }
#define TILESCOPE_ROUNDED1(type, name, builtin, nvvm)                                        \
    TILESCOPE_NV(type, name##_rn, type x) { return TILESCOPE_NVVM_##nvvm(builtin##_rn)(x); } \
    TILESCOPE_NV(type, name##_rz, type x) { return TILESCOPE_NVVM_##nvvm(builtin##_rz)(x); } \
    TILESCOPE_NV(type, name##_rd, type x) { return TILESCOPE_NVVM_##nvvm(builtin##_rm)(x); } \
    TILESCOPE_NV(type, name##_ru, type x) { return TILESCOPE_NVVM_##nvvm(builtin##_rp)(x); }
#define TILESCOPE_ROUNDED3(type, name, nvvm)                                                                 \
    TILESCOPE_NV(type, name##_rn, type x, type y, type z) { return TILESCOPE_NVVM_##nvvm(fma_rn)(x, y, z); } \
    TILESCOPE_NV(type, name##_rz, type x, type y, type z) { return TILESCOPE_NVVM_##nvvm(fma_rz)(x, y, z); } \
    TILESCOPE_NV(type, name##_rd, type x, type y, type z) { return TILESCOPE_NVVM_##nvvm(fma_rm)(x, y, z); } \
    TILESCOPE_NV(type, name##_ru, type x, type y, type z) { return TILESCOPE_NVVM_##nvvm(fma_rp)(x, y, z); }

TILESCOPE_ROUNDED2(float, fadd, add, F, y)
TILESCOPE_ROUNDED2(float, fsub, add, F, -y)
TILESCOPE_ROUNDED2(float, fmul, mul, F, y)
TILESCOPE_ROUNDED2(double, dadd, add, D, y)
TILESCOPE_ROUNDED2(double, dsub, add, D, -y)
TILESCOPE_ROUNDED2(double, dmul, mul, D, y)
TILESCOPE_ROUNDED2(double, ddiv, div, D, y)
TILESCOPE_ROUNDED1(double, drcp, rcp, D)
TILESCOPE_ROUNDED1(float, fsqrt, sqrt, F)
TILESCOPE_ROUNDED1(double, dsqrt, sqrt, D)
TILESCOPE_ROUNDED3(float, fmaf, F)
#define TILESCOPE_NVVM_IEEE(builtin) __nvvm_##builtin##_f  // subnormals whatever the flags
TILESCOPE_ROUNDED3(float, fmaf_ieee, IEEE)
TILESCOPE_ROUNDED3(double, fma, D)

// Divisions. Where -prec-div=false makes those of the program approximate, these by inline PTX: LLVM takes its own
// builtins for a division of the program.
#ifdef TILESCOPE_APPROXIMATE_DIVISION
#define TILESCOPE_DIVISION(mode, rounding)                                                     \
    TILESCOPE_NV(float, fdiv_##mode, float x, float y) {                                       \
        float result;                                                                          \
        asm("div." rounding TILESCOPE_FTZ ".f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y)); \
        return result;                                                                         \
    }                                                                                          \
    TILESCOPE_NV(float, frcp_##mode, float x) {                                                \
        float result;                                                                          \
        asm("rcp." rounding TILESCOPE_FTZ ".f32 %0, %1;" : "=f"(result) : "f"(x));             \
        return result;                                                                         \
    }
TILESCOPE_DIVISION(rn, "rn")
TILESCOPE_DIVISION(rz, "rz")
TILESCOPE_DIVISION(rd, "rm")
TILESCOPE_DIVISION(ru, "rp")
#undef TILESCOPE_DIVISION
#else
TILESCOPE_ROUNDED2(float, fdiv, div, F, y)
TILESCOPE_ROUNDED1(float, frcp, rcp, F)
#endif

// Conversions to integers: to##_rn and so on, of one PTX cvt each, which saturates. By inline PTX, for of a value that
// the integer cannot hold the compiler makes what it likes when it knows the value.
#define TILESCOPE_TO_INTEGER(to, name, from, mode, rounding, types, out, in) \
    TILESCOPE_NV(to, name##_##mode, from x) {                                \
        to result;                                                           \
        asm("cvt." rounding types " %0, %1;" : "=" out(result) : in(x));     \
        return result;                                                       \
    }
#define TILESCOPE_TO_INTEGERS(to, name, from, types, out, in)       \
    TILESCOPE_TO_INTEGER(to, name, from, rn, "rni", types, out, in) \
    TILESCOPE_TO_INTEGER(to, name, from, rz, "rzi", types, out, in) \
    TILESCOPE_TO_INTEGER(to, name, from, rd, "rmi", types, out, in) \
    TILESCOPE_TO_INTEGER(to, name, from, ru, "rpi", types, out, in)
TILESCOPE_TO_INTEGERS(int, float2int, float, TILESCOPE_FTZ ".s32.f32", "r", "f")
TILESCOPE_TO_INTEGERS(unsigned int, float2uint, float, TILESCOPE_FTZ ".u32.f32", "r", "f")
TILESCOPE_TO_INTEGERS(long long, float2ll, float, TILESCOPE_FTZ ".s64.f32", "l", "f")
TILESCOPE_TO_INTEGERS(unsigned long long, float2ull, float, TILESCOPE_FTZ ".u64.f32", "l", "f")
TILESCOPE_TO_INTEGERS(int, double2int, double, ".s32.f64", "r", "d")
TILESCOPE_TO_INTEGERS(unsigned int, double2uint, double, ".u32.f64", "r", "d")
TILESCOPE_TO_INTEGERS(long long, double2ll, double, ".s64.f64", "l", "d")
TILESCOPE_TO_INTEGERS(unsigned long long, double2ull, double, ".u64.f64", "l", "d")

// Other conversions, of one PTX cvt each.
#ifdef TILESCOPE_FLUSHES
#define TILESCOPE_CONVERTED(to, name, from, builtin, mode, rounding) \
    TILESCOPE_NV(to, name##_##mode, from x) { return __nvvm_##builtin##_##rounding##_ftz(x); }
#else
#define TILESCOPE_CONVERTED(to, name, from, builtin, mode, rounding) \
    TILESCOPE_NV(to, name##_##mode, from x) { return __nvvm_##builtin##_##rounding(x); }
#endif
TILESCOPE_CONVERTED(float, double2float, double, d2f, rn, rn)
TILESCOPE_CONVERTED(float, double2float, double, d2f, rz, rz)
TILESCOPE_CONVERTED(float, double2float, double, d2f, rd, rm)
TILESCOPE_CONVERTED(float, double2float, double, d2f, ru, rp)

// From integers. Toward zero by inline PTX: LLVM takes its own builtins for conversions to the nearest.
#define TILESCOPE_FROM_INTEGER(to, name, from, builtin, types, out, in)      \
    TILESCOPE_NV(to, name##_rn, from x) { return __nvvm_##builtin##_rn(x); } \
    TILESCOPE_NV(to, name##_rz, from x) {                                    \
        to result;                                                           \
        asm("cvt.rz." types " %0, %1;" : "=" out(result) : in(x));           \
        return result;                                                       \
    }                                                                        \
    TILESCOPE_NV(to, name##_rd, from x) { return __nvvm_##builtin##_rm(x); } \
    TILESCOPE_NV(to, name##_ru, from x) { return __nvvm_##builtin##_rp(x); }
TILESCOPE_FROM_INTEGER(float, int2float, int, i2f, "f32.s32", "f", "r")
TILESCOPE_FROM_INTEGER(float, uint2float, unsigned int, ui2f, "f32.u32", "f", "r")
TILESCOPE_FROM_INTEGER(float, ll2float, long long, ll2f, "f32.s64", "f", "l")
TILESCOPE_FROM_INTEGER(float, ull2float, unsigned long long, ull2f, "f32.u64", "f", "l")
TILESCOPE_FROM_INTEGER(double, ll2double, long long, ll2d, "f64.s64", "d", "l")
TILESCOPE_FROM_INTEGER(double, ull2double, unsigned long long, ull2d, "f64.u64", "d", "l")
#undef TILESCOPE_FROM_INTEGER
TILESCOPE_NV(double, int2double_rn, int x) { return x; }
TILESCOPE_NV(double, uint2double_rn, unsigned int x) { return x; }
TILESCOPE_NV(float, half2float, unsigned short x) {
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x));
    return result;
}
TILESCOPE_NV(unsigned short, float2half_rn, float x) {
    unsigned short result;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(x));
    return result;
}

// The same bits as another type.
TILESCOPE_NV(int, float_as_int, float x) { return __builtin_bit_cast(int, x); }
TILESCOPE_NV(unsigned int, float_as_uint, float x) { return __builtin_bit_cast(unsigned int, x); }
TILESCOPE_NV(float, int_as_float, int x) { return __builtin_bit_cast(float, x); }
TILESCOPE_NV(float, uint_as_float, unsigned int x) { return __builtin_bit_cast(float, x); }
TILESCOPE_NV(unsigned long long, double_as_longlong, double x) { return __builtin_bit_cast(long long, x); }
TILESCOPE_NV(double, longlong_as_double, long long x) { return __builtin_bit_cast(double, x); }
TILESCOPE_NV(int, double2hiint, double x) { return static_cast<int>(__builtin_bit_cast(long long, x) >> 32); }
TILESCOPE_NV(int, double2loint, double x) { return static_cast<int>(__builtin_bit_cast(long long, x)); }
TILESCOPE_NV(double, hiloint2double, int high, int low) {
    return __builtin_bit_cast(double, (static_cast<long long>(high) << 32) | static_cast<unsigned int>(low));
}

// Integers.
TILESCOPE_NV(int, abs, int x) { return x < 0 ? -x : x; }
TILESCOPE_NV(long long, llabs, long long x) { return x < 0 ? -x : x; }
TILESCOPE_NV(int, min, int x, int y) { return x < y ? x : y; }
TILESCOPE_NV(int, max, int x, int y) { return x > y ? x : y; }
TILESCOPE_NV(unsigned int, umin, unsigned int x, unsigned int y) { return x < y ? x : y; }
TILESCOPE_NV(unsigned int, umax, unsigned int x, unsigned int y) { return x > y ? x : y; }
TILESCOPE_NV(long long, llmin, long long x, long long y) { return x < y ? x : y; }
TILESCOPE_NV(long long, llmax, long long x, long long y) { return x > y ? x : y; }
TILESCOPE_NV(unsigned long long, ullmin, unsigned long long x, unsigned long long y) { return x < y ? x : y; }
TILESCOPE_NV(unsigned long long, ullmax, unsigned long long x, unsigned long long y) { return x > y ? x : y; }
TILESCOPE_NV(int, clz, int x) { return x == 0 ? 32 : __builtin_clz(x); }
TILESCOPE_NV(int, clzll, long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
TILESCOPE_NV(int, ffs, int x) { return x == 0 ? 0 : 1 + __builtin_ctz(x); }
TILESCOPE_NV(int, ffsll, long long x) { return x == 0 ? 0 : 1 + __builtin_ctzll(x); }
TILESCOPE_NV(int, popc, unsigned int x) { return __builtin_popcount(x); }
TILESCOPE_NV(int, popcll, unsigned long long x) { return __builtin_popcountll(x); }
TILESCOPE_NV(unsigned int, brev, unsigned int x) { return __builtin_bitreverse32(x); }
TILESCOPE_NV(unsigned long long, brevll, unsigned long long x) { return __builtin_bitreverse64(x); }
TILESCOPE_NV(unsigned int, byte_perm, unsigned int x, unsigned int y, unsigned int selector) {
    return __nvvm_prmt(x, y, selector & 0x7777);  // prmt's fourth bit, which spreads a sign, is no part of CUDA's
}
TILESCOPE_NV(int, mulhi, int x, int y) { return __nvvm_mulhi_i(x, y); }
TILESCOPE_NV(unsigned int, umulhi, unsigned int x, unsigned int y) { return __nvvm_mulhi_ui(x, y); }
TILESCOPE_NV(long long, mul64hi, long long x, long long y) { return __nvvm_mulhi_ll(x, y); }
TILESCOPE_NV(unsigned long long, umul64hi, unsigned long long x, unsigned long long y) {
    return __nvvm_mulhi_ull(x, y);
}
TILESCOPE_NV(int, mul24, int x, int y) { return __nvvm_mul24_i(x, y); }
TILESCOPE_NV(unsigned int, umul24, unsigned int x, unsigned int y) { return __nvvm_mul24_ui(x, y); }
TILESCOPE_NV(int, sad, int x, int y, int z) {
    int result;
    asm("sad.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));
    return result;
}
TILESCOPE_NV(unsigned int, usad, unsigned int x, unsigned int y, unsigned int z) {
    unsigned int result;
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));
    return result;
}
TILESCOPE_NV(int, hadd, int x, int y) { return (x & y) + ((x ^ y) >> 1); }
TILESCOPE_NV(int, rhadd, int x, int y) { return (x | y) - ((x ^ y) >> 1); }
TILESCOPE_NV(int, uhadd, unsigned int x, unsigned int y) { return (x & y) + ((x ^ y) >> 1); }
TILESCOPE_NV(unsigned int, urhadd, unsigned int x, unsigned int y) { return (x | y) - ((x ^ y) >> 1); }

#undef TILESCOPE_ROUNDED1
#undef TILESCOPE_ROUNDED2
#undef TILESCOPE_ROUNDED3
#undef TILESCOPE_CONVERTED
#undef TILESCOPE_TO_INTEGER
#undef TILESCOPE_TO_INTEGERS
