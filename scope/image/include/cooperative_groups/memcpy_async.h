// Copies by all threads of a group from global to shared memory that end later: cp.async of 4, 8 or 16 bytes where both
// sides and the size allow it, plain copies otherwise.
#pragma once

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

#if defined(__CUDA__)
namespace cooperative_groups {
namespace details {

template <unsigned Width, class Group>
static __inline__ __attribute__((device, always_inline)) void copy_words(const Group& group, char* to, const char* from,
                                                                         size_t bytes) {
    for (size_t at = group.thread_rank() * Width; at < bytes; at += group.num_threads() * Width)
        __pipeline_memcpy_async(to + at, from + at, Width);
}

}  // namespace details

template <class Group>
static __inline__ __attribute__((device)) void tilescope_copy_bytes(const Group& group, void* to, const void* from,
                                                                    size_t bytes) {
    char* const target = static_cast<char*>(to);
    const char* const source = static_cast<const char*>(from);
    const size_t low_bits = reinterpret_cast<size_t>(target) | reinterpret_cast<size_t>(source) | bytes;
    if (!__isShared(target) || !__isGlobal(source) || low_bits % 4 != 0) {
        for (size_t at = group.thread_rank(); at < bytes; at += group.num_threads()) target[at] = source[at];
    } else if (low_bits % 16 == 0) {
        details::copy_words<16>(group, target, source, bytes);
    } else if (low_bits % 8 == 0) {
        details::copy_words<8>(group, target, source, bytes);
    } else {
        details::copy_words<4>(group, target, source, bytes);
    }
    __pipeline_commit();
}

template <class Group, class To, class From>
static __inline__ __attribute__((device)) void memcpy_async(const Group& group, To* to, const From* from,
                                                            size_t bytes) {
    tilescope_copy_bytes(group, to, from, bytes);
}
// Of as many elements as both sides have.
template <class Group, class T>
static __inline__ __attribute__((device)) void memcpy_async(const Group& group, T* to, size_t to_count, const T* from,
                                                            size_t from_count) {
    tilescope_copy_bytes(group, to, from, sizeof(T) * (to_count < from_count ? to_count : from_count));
}

// Until all copies, or all but the latest `Stages`, have ended, for the whole group.
template <unsigned Stages, class Group>
static __inline__ __attribute__((device)) void wait_prior(const Group& group) {
    __pipeline_wait_prior(Stages);
    group.sync();
}
template <class Group>
static __inline__ __attribute__((device)) void wait(const Group& group) {
    __pipeline_wait_prior(0);
    group.sync();
}

}  // namespace cooperative_groups
#endif
