// cuda::atomic and cuda::atomic_ref, with a scope, and those of cuda::std, whose scope is the system.
//
// Does not model: elements of 16 bytes, const referents; a call that the type has no operation for is an error of the
// compiler where it is made.
#pragma once

#include "atomic_access.h"

#include <stdint.h>

namespace cuda {

namespace std {
using ::std::ptrdiff_t;
}

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

namespace tilescope_detail {

// What fetch_add of a type takes: elements for a pointer, the type itself for a number.
template <class T>
struct atomic_difference {
    using type = T;
};
template <class T>
struct atomic_difference<T*> {
    using type = ptrdiff_t;
};

// The calls that atomics and references to them have in common; `Derived` says where the value is.
template <class Derived, class T, thread_scope Scope>
struct atomic_calls {
    static_assert(::std::is_trivially_copyable_v<T>, "an atomic is of a type that can be copied as bytes");
    using value_type = T;
    using difference_type = typename atomic_difference<T>::type;
    static constexpr bool is_always_lock_free = sizeof(T) <= 8;

    TILESCOPE_CXX_INLINE bool is_lock_free() const volatile noexcept { return is_always_lock_free; }
    TILESCOPE_CXX_INLINE T load(memory_order order = memory_order_seq_cst) const volatile noexcept {
        return Values::load(place(), order);
    }
    TILESCOPE_CXX_INLINE operator T() const volatile noexcept { return load(); }
    TILESCOPE_CXX_INLINE void store(T value, memory_order order = memory_order_seq_cst) const volatile noexcept {
        Values::store(place(), value, order);
    }
    TILESCOPE_CXX_INLINE T exchange(T value, memory_order order = memory_order_seq_cst) const volatile noexcept {
        return Values::exchange(place(), value, order);
    }
    TILESCOPE_CXX_INLINE bool compare_exchange_strong(T& expected, T value, memory_order success,
                                                      memory_order failure) const volatile noexcept {
        return Values::compare_exchange(place(), expected, value, success, failure);
    }
    TILESCOPE_CXX_INLINE bool compare_exchange_strong(T& expected, T value,
                                                      memory_order order = memory_order_seq_cst) const
        volatile noexcept {
        return compare_exchange_strong(expected, value, order, order_of_failure(order));
    }
    TILESCOPE_CXX_INLINE bool compare_exchange_weak(T& expected, T value, memory_order success,
                                                    memory_order failure) const volatile noexcept {
        return compare_exchange_strong(expected, value, success, failure);
    }
    TILESCOPE_CXX_INLINE bool compare_exchange_weak(T& expected, T value,
                                                    memory_order order = memory_order_seq_cst) const volatile noexcept {
        return compare_exchange_strong(expected, value, order);
    }
    TILESCOPE_CXX_INLINE void wait(T old, memory_order order = memory_order_seq_cst) const volatile noexcept {
        Values::wait(place(), old, order);
    }
    // Those who wait look again by themselves.
    TILESCOPE_CXX_INLINE void notify_one() const volatile noexcept {}
    TILESCOPE_CXX_INLINE void notify_all() const volatile noexcept {}

    TILESCOPE_CXX_INLINE T fetch_add(difference_type x, memory_order order = memory_order_seq_cst) const
        volatile noexcept {
        if constexpr (::std::is_pointer_v<T>)
            return reinterpret_cast<T>(Addresses::fetch_add(address(), bytes(x), order));
        else
            return Numbers::fetch_add(place(), x, order);
    }
    TILESCOPE_CXX_INLINE T fetch_sub(difference_type x, memory_order order = memory_order_seq_cst) const
        volatile noexcept {
        if constexpr (::std::is_pointer_v<T>)
            return reinterpret_cast<T>(Addresses::fetch_sub(address(), bytes(x), order));
        else
            return Numbers::fetch_sub(place(), x, order);
    }
#define TILESCOPE_FETCH(name)                                                                             \
    TILESCOPE_CXX_INLINE T name(T x, memory_order order = memory_order_seq_cst) const volatile noexcept { \
        return Numbers::name(place(), x, order);                                                          \
    }
    TILESCOPE_FETCH(fetch_and)
    TILESCOPE_FETCH(fetch_or)
    TILESCOPE_FETCH(fetch_xor)
    TILESCOPE_FETCH(fetch_min)
    TILESCOPE_FETCH(fetch_max)
#undef TILESCOPE_FETCH

    TILESCOPE_CXX_INLINE T operator++() const volatile noexcept { return fetch_add(1) + 1; }
    TILESCOPE_CXX_INLINE T operator++(int) const volatile noexcept { return fetch_add(1); }
    TILESCOPE_CXX_INLINE T operator--() const volatile noexcept { return fetch_sub(1) - 1; }
    TILESCOPE_CXX_INLINE T operator--(int) const volatile noexcept { return fetch_sub(1); }
    TILESCOPE_CXX_INLINE T operator+=(difference_type x) const volatile noexcept { return fetch_add(x) + x; }
    TILESCOPE_CXX_INLINE T operator-=(difference_type x) const volatile noexcept { return fetch_sub(x) - x; }
    TILESCOPE_CXX_INLINE T operator&=(T x) const volatile noexcept { return fetch_and(x) & x; }
    TILESCOPE_CXX_INLINE T operator|=(T x) const volatile noexcept { return fetch_or(x) | x; }
    TILESCOPE_CXX_INLINE T operator^=(T x) const volatile noexcept { return fetch_xor(x) ^ x; }

private:
    using Values = atomic_values<T, Scope>;
    using Addresses = atomic_values<uintptr_t, Scope>;
    // Named in one place, so that a type without arithmetic is told in words.
    struct Numbers : Values {
        static_assert(::std::is_arithmetic_v<T> && !::std::is_same_v<T, bool>,
                      "arithmetic on an atomic needs a number or a pointer");
    };

    TILESCOPE_CXX_INLINE T* place() const volatile {
        return const_cast<const Derived*>(static_cast<const volatile Derived*>(this))->tilescope_place();
    }
    TILESCOPE_CXX_INLINE uintptr_t* address() const volatile { return reinterpret_cast<uintptr_t*>(place()); }
    static TILESCOPE_CXX_INLINE uintptr_t bytes(ptrdiff_t elements) {
        if constexpr (::std::is_pointer_v<T>)
            return static_cast<uintptr_t>(elements) * sizeof(::std::remove_pointer_t<T>);
        else
            return 0;
    }
};

// An object of a type, aligned so that one instruction reaches it.
template <class T>
inline constexpr size_t kAtomicAlignment = (sizeof(T) & (sizeof(T) - 1)) == 0 && sizeof(T) > alignof(T) ? sizeof(T)
                                                                                                        : alignof(T);

}  // namespace tilescope_detail

template <class T, thread_scope Scope = thread_scope_system>
struct atomic : tilescope_detail::atomic_calls<atomic<T, Scope>, T, Scope> {
    // Leaves the value open, as variables in shared memory need.
    atomic() = default;
    constexpr atomic(T value) noexcept : value_(value) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    TILESCOPE_CXX_INLINE T operator=(T value) noexcept {
        this->store(value);
        return value;
    }
    TILESCOPE_CXX_INLINE T operator=(T value) volatile noexcept {
        this->store(value);
        return value;
    }

private:
    friend struct tilescope_detail::atomic_calls<atomic<T, Scope>, T, Scope>;
    TILESCOPE_CXX_INLINE T* tilescope_place() const { return const_cast<T*>(&value_); }

    alignas(tilescope_detail::kAtomicAlignment<T>) T value_;
};

template <class T, thread_scope Scope = thread_scope_system>
struct atomic_ref : tilescope_detail::atomic_calls<atomic_ref<T, Scope>, T, Scope> {
    static constexpr size_t required_alignment = sizeof(T);

    explicit TILESCOPE_CXX_INLINE atomic_ref(T& value) : place_(&value) {}
    atomic_ref(const atomic_ref&) = default;
    atomic_ref& operator=(const atomic_ref&) = delete;
    TILESCOPE_CXX_INLINE T operator=(T value) const noexcept {
        this->store(value);
        return value;
    }

private:
    friend struct tilescope_detail::atomic_calls<atomic_ref<T, Scope>, T, Scope>;
    TILESCOPE_CXX_INLINE T* tilescope_place() const { return place_; }

    T* place_;
};

TILESCOPE_CXX_INLINE void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
#if defined(__CUDA_ARCH__)
    if (scope == thread_scope_thread)
        asm volatile("" ::: "memory");
    else
        __nv_atomic_thread_fence(tilescope_detail::number_of(order), tilescope_detail::number_of(scope));
#else
    (void)scope;
    __atomic_thread_fence(tilescope_detail::number_of(order));
#endif
}
TILESCOPE_CXX_INLINE void atomic_signal_fence(memory_order) { asm volatile("" ::: "memory"); }

namespace std {

template <class T>
struct atomic : ::cuda::atomic<T> {
    atomic() = default;
    constexpr atomic(T value) noexcept : ::cuda::atomic<T>(value) {}
    using ::cuda::atomic<T>::operator=;
};
template <class T>
atomic(T) -> atomic<T>;

template <class T>
struct atomic_ref : ::cuda::atomic_ref<T> {
    explicit TILESCOPE_CXX_INLINE atomic_ref(T& value) : ::cuda::atomic_ref<T>(value) {}
    using ::cuda::atomic_ref<T>::operator=;
};
template <class T>
atomic_ref(T&) -> atomic_ref<T>;

struct atomic_flag {
    atomic_flag() = default;
    constexpr atomic_flag(bool set) noexcept : set_(set) {}
    TILESCOPE_CXX_INLINE bool test(memory_order order = memory_order_seq_cst) const volatile noexcept {
        return set_.load(order) != 0;
    }
    TILESCOPE_CXX_INLINE bool test_and_set(memory_order order = memory_order_seq_cst) volatile noexcept {
        return set_.exchange(1, order) != 0;
    }
    TILESCOPE_CXX_INLINE void clear(memory_order order = memory_order_seq_cst) volatile noexcept {
        set_.store(0, order);
    }
    TILESCOPE_CXX_INLINE void wait(bool old, memory_order order = memory_order_seq_cst) const volatile noexcept {
        set_.wait(old ? 1 : 0, order);
    }
    TILESCOPE_CXX_INLINE void notify_one() volatile noexcept {}
    TILESCOPE_CXX_INLINE void notify_all() volatile noexcept {}

private:
    ::cuda::atomic<int> set_;
};

TILESCOPE_CXX_INLINE void atomic_thread_fence(memory_order order) { ::cuda::atomic_thread_fence(order); }
TILESCOPE_CXX_INLINE void atomic_signal_fence(memory_order order) { ::cuda::atomic_signal_fence(order); }

}  // namespace std
}  // namespace cuda
