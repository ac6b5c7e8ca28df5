// Atomics with an order and a scope, __nv_atomic_*: the compiler's own in nvcc, and functions here, of one PTX
// instruction each, and a fence before those that are sequentially consistent. Few programs name them, and reading them
// takes a tenth of what the whole device half does: tilescope includes this where a program asked for one.
//
// Guarantees: order and scope are constants, as CUDA asks, of which one instruction is left.
// Does not model: elements of 16 bytes, and those of 1 and 2 bytes but for loads and stores.
#pragma once

#include "atomic_orders.h"

#define TILESCOPE_ORDERED static __inline__ __attribute__((device, always_inline))

// One of the statements that `statement` makes of a scope's PTX name.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TILESCOPE_CLUSTER_SCOPE "cluster"
#else
#define TILESCOPE_CLUSTER_SCOPE "gpu"
#endif
#if defined(__CUDA_ARCH__)
#define TILESCOPE_BY_SCOPE(scope, statement, ...)                                               \
    switch (scope) {                                                                            \
        case __NV_THREAD_SCOPE_SYSTEM: statement("sys", __VA_ARGS__); break;                    \
        case __NV_THREAD_SCOPE_DEVICE: statement("gpu", __VA_ARGS__); break;                    \
        case __NV_THREAD_SCOPE_CLUSTER: statement(TILESCOPE_CLUSTER_SCOPE, __VA_ARGS__); break; \
        default: statement("cta", __VA_ARGS__); break;                                          \
    }
#else  // the host's half makes no code of them, and reads them the faster
#define TILESCOPE_BY_SCOPE(scope, statement, ...)
#endif

#define TILESCOPE_FENCE(scope, order) asm volatile("fence." order "." scope ";" ::: "memory")
TILESCOPE_ORDERED void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    if (order == __NV_ATOMIC_RELAXED) return;
    if (order == __NV_ATOMIC_SEQ_CST) {
        TILESCOPE_BY_SCOPE(scope, TILESCOPE_FENCE, "sc")
    } else {
        TILESCOPE_BY_SCOPE(scope, TILESCOPE_FENCE, "acq_rel")
    }
}
TILESCOPE_ORDERED void __tilescope_fence_before(int order, int scope) {
    if (order == __NV_ATOMIC_SEQ_CST) __nv_atomic_thread_fence(order, scope);
}

// Loads and stores, by their width: `c` is the register class in inline PTX, `as` the type in it.
#define TILESCOPE_ORDERED_LOAD(scope, order, ptx, c) \
    asm volatile("ld." order "." scope "." ptx " %0, [%1];" : "=" c(x) : "l"(p) : "memory")
#define TILESCOPE_ORDERED_STORE(scope, order, ptx, c) \
    asm volatile("st." order "." scope "." ptx " [%0], %1;" ::"l"(p), c(x) : "memory")
#define TILESCOPE_ORDERED_ACCESS(size, as, ptx, c)                                                             \
    template <>                                                                                                \
    struct __tilescope_word<size> {                                                                            \
        using type = as;                                                                                       \
        static __inline__ __attribute__((device, always_inline))                                               \
        as load(const volatile void* p, int order, int scope) {                                                \
            as x = 0;                                                                                          \
            if (order == __NV_ATOMIC_RELAXED) {                                                                \
                TILESCOPE_BY_SCOPE(scope, TILESCOPE_ORDERED_LOAD, "relaxed", ptx, c)                           \
            } else {                                                                                           \
                TILESCOPE_BY_SCOPE(scope, TILESCOPE_ORDERED_LOAD, "acquire", ptx, c)                           \
            }                                                                                                  \
            return x;                                                                                          \
        }                                                                                                      \
        static __inline__ __attribute__((device, always_inline)) void store(volatile void* p, as x, int order, \
                                                                            int scope) {                       \
            if (order == __NV_ATOMIC_RELEASE) {                                                                \
                TILESCOPE_BY_SCOPE(scope, TILESCOPE_ORDERED_STORE, "release", ptx, c)                          \
            } else {                                                                                           \
                TILESCOPE_BY_SCOPE(scope, TILESCOPE_ORDERED_STORE, "relaxed", ptx, c)                          \
            }                                                                                                  \
        }                                                                                                      \
    };
template <unsigned long Size>
struct __tilescope_word;
TILESCOPE_ORDERED_ACCESS(1, unsigned short, "u8", "h")
TILESCOPE_ORDERED_ACCESS(2, unsigned short, "u16", "h")
TILESCOPE_ORDERED_ACCESS(4, unsigned int, "b32", "r")
TILESCOPE_ORDERED_ACCESS(8, unsigned long long, "b64", "l")

// Between a value and the bits that an instruction takes.
template <class To, class From>
TILESCOPE_ORDERED To __tilescope_bits_as(From from) {
    To to{};
    __builtin_memcpy(&to, &from, sizeof(to) < sizeof(from) ? sizeof(to) : sizeof(from));
    return to;
}

template <class T>
TILESCOPE_ORDERED T __nv_atomic_load_n(const volatile T* p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    __tilescope_fence_before(order, scope);
    return __tilescope_bits_as<T>(__tilescope_word<sizeof(T)>::load(p, order, scope));
}
template <class T>
TILESCOPE_ORDERED void __nv_atomic_load(const volatile T* p, T* result, int order,
                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {
    *result = __nv_atomic_load_n(p, order, scope);
}
template <class T, class V>
TILESCOPE_ORDERED void __nv_atomic_store_n(volatile T* p, V value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    __tilescope_fence_before(order, scope);
    using Word = __tilescope_word<sizeof(T)>;
    Word::store(p, __tilescope_bits_as<typename Word::type>(static_cast<T>(value)), order, scope);
}
template <class T>
TILESCOPE_ORDERED void __nv_atomic_store(volatile T* p, const T* value, int order,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
    __nv_atomic_store_n(p, *value, order, scope);
}

// An operation that reads and writes: `statement` in the order that is asked for.
#define TILESCOPE_BY_ORDER(order, scope, statement, ...)                                              \
    switch (order) {                                                                                  \
        case __NV_ATOMIC_RELAXED: TILESCOPE_BY_SCOPE(scope, statement, "relaxed", __VA_ARGS__) break; \
        case __NV_ATOMIC_RELEASE: TILESCOPE_BY_SCOPE(scope, statement, "release", __VA_ARGS__) break; \
        case __NV_ATOMIC_ACQ_REL:                                                                     \
        case __NV_ATOMIC_SEQ_CST: TILESCOPE_BY_SCOPE(scope, statement, "acq_rel", __VA_ARGS__) break; \
        default: TILESCOPE_BY_SCOPE(scope, statement, "acquire", __VA_ARGS__) break;                  \
    }
#define TILESCOPE_ORDERED_ATOM(scope, order, op, c) \
    asm volatile("atom." order "." scope "." op " %0, [%1], %2;" : "=" c(old) : "l"(p), c(x) : "memory")
#define TILESCOPE_ORDERED_OP(name, type, op, c)                                                        \
    TILESCOPE_ORDERED type __tilescope_atomic_##name(volatile void* p, type x, int order, int scope) { \
        type old = 0;                                                                                  \
        __tilescope_fence_before(order, scope);                                                        \
        TILESCOPE_BY_ORDER(order, scope, TILESCOPE_ORDERED_ATOM, op, c)                                \
        return old;                                                                                    \
    }
// What comes out alike for numbers with a sign and without is there without.
#define TILESCOPE_ORDERED_OPS(name, op, as)                                                                            \
    TILESCOPE_ORDERED_OP(name, unsigned int, op "." as "32", "r")                                                      \
    TILESCOPE_ORDERED_OP(name, unsigned long long, op "." as "64", "l")                                                \
    TILESCOPE_ORDERED int __tilescope_atomic_##name(volatile void* p, int x, int order, int scope) {                   \
        return static_cast<int>(__tilescope_atomic_##name(p, static_cast<unsigned>(x), order, scope));                 \
    }                                                                                                                  \
    TILESCOPE_ORDERED long long __tilescope_atomic_##name(volatile void* p, long long x, int order, int scope) {       \
        return static_cast<long long>(__tilescope_atomic_##name(p, static_cast<unsigned long long>(x), order, scope)); \
    }
#define TILESCOPE_ORDERED_EXTREMES(name)                        \
    TILESCOPE_ORDERED_OP(name, int, #name ".s32", "r")          \
    TILESCOPE_ORDERED_OP(name, unsigned int, #name ".u32", "r") \
    TILESCOPE_ORDERED_OP(name, long long, #name ".s64", "l")    \
    TILESCOPE_ORDERED_OP(name, unsigned long long, #name ".u64", "l")
TILESCOPE_ORDERED_OPS(add, "add", "u")
TILESCOPE_ORDERED_OP(add, float, "add.f32", "f")
TILESCOPE_ORDERED_OP(add, double, "add.f64", "d")
TILESCOPE_ORDERED_EXTREMES(min)
TILESCOPE_ORDERED_EXTREMES(max)
TILESCOPE_ORDERED_OPS(and, "and", "b")
TILESCOPE_ORDERED_OPS(or, "or", "b")
TILESCOPE_ORDERED_OPS(xor, "xor", "b")
TILESCOPE_ORDERED_OP(exchange, unsigned int, "exch.b32", "r")
TILESCOPE_ORDERED_OP(exchange, unsigned long long, "exch.b64", "l")
#define TILESCOPE_ORDERED_CAS_ATOM(scope, order, ptx, c)                  \
    asm volatile("atom." order "." scope ".cas." ptx " %0, [%1], %2, %3;" \
                 : "=" c(old)                                             \
                 : "l"(p), c(expected), c(x)                              \
                 : "memory")
#define TILESCOPE_ORDERED_CAS(type, ptx, c)                                                                        \
    TILESCOPE_ORDERED type __tilescope_atomic_cas(volatile void* p, type expected, type x, int order, int scope) { \
        type old = 0;                                                                                              \
        __tilescope_fence_before(order, scope);                                                                    \
        TILESCOPE_BY_ORDER(order, scope, TILESCOPE_ORDERED_CAS_ATOM, ptx, c)                                       \
        return old;                                                                                                \
    }
TILESCOPE_ORDERED_CAS(unsigned short, "b16", "h")
TILESCOPE_ORDERED_CAS(unsigned int, "b32", "r")
TILESCOPE_ORDERED_CAS(unsigned long long, "b64", "l")

// long is a type of its own, of the width of long long.
template <class T>
struct __tilescope_atomic_operand {
    using type = T;
};
template <>
struct __tilescope_atomic_operand<long> {
    using type = long long;
};
template <>
struct __tilescope_atomic_operand<unsigned long> {
    using type = unsigned long long;
};
#define TILESCOPE_NV_ATOMIC(name, by, sign)                                                                    \
    template <class T, class V>                                                                                \
    TILESCOPE_ORDERED T __nv_atomic_fetch_##name(volatile T* p, V value, int order,                            \
                                                 int scope = __NV_THREAD_SCOPE_SYSTEM) {                       \
        using Operand = typename __tilescope_atomic_operand<T>::type;                                          \
        return static_cast<T>(                                                                                 \
            __tilescope_atomic_##by(p, static_cast<Operand>(sign static_cast<Operand>(value)), order, scope)); \
    }                                                                                                          \
    template <class T, class V>                                                                                \
    TILESCOPE_ORDERED void __nv_atomic_##name(volatile T* p, V value, int order,                               \
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {                          \
        (void)__nv_atomic_fetch_##name(p, value, order, scope);                                                \
    }
TILESCOPE_NV_ATOMIC(add, add, )
TILESCOPE_NV_ATOMIC(sub, add, -)
TILESCOPE_NV_ATOMIC(min, min, )
TILESCOPE_NV_ATOMIC(max, max, )
TILESCOPE_NV_ATOMIC(and, and, )
TILESCOPE_NV_ATOMIC(or, or, )
TILESCOPE_NV_ATOMIC(xor, xor, )

template <class T, class V>
TILESCOPE_ORDERED T __nv_atomic_exchange_n(volatile T* p, V value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    using Word = typename __tilescope_word<sizeof(T)>::type;
    return __tilescope_bits_as<T>(
        __tilescope_atomic_exchange(p, __tilescope_bits_as<Word>(static_cast<T>(value)), order, scope));
}
template <class T>
TILESCOPE_ORDERED void __nv_atomic_exchange(volatile T* p, const T* value, T* result, int order,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
    *result = __nv_atomic_exchange_n(p, *value, order, scope);
}
// One order for both outcomes, as an instruction has only one.
TILESCOPE_ORDERED int __tilescope_order_of_cas(int success, int failure) {
    if (failure == __NV_ATOMIC_SEQ_CST) return failure;
    if (failure != __NV_ATOMIC_ACQUIRE && failure != __NV_ATOMIC_CONSUME) return success;
    return success == __NV_ATOMIC_RELAXED ? failure : success == __NV_ATOMIC_RELEASE ? __NV_ATOMIC_ACQ_REL : success;
}
// Writes to *expected what was there if it is not what was expected.
template <class T, class V>
TILESCOPE_ORDERED bool __nv_atomic_compare_exchange_n(volatile T* p, T* expected, V value, bool, int success,
                                                      int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    using Word = typename __tilescope_word<sizeof(T)>::type;
    const Word wanted = __tilescope_bits_as<Word>(*expected);
    const Word old = __tilescope_atomic_cas(p, wanted, __tilescope_bits_as<Word>(static_cast<T>(value)),
                                            __tilescope_order_of_cas(success, failure), scope);
    *expected = __tilescope_bits_as<T>(old);
    return old == wanted;
}
template <class T>
TILESCOPE_ORDERED bool __nv_atomic_compare_exchange(volatile T* p, T* expected, const T* value, bool weak, int success,
                                                    int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return __nv_atomic_compare_exchange_n(p, expected, *value, weak, success, failure, scope);
}

#undef TILESCOPE_NV_ATOMIC
#undef TILESCOPE_ORDERED_CAS
#undef TILESCOPE_ORDERED_CAS_ATOM
#undef TILESCOPE_ORDERED_EXTREMES
#undef TILESCOPE_ORDERED_OPS
#undef TILESCOPE_ORDERED_OP
#undef TILESCOPE_ORDERED_ATOM
#undef TILESCOPE_BY_ORDER
#undef TILESCOPE_ORDERED_ACCESS
#undef TILESCOPE_ORDERED_STORE
#undef TILESCOPE_ORDERED_LOAD
#undef TILESCOPE_FENCE
#undef TILESCOPE_BY_SCOPE
#undef TILESCOPE_CLUSTER_SCOPE
#undef TILESCOPE_ORDERED
