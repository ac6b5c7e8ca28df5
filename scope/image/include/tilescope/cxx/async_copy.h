// cuda::memcpy_async with a barrier or a pipeline: cp.async of 4, 8 or 16 bytes from global to shared memory where both
// addresses and the size allow it and the barrier is an object of the device; plain copies, done at once, otherwise.
//
// Does not model: copies in bulk (cp.async.bulk), which the toolkit's header takes on 9.0 for what is aligned to 16.
#pragma once

#include "barrier.h"

#include <stddef.h>
#include <string.h>

namespace cuda {

// A size that promises so much alignment, of itself and of both addresses.
template <size_t Alignment>
struct aligned_size_t {
    static_assert((Alignment & (Alignment - 1)) == 0, "an alignment is a power of two");
    static constexpr size_t align = Alignment;
    size_t value;
    constexpr explicit aligned_size_t(size_t size) : value(size) {}
    constexpr operator size_t() const { return value; }
};

enum class async_contract_fulfillment { none, async };

namespace tilescope_detail {

// One thread alone is a group, too.
struct single_thread {
    static constexpr unsigned thread_rank() { return 0; }
    static constexpr unsigned size() { return 1; }
};

// What a size promises of alignment.
template <class Shape>
struct promised_alignment {
    static constexpr size_t value = 1;
};
template <size_t Alignment>
struct promised_alignment<aligned_size_t<Alignment>> {
    static constexpr size_t value = Alignment;
};
template <class T, class Shape>
constexpr size_t alignment_of_copy() {
    size_t of_type = 1;
    if constexpr (!::std::is_void_v<T>) of_type = alignof(T);
    return of_type > promised_alignment<Shape>::value ? of_type : promised_alignment<Shape>::value;
}

#if defined(TILESCOPE_HAS_BARRIER_OBJECTS)
template <unsigned Width, class Group>
static __device__ __forceinline__ void copy_words(const Group& group, char* to, const char* from, size_t bytes) {
    const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(to));
    const size_t source = __cvta_generic_to_global(from);
    for (size_t at = group.thread_rank() * Width; at < bytes; at += group.size() * Width) {
        if constexpr (Width == 16)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target + static_cast<unsigned>(at)),
                         "l"(source + at)
                         : "memory");
        else
            asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(target + static_cast<unsigned>(at)),
                         "l"(source + at), "n"(Width)
                         : "memory");
    }
}

// Whether the copy was begun, and ends later. `Known` is the alignment that needs no look.
template <size_t Known, class Group>
static __device__ __forceinline__ bool begin_copy(const Group& group, char* to, const char* from, size_t bytes) {
    if (!__isShared(to) || !__isGlobal(from)) return false;
    const size_t low_bits = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
    if (Known % 16 == 0 || low_bits % 16 == 0)
        copy_words<16>(group, to, from, bytes);
    else if (Known % 8 == 0 || low_bits % 8 == 0)
        copy_words<8>(group, to, from, bytes);
    else if (Known % 4 == 0 || low_bits % 4 == 0)
        copy_words<4>(group, to, from, bytes);
    else
        return false;
    return true;
}
#endif

// Memory that is no barrier object cannot be told of copies that end later.
template <class Group>
TILESCOPE_CXX_INLINE void copy_now(const Group& group, char* to, const char* from, size_t bytes) {
    if (group.size() == 1) {
        memcpy(to, from, bytes);
        return;
    }
    for (size_t at = group.thread_rank(); at < bytes; at += group.size()) to[at] = from[at];
}

template <class T, class Shape, class Group, thread_scope Scope, class Completion>
TILESCOPE_CXX_INLINE async_contract_fulfillment copy_for_barrier(const Group& group, T* to, const T* from, Shape size,
                                                                 [[maybe_unused]] barrier<Scope, Completion>& b) {
    char* const target = reinterpret_cast<char*>(to);
    const char* const source = reinterpret_cast<const char*>(from);
#if defined(TILESCOPE_HAS_BARRIER_OBJECTS)
    if constexpr (Scope == thread_scope_block && ::std::is_same_v<Completion, nothing_to_do>) {
        barrier_word* const word = barrier_access::word(b);
        if (__isShared(word) && begin_copy<alignment_of_copy<T, Shape>()>(group, target, source, size)) {
            barrier_object::wait_for_copies(barrier_object::address(word));
            return async_contract_fulfillment::async;
        }
    }
#endif
    copy_now(group, target, source, size);
    return async_contract_fulfillment::none;
}

}  // namespace tilescope_detail

// The barrier's phase waits for the copy.
template <class T, class Shape, thread_scope Scope, class Completion>
TILESCOPE_CXX_INLINE async_contract_fulfillment memcpy_async(T* to, const T* from, Shape size,
                                                             [[maybe_unused]] barrier<Scope, Completion>& b) {
    return tilescope_detail::copy_for_barrier(tilescope_detail::single_thread(), to, from, size, b);
}
template <class Group, class T, class Shape, thread_scope Scope, class Completion>
TILESCOPE_CXX_INLINE async_contract_fulfillment memcpy_async(const Group& group, T* to, const T* from, Shape size,
                                                             [[maybe_unused]] barrier<Scope, Completion>& b) {
    return tilescope_detail::copy_for_barrier(group, to, from, size, b);
}
template <class Shape, thread_scope Scope, class Completion>
TILESCOPE_CXX_INLINE async_contract_fulfillment memcpy_async(void* to, const void* from, Shape size,
                                                             [[maybe_unused]] barrier<Scope, Completion>& b) {
    return tilescope_detail::copy_for_barrier(tilescope_detail::single_thread(), to, from, size, b);
}
template <class Group, class Shape, thread_scope Scope, class Completion>
TILESCOPE_CXX_INLINE async_contract_fulfillment memcpy_async(const Group& group, void* to, const void* from, Shape size,
                                                             barrier<Scope, Completion>& b) {
    return tilescope_detail::copy_for_barrier(group, to, from, size, b);
}

}  // namespace cuda
