// What atomics of CUDA's C++ library do to memory: on the device the functions of ordered_atomics.h, on the host the
// compiler's. Elements of 1, 2, 4 and 8 bytes.
//
// Guarantees: one instruction where the device has one for the operation and the type, else a loop around a
// compare-and-swap, which for an element of one byte is that of the aligned two bytes around it. A thread's own
// variables, which atomic instructions do not reach, are read and written. Does not model: elements of 16 bytes.
#pragma once

#include "../ordered_atomics.h"
#include "config.h"

#if !defined(__CUDA_ARCH__)
#include <sched.h>
#endif
#include <stddef.h>
#include <type_traits>

namespace cuda {

enum thread_scope {
    thread_scope_system = 0,
    thread_scope_device = 1,
    thread_scope_block = 2,
    thread_scope_thread = 10,
};

namespace std {
enum class memory_order : int { relaxed, consume, acquire, release, acq_rel, seq_cst };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_consume = memory_order::consume;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;
}  // namespace std

namespace tilescope_detail {

using std::memory_order;

// As the functions of ordered_atomics.h count scopes; a thread alone has none there, and takes its block's.
constexpr int number_of(thread_scope scope) {
    return scope == thread_scope_system ? 4 : scope == thread_scope_device ? 3 : 1;
}
constexpr int number_of(memory_order order) { return static_cast<int>(order); }
// What a load may be given of the order of an operation that also writes.
constexpr memory_order order_of_failure(memory_order success) {
    return success == memory_order::acq_rel   ? memory_order::acquire
           : success == memory_order::release ? memory_order::relaxed
                                              : success;
}

template <size_t Size>
struct word_of_size {
    static_assert(Size == 1, "an atomic of CUDA has 1, 2, 4 or 8 bytes here");
    using type = unsigned char;
};
template <>
struct word_of_size<2> {
    using type = unsigned short;
};
template <>
struct word_of_size<4> {
    using type = unsigned int;
};
template <>
struct word_of_size<8> {
    using type = unsigned long long;
};
template <class T>
using word_of = typename word_of_size<sizeof(T)>::type;

// The type by which the device does arithmetic on integers of 4 and 8 bytes.
template <class T>
using arithmetic_word =
    ::std::conditional_t<sizeof(T) == 8, ::std::conditional_t<::std::is_signed_v<T>, long long, unsigned long long>,
                         ::std::conditional_t<::std::is_signed_v<T>, int, unsigned int>>;

// While another thread is waited for: the device's other warps run anyway.
TILESCOPE_CXX_INLINE void let_others_run() {
#if !defined(__CUDA_ARCH__)
    sched_yield();
#endif
}

template <thread_scope Scope>
struct atomic_words {
    template <class W>
    static TILESCOPE_CXX_INLINE W load(const W* p, memory_order order) {
#if defined(__CUDA_ARCH__)
        return __nv_atomic_load_n(p, number_of(order), number_of(Scope));
#else
        return __atomic_load_n(p, number_of(order));
#endif
    }
    template <class W>
    static TILESCOPE_CXX_INLINE void store(W* p, W value, memory_order order) {
#if defined(__CUDA_ARCH__)
        __nv_atomic_store_n(p, value, number_of(order), number_of(Scope));
#else
        __atomic_store_n(p, value, number_of(order));
#endif
    }
    template <class W>
    static TILESCOPE_CXX_INLINE bool compare_exchange(W* p, W& expected, W value, memory_order success,
                                                      memory_order failure) {
#if defined(__CUDA_ARCH__)
        if (__isLocal(p)) {
            const W seen = *p;
            const bool same = seen == expected;
            if (same)
                *p = value;
            else
                expected = seen;
            return same;
        }
        if constexpr (sizeof(W) == 1)
            return compare_exchange_byte(p, expected, value, success, failure);
        else
            return __nv_atomic_compare_exchange_n(p, &expected, value, false, number_of(success), number_of(failure),
                                                  number_of(Scope));
#else
        return __atomic_compare_exchange_n(p, &expected, value, false, number_of(success), number_of(failure));
#endif
    }
    template <class W>
    static TILESCOPE_CXX_INLINE W exchange(W* p, W value, memory_order order) {
#if defined(__CUDA_ARCH__)
        if (__isLocal(p)) {
            const W old = *p;
            *p = value;
            return old;
        }
        if constexpr (sizeof(W) >= 4) return __nv_atomic_exchange_n(p, value, number_of(order), number_of(Scope));
#else
        return __atomic_exchange_n(p, value, number_of(order));
#endif
        W old = load(p, memory_order::relaxed);
        while (!compare_exchange(p, old, value, order, memory_order::relaxed)) {
        }
        return old;
    }

private:
#if defined(__CUDA_ARCH__)
    // Fails at once only for the byte itself: where the other one has changed in between, it tries again.
    static __device__ bool compare_exchange_byte(unsigned char* p, unsigned char& expected, unsigned char value,
                                                 memory_order success, memory_order failure) {
        const size_t address = reinterpret_cast<size_t>(p);
        unsigned short* const pair = reinterpret_cast<unsigned short*>(address & ~size_t(1));
        const unsigned shift = (address & 1) * 8;
        unsigned short both = load(pair, failure);
        for (;;) {
            const unsigned char seen = static_cast<unsigned char>(both >> shift);
            if (seen != expected) {
                expected = seen;
                return false;
            }
            const unsigned short wanted =
                static_cast<unsigned short>((both & ~(0xffu << shift)) | unsigned(value) << shift);
            if (compare_exchange(pair, both, wanted, success, failure)) return true;
        }
    }
#endif
};

// Operations on a value of any type that is its bits.
template <class T, thread_scope Scope>
struct atomic_values {
    using Words = atomic_words<Scope>;
    using Word = word_of<T>;
    static constexpr bool kIsInteger = ::std::is_integral_v<T> && !::std::is_same_v<T, bool>;
    // The device has an instruction.
    static constexpr bool kHasWholeOperations = kIsInteger && sizeof(T) >= 4;
    static constexpr bool kHasSum = kHasWholeOperations || ::std::is_same_v<T, float> || ::std::is_same_v<T, double>;

    static TILESCOPE_CXX_INLINE Word* words(T* p) { return reinterpret_cast<Word*>(p); }
    static TILESCOPE_CXX_INLINE Word bits(const T& value) { return __builtin_bit_cast(Word, value); }
    static TILESCOPE_CXX_INLINE T value_of(Word bits) { return __builtin_bit_cast(T, bits); }

    static TILESCOPE_CXX_INLINE T load(T* p, memory_order order) { return value_of(Words::load(words(p), order)); }
    static TILESCOPE_CXX_INLINE void store(T* p, T value, memory_order order) {
        Words::store(words(p), bits(value), order);
    }
    static TILESCOPE_CXX_INLINE T exchange(T* p, T value, memory_order order) {
        return value_of(Words::exchange(words(p), bits(value), order));
    }
    static TILESCOPE_CXX_INLINE bool compare_exchange(T* p, T& expected, T value, memory_order success,
                                                      memory_order failure) {
        Word wanted = bits(expected);
        const bool done = Words::compare_exchange(words(p), wanted, bits(value), success, failure);
        if (!done) expected = value_of(wanted);
        return done;
    }
    static TILESCOPE_CXX_INLINE void wait(T* p, T old, memory_order order) {
        while (Words::load(words(p), order) == bits(old)) let_others_run();
    }

    // Puts what `next` makes of the value in its place, and returns what was there.
    template <class Next>
    static TILESCOPE_CXX_INLINE T update(T* p, memory_order order, Next next) {
#if defined(__CUDA_ARCH__)
        if (__isLocal(p)) {
            const T seen = *p;
            *p = next(seen);
            return seen;
        }
#endif
        Word old = Words::load(words(p), memory_order::relaxed);
        while (!Words::compare_exchange(words(p), old, bits(next(value_of(old))), order, memory_order::relaxed)) {
        }
        return value_of(old);
    }

// `by` is the name of the instruction's function; `expression` makes the new value of `old` and `x`.
#define TILESCOPE_UPDATE(name, by, native, expression)                              \
    static TILESCOPE_CXX_INLINE T name(T* p, T x, memory_order order) {             \
        TILESCOPE_UPDATE_ON_DEVICE(by, native)                                      \
        return update(p, order, [x](T old) { return static_cast<T>(expression); }); \
    }
#if defined(__CUDA_ARCH__)
#define TILESCOPE_UPDATE_ON_DEVICE(by, native)                                                         \
    if constexpr (native)                                                                              \
        if (!__isLocal(p)) {                                                                           \
            using As = ::std::conditional_t<kIsInteger, arithmetic_word<T>, T>;                        \
            return static_cast<T>(                                                                     \
                by(reinterpret_cast<As*>(p), static_cast<As>(x), number_of(order), number_of(Scope))); \
        }
#else
#define TILESCOPE_UPDATE_ON_DEVICE(by, native)
#endif
    TILESCOPE_UPDATE(fetch_add, __nv_atomic_fetch_add, kHasSum, old + x)
    TILESCOPE_UPDATE(fetch_sub, __nv_atomic_fetch_sub, kHasSum, old - x)
    TILESCOPE_UPDATE(fetch_and, __nv_atomic_fetch_and, kHasWholeOperations, old& x)
    TILESCOPE_UPDATE(fetch_or, __nv_atomic_fetch_or, kHasWholeOperations, old | x)
    TILESCOPE_UPDATE(fetch_xor, __nv_atomic_fetch_xor, kHasWholeOperations, old ^ x)
    TILESCOPE_UPDATE(fetch_min, __nv_atomic_fetch_min, kHasWholeOperations, x < old ? x : old)
    TILESCOPE_UPDATE(fetch_max, __nv_atomic_fetch_max, kHasWholeOperations, old < x ? x : old)
#undef TILESCOPE_UPDATE_ON_DEVICE
#undef TILESCOPE_UPDATE
};

}  // namespace tilescope_detail
}  // namespace cuda
