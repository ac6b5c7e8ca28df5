// Loads and stores that choose their caches (__ldg, __ldcg, __stcs and so on), address spaces, funnel shifts.
#pragma once

#define TILESCOPE_ACCESS static __inline__ __attribute__((device, always_inline))

// One element, or a vector of n elements, through the PTX instruction `op`; c is the register class in inline PTX, `as`
// a type that has it.
#define TILESCOPE_LOAD1(name, op, type, ptx, c, as)                                        \
    TILESCOPE_ACCESS type name(const type* p) {                                            \
        as x;                                                                              \
        asm volatile("ld.global." op "." ptx " %0, [%1];" : "=" c(x) : "l"(p) : "memory"); \
        return (type)x;                                                                    \
    }
#define TILESCOPE_LOAD2(name, op, type, ptx, c, as)                                                          \
    TILESCOPE_ACCESS type name(const type* p) {                                                              \
        as x, y;                                                                                             \
        asm volatile("ld.global." op ".v2." ptx " {%0,%1}, [%2];" : "=" c(x), "=" c(y) : "l"(p) : "memory"); \
        return type{(decltype(type::x))x, (decltype(type::x))y};                                             \
    }
#define TILESCOPE_LOAD4(name, op, type, ptx, c, as)                                                          \
    TILESCOPE_ACCESS type name(const type* p) {                                                              \
        as x, y, z, w;                                                                                       \
        asm volatile("ld.global." op ".v4." ptx " {%0,%1,%2,%3}, [%4];"                                      \
                     : "=" c(x), "=" c(y), "=" c(z), "=" c(w)                                                \
                     : "l"(p)                                                                                \
                     : "memory");                                                                            \
        return type{(decltype(type::x))x, (decltype(type::x))y, (decltype(type::x))z, (decltype(type::x))w}; \
    }
#define TILESCOPE_STORE1(name, op, type, ptx, c, as)                                      \
    TILESCOPE_ACCESS void name(type* p, type v) {                                         \
        asm volatile("st.global." op "." ptx " [%0], %1;" ::"l"(p), c((as)v) : "memory"); \
    }
#define TILESCOPE_STORE2(name, op, type, ptx, c, as)                                                            \
    TILESCOPE_ACCESS void name(type* p, type v) {                                                               \
        asm volatile("st.global." op ".v2." ptx " [%0], {%1,%2};" ::"l"(p), c((as)v.x), c((as)v.y) : "memory"); \
    }
#define TILESCOPE_STORE4(name, op, type, ptx, c, as)                                                                  \
    TILESCOPE_ACCESS void name(type* p, type v) {                                                                     \
        asm volatile("st.global." op ".v4." ptx " [%0], {%1,%2,%3,%4};" ::"l"(p), c((as)v.x), c((as)v.y), c((as)v.z), \
                     c((as)v.w)                                                                                       \
                     : "memory");                                                                                     \
    }
#define TILESCOPE_EVERY_TYPE(ONE, TWO, FOUR, name, op)                \
    ONE(name, op, char, "s8", "h", short)                             \
    ONE(name, op, signed char, "s8", "h", short)                      \
    ONE(name, op, unsigned char, "u8", "h", unsigned short)           \
    ONE(name, op, short, "s16", "h", short)                           \
    ONE(name, op, unsigned short, "u16", "h", unsigned short)         \
    ONE(name, op, int, "s32", "r", int)                               \
    ONE(name, op, unsigned int, "u32", "r", unsigned int)             \
    ONE(name, op, long, "s64", "l", long)                             \
    ONE(name, op, unsigned long, "u64", "l", unsigned long)           \
    ONE(name, op, long long, "s64", "l", long long)                   \
    ONE(name, op, unsigned long long, "u64", "l", unsigned long long) \
    ONE(name, op, float, "f32", "f", float)                           \
    ONE(name, op, double, "f64", "d", double)                         \
    TWO(name, op, char2, "s8", "h", short)                            \
    TWO(name, op, uchar2, "u8", "h", unsigned short)                  \
    TWO(name, op, short2, "s16", "h", short)                          \
    TWO(name, op, ushort2, "u16", "h", unsigned short)                \
    TWO(name, op, int2, "s32", "r", int)                              \
    TWO(name, op, uint2, "u32", "r", unsigned int)                    \
    TWO(name, op, longlong2, "s64", "l", long long)                   \
    TWO(name, op, ulonglong2, "u64", "l", unsigned long long)         \
    TWO(name, op, float2, "f32", "f", float)                          \
    TWO(name, op, double2, "f64", "d", double)                        \
    FOUR(name, op, char4, "s8", "h", short)                           \
    FOUR(name, op, uchar4, "u8", "h", unsigned short)                 \
    FOUR(name, op, short4, "s16", "h", short)                         \
    FOUR(name, op, ushort4, "u16", "h", unsigned short)               \
    FOUR(name, op, int4, "s32", "r", int)                             \
    FOUR(name, op, uint4, "u32", "r", unsigned int)                   \
    FOUR(name, op, float4, "f32", "f", float)
#define TILESCOPE_LOADS(name, op) TILESCOPE_EVERY_TYPE(TILESCOPE_LOAD1, TILESCOPE_LOAD2, TILESCOPE_LOAD4, name, op)
#define TILESCOPE_STORES(name, op) TILESCOPE_EVERY_TYPE(TILESCOPE_STORE1, TILESCOPE_STORE2, TILESCOPE_STORE4, name, op)

TILESCOPE_LOADS(__ldg, "nc")
TILESCOPE_LOADS(__ldca, "ca")
TILESCOPE_LOADS(__ldcg, "cg")
TILESCOPE_LOADS(__ldcs, "cs")
TILESCOPE_LOADS(__ldlu, "lu")
TILESCOPE_LOADS(__ldcv, "cv")
TILESCOPE_STORES(__stwb, "wb")
TILESCOPE_STORES(__stcg, "cg")
TILESCOPE_STORES(__stcs, "cs")
TILESCOPE_STORES(__stwt, "wt")

TILESCOPE_ACCESS size_t __cvta_generic_to_shared(const void* p) {
    return (size_t)(const __attribute__((address_space(3))) void*)p;
}
TILESCOPE_ACCESS size_t __cvta_generic_to_global(const void* p) {
    return (size_t)(const __attribute__((address_space(1))) void*)p;
}
TILESCOPE_ACCESS size_t __cvta_generic_to_local(const void* p) {
    return (size_t)(const __attribute__((address_space(5))) void*)p;
}
TILESCOPE_ACCESS size_t __cvta_generic_to_constant(const void* p) {
    return (size_t)(const __attribute__((address_space(4))) void*)p;
}
TILESCOPE_ACCESS void* __cvta_constant_to_generic(size_t p) {
    return (void*)(__attribute__((address_space(4))) void*)p;
}
TILESCOPE_ACCESS void* __cvta_shared_to_generic(size_t p) { return (void*)(__attribute__((address_space(3))) void*)p; }
TILESCOPE_ACCESS void* __cvta_global_to_generic(size_t p) { return (void*)(__attribute__((address_space(1))) void*)p; }
TILESCOPE_ACCESS void* __cvta_local_to_generic(size_t p) { return (void*)(__attribute__((address_space(5))) void*)p; }
TILESCOPE_ACCESS unsigned int __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
TILESCOPE_ACCESS unsigned int __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
TILESCOPE_ACCESS unsigned int __isConstant(const void* p) { return __nvvm_isspacep_const(p); }
TILESCOPE_ACCESS unsigned int __isLocal(const void* p) { return __nvvm_isspacep_local(p); }

#define TILESCOPE_FUNNEL(name, instruction)                                                       \
    TILESCOPE_ACCESS unsigned int name(unsigned int low, unsigned int high, unsigned int shift) { \
        unsigned int result;                                                                      \
        asm(instruction " %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));     \
        return result;                                                                            \
    }
TILESCOPE_FUNNEL(__funnelshift_l, "shf.l.wrap.b32")
TILESCOPE_FUNNEL(__funnelshift_lc, "shf.l.clamp.b32")
TILESCOPE_FUNNEL(__funnelshift_r, "shf.r.wrap.b32")
TILESCOPE_FUNNEL(__funnelshift_rc, "shf.r.clamp.b32")

// Dot products of bytes.
#define TILESCOPE_DP(name, type, instruction)                                          \
    TILESCOPE_ACCESS type name(type x, type y, type sum) {                             \
        type result;                                                                   \
        asm(instruction " %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(sum)); \
        return result;                                                                 \
    }
TILESCOPE_DP(__dp4a, int, "dp4a.s32.s32")
TILESCOPE_DP(__dp4a, unsigned int, "dp4a.u32.u32")
TILESCOPE_DP(__dp2a_lo, int, "dp2a.lo.s32.s32")
TILESCOPE_DP(__dp2a_lo, unsigned int, "dp2a.lo.u32.u32")
TILESCOPE_DP(__dp2a_hi, int, "dp2a.hi.s32.s32")
TILESCOPE_DP(__dp2a_hi, unsigned int, "dp2a.hi.u32.u32")
#define TILESCOPE_DP_VECTORS(name, two, four, type)                                 \
    TILESCOPE_ACCESS type name(two x, four y, type sum) {                           \
        return name(__builtin_bit_cast(type, x), __builtin_bit_cast(type, y), sum); \
    }
TILESCOPE_DP_VECTORS(__dp4a, char4, char4, int)
TILESCOPE_DP_VECTORS(__dp4a, uchar4, uchar4, unsigned int)
TILESCOPE_DP_VECTORS(__dp2a_lo, short2, char4, int)
TILESCOPE_DP_VECTORS(__dp2a_lo, ushort2, uchar4, unsigned int)
TILESCOPE_DP_VECTORS(__dp2a_hi, short2, char4, int)
TILESCOPE_DP_VECTORS(__dp2a_hi, ushort2, uchar4, unsigned int)

#undef TILESCOPE_DP_VECTORS
#undef TILESCOPE_DP
#undef TILESCOPE_FUNNEL
#undef TILESCOPE_LOADS
#undef TILESCOPE_STORES
#undef TILESCOPE_EVERY_TYPE
#undef TILESCOPE_LOAD1
#undef TILESCOPE_LOAD2
#undef TILESCOPE_LOAD4
#undef TILESCOPE_STORE1
#undef TILESCOPE_STORE2
#undef TILESCOPE_STORE4
#undef TILESCOPE_ACCESS
