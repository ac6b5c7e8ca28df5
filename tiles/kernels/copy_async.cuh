// cp.async: copies from global to shared memory that pass no register and are waited for in groups. Compute
// capability 8.0 and up; callers keep it out of older builds.
#pragma once

#include <cstdint>

namespace tiles {

__device__ inline uint32_t shared_address(const void* pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// Copies kBytes (4, 8 or 16); both addresses are aligned to it. 16 bytes bypass the first-level cache.
// Smaller copies are often a sector of a long row: the second-level cache fetches the whole line with the first of
// them.
template <int kBytes>
__device__ inline void copy_async(uint32_t to, const void* from) {
    if constexpr (kBytes == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(kBytes) : "memory");
    }
}

// Writes zeros instead, and reads nothing, unless `valid`.
template <int kBytes>
__device__ inline void copy_async_or_zero(uint32_t to, const void* from, bool valid) {
    const int bytes = valid ? kBytes : 0;
    if constexpr (kBytes == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(to), "l"(from), "r"(bytes), "n"(kBytes)
                     : "memory");
    }
}

// 16 bytes of which the first `bytes` are read; the others become zero.
__device__ inline void copy_async_part(uint32_t to, const void* from, int bytes) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}

__device__ inline void copies_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most kPending groups of this thread are still under way.
template <int kPending>
__device__ inline void copies_wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

}  // namespace tiles
