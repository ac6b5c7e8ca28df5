// atomicAdd and its family, with _block and _system scope, over clang's typed builtins.
//
// Does not model: the vector forms (float2, float4) of compute capability 9.0.
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
TILESCOPE_ATOMIC_AS(And, unsigned long long, long long, llAtomicAnd)
TILESCOPE_ATOMIC_OP(Or, int, iAtomicOr)
TILESCOPE_ATOMIC_OP(Or, unsigned int, uAtomicOr)
TILESCOPE_ATOMIC_AS(Or, unsigned long long, long long, llAtomicOr)
TILESCOPE_ATOMIC_OP(Xor, int, iAtomicXor)
TILESCOPE_ATOMIC_OP(Xor, unsigned int, uAtomicXor)
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

#undef TILESCOPE_ATOMIC_CAS
#undef TILESCOPE_ATOMIC_AS
#undef TILESCOPE_ATOMIC_OP
#undef TILESCOPE_ATOMIC
