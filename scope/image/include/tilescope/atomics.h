// atomicAdd and its family, with _block and _system scope, over clang's typed builtins.
#pragma once

#define TILESCOPE_ATOMIC static __inline__ __attribute__((device, always_inline))

// One operation of one type in its three scopes.
#define TILESCOPE_ATOMIC_OP(name, type, builtin)                                                      \
    TILESCOPE_ATOMIC type atomic##name(type* p, type v) { return __##builtin(p, v); }                 \
    TILESCOPE_ATOMIC type atomic##name##_block(type* p, type v) { return __##builtin##_block(p, v); } \
    TILESCOPE_ATOMIC type atomic##name##_system(type* p, type v) { return __##builtin##_system(p, v); }
// The same through a builtin of another type of the same width.
#define TILESCOPE_ATOMIC_AS(name, type, as, builtin)                                                                 \
    TILESCOPE_ATOMIC type atomic##name(type* p, type v) { return (type)__##builtin((as*)p, (as)v); }                 \
    TILESCOPE_ATOMIC type atomic##name##_block(type* p, type v) { return (type)__##builtin##_block((as*)p, (as)v); } \
    TILESCOPE_ATOMIC type atomic##name##_system(type* p, type v) { return (type)__##builtin##_system((as*)p, (as)v); }
#define TILESCOPE_ATOMIC_CAS(type, builtin)                                                               \
    TILESCOPE_ATOMIC type atomicCAS(type* p, type compare, type v) { return __##builtin(p, compare, v); } \
    TILESCOPE_ATOMIC type atomicCAS_block(type* p, type compare, type v) {                                \
        return __##builtin##_block(p, compare, v);                                                        \
    }                                                                                                     \
    TILESCOPE_ATOMIC type atomicCAS_system(type* p, type compare, type v) {                               \
        return __##builtin##_system(p, compare, v);                                                       \
    }

TILESCOPE_ATOMIC_OP(Add, int, iAtomicAdd)
TILESCOPE_ATOMIC_OP(Add, unsigned int, uAtomicAdd)
TILESCOPE_ATOMIC_OP(Add, unsigned long long, ullAtomicAdd)
TILESCOPE_ATOMIC_OP(Add, float, fAtomicAdd)
TILESCOPE_ATOMIC_OP(Add, double, dAtomicAdd)
TILESCOPE_ATOMIC int atomicSub(int* p, int v) { return __iAtomicAdd(p, -v); }
TILESCOPE_ATOMIC int atomicSub_block(int* p, int v) { return __iAtomicAdd_block(p, -v); }
TILESCOPE_ATOMIC int atomicSub_system(int* p, int v) { return __iAtomicAdd_system(p, -v); }
TILESCOPE_ATOMIC unsigned int atomicSub(unsigned int* p, unsigned int v) { return __uAtomicAdd(p, -v); }
TILESCOPE_ATOMIC unsigned int atomicSub_block(unsigned int* p, unsigned int v) { return __uAtomicAdd_block(p, -v); }
TILESCOPE_ATOMIC unsigned int atomicSub_system(unsigned int* p, unsigned int v) { return __uAtomicAdd_system(p, -v); }
TILESCOPE_ATOMIC_OP(Exch, int, iAtomicExch)
TILESCOPE_ATOMIC_OP(Exch, unsigned int, uAtomicExch)
TILESCOPE_ATOMIC_OP(Exch, unsigned long long, ullAtomicExch)
TILESCOPE_ATOMIC_OP(Exch, float, fAtomicExch)
TILESCOPE_ATOMIC_OP(Min, int, iAtomicMin)
TILESCOPE_ATOMIC_OP(Min, unsigned int, uAtomicMin)
TILESCOPE_ATOMIC_OP(Min, long long, illAtomicMin)
TILESCOPE_ATOMIC_OP(Min, unsigned long long, ullAtomicMin)
TILESCOPE_ATOMIC_OP(Max, int, iAtomicMax)
TILESCOPE_ATOMIC_OP(Max, unsigned int, uAtomicMax)
TILESCOPE_ATOMIC_OP(Max, long long, illAtomicMax)
TILESCOPE_ATOMIC_OP(Max, unsigned long long, ullAtomicMax)
TILESCOPE_ATOMIC_OP(And, int, iAtomicAnd)
TILESCOPE_ATOMIC_OP(And, unsigned int, uAtomicAnd)
TILESCOPE_ATOMIC_OP(And, long long, llAtomicAnd)
TILESCOPE_ATOMIC_AS(And, unsigned long long, long long, llAtomicAnd)
TILESCOPE_ATOMIC_OP(Or, int, iAtomicOr)
TILESCOPE_ATOMIC_OP(Or, unsigned int, uAtomicOr)
TILESCOPE_ATOMIC_OP(Or, long long, llAtomicOr)
TILESCOPE_ATOMIC_AS(Or, unsigned long long, long long, llAtomicOr)
TILESCOPE_ATOMIC_OP(Xor, int, iAtomicXor)
TILESCOPE_ATOMIC_OP(Xor, unsigned int, uAtomicXor)
TILESCOPE_ATOMIC_OP(Xor, long long, llAtomicXor)
TILESCOPE_ATOMIC_AS(Xor, unsigned long long, long long, llAtomicXor)
TILESCOPE_ATOMIC_OP(Inc, unsigned int, uAtomicInc)
TILESCOPE_ATOMIC_OP(Dec, unsigned int, uAtomicDec)
TILESCOPE_ATOMIC_CAS(int, iAtomicCAS)
TILESCOPE_ATOMIC_CAS(unsigned int, uAtomicCAS)
TILESCOPE_ATOMIC_CAS(unsigned long long, ullAtomicCAS)
TILESCOPE_ATOMIC unsigned short atomicCAS(unsigned short* p, unsigned short compare, unsigned short v) {
    unsigned short old;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(p), "h"(compare), "h"(v) : "memory");
    return old;
}

// Vectors in global memory (compute capability 9.0), each element an atomic of its own.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define TILESCOPE_ATOMIC_VECTORS(name, scope)                                                   \
    TILESCOPE_ATOMIC float2 name(float2* p, float2 v) {                                         \
        float2 old;                                                                             \
        asm volatile("atom.global." scope "add.v2.f32 {%0,%1}, [%2], {%3,%4};"                  \
                     : "=f"(old.x), "=f"(old.y)                                                 \
                     : "l"(__cvta_generic_to_global(p)), "f"(v.x), "f"(v.y)                     \
                     : "memory");                                                               \
        return old;                                                                             \
    }                                                                                           \
    TILESCOPE_ATOMIC float4 name(float4* p, float4 v) {                                         \
        float4 old;                                                                             \
        asm volatile("atom.global." scope "add.v4.f32 {%0,%1,%2,%3}, [%4], {%5,%6,%7,%8};"      \
                     : "=f"(old.x), "=f"(old.y), "=f"(old.z), "=f"(old.w)                       \
                     : "l"(__cvta_generic_to_global(p)), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) \
                     : "memory");                                                               \
        return old;                                                                             \
    }
TILESCOPE_ATOMIC_VECTORS(atomicAdd, "")
TILESCOPE_ATOMIC_VECTORS(atomicAdd_block, "cta.")
TILESCOPE_ATOMIC_VECTORS(atomicAdd_system, "sys.")
#undef TILESCOPE_ATOMIC_VECTORS

// Elements of 16 bytes that are aligned to as many.
template <bool Sixteen, class T>
struct __tilescope_sixteen_bytes {};
template <class T>
struct __tilescope_sixteen_bytes<true, T> {
    typedef T type;
};
#define TILESCOPE_ATOMIC_SIXTEEN(suffix, scope)                                                                    \
    template <class T>                                                                                             \
    TILESCOPE_ATOMIC                                                                                               \
        typename __tilescope_sixteen_bytes<sizeof(T) == 16 && alignof(T) >= 16, T>::type atomicCAS##suffix(        \
            T* p, T compare, T v) {                                                                                \
        unsigned long long expected[2], wanted[2], old[2];                                                         \
        __builtin_memcpy(expected, &compare, 16);                                                                  \
        __builtin_memcpy(wanted, &v, 16);                                                                          \
        asm volatile("{ .reg .b128 e, w, o; mov.b128 e, {%3,%4}; mov.b128 w, {%5,%6}; atom." scope                 \
                     "cas.b128 o, [%2], e, w; mov.b128 {%0,%1}, o; }"                                              \
                     : "=l"(old[0]), "=l"(old[1])                                                                  \
                     : "l"(p), "l"(expected[0]), "l"(expected[1]), "l"(wanted[0]), "l"(wanted[1])                  \
                     : "memory");                                                                                  \
        __builtin_memcpy(&v, old, 16);                                                                             \
        return v;                                                                                                  \
    }                                                                                                              \
    template <class T>                                                                                             \
    TILESCOPE_ATOMIC                                                                                               \
        typename __tilescope_sixteen_bytes<sizeof(T) == 16 && alignof(T) >= 16, T>::type atomicExch##suffix(T* p,  \
                                                                                                            T v) { \
        unsigned long long wanted[2], old[2];                                                                      \
        __builtin_memcpy(wanted, &v, 16);                                                                          \
        asm volatile("{ .reg .b128 w, o; mov.b128 w, {%3,%4}; atom." scope                                         \
                     "exch.b128 o, [%2], w; mov.b128 {%0,%1}, o; }"                                                \
                     : "=l"(old[0]), "=l"(old[1])                                                                  \
                     : "l"(p), "l"(wanted[0]), "l"(wanted[1])                                                      \
                     : "memory");                                                                                  \
        __builtin_memcpy(&v, old, 16);                                                                             \
        return v;                                                                                                  \
    }
TILESCOPE_ATOMIC_SIXTEEN(, "")
TILESCOPE_ATOMIC_SIXTEEN(_block, "cta.")
TILESCOPE_ATOMIC_SIXTEEN(_system, "sys.")
#undef TILESCOPE_ATOMIC_SIXTEEN
#endif

#undef TILESCOPE_ATOMIC_CAS
#undef TILESCOPE_ATOMIC_AS
#undef TILESCOPE_ATOMIC_OP
#undef TILESCOPE_ATOMIC
