// __pipeline_memcpy_async, __pipeline_commit and __pipeline_wait_prior: cp.async by name.
#pragma once

#include "cuda_awbarrier_primitives.h"

#if defined(__CUDA__)
// Copies `size` (4, 8 or 16) bytes to shared memory, the last `zeros` of them as zeros that are not read.
static __inline__ __attribute__((device, always_inline)) void __pipeline_memcpy_async(void* __restrict__ shared,
                                                                                      const void* __restrict__ global,
                                                                                      size_t size, size_t zeros = 0) {
    const unsigned int to = static_cast<unsigned int>(__cvta_generic_to_shared(shared));
    const size_t from = __cvta_generic_to_global(global);
    const unsigned int read = static_cast<unsigned int>(size - zeros);
    if (size == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(read) : "memory");
    else if (size == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(read) : "memory");
    else if (size == 4)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(read) : "memory");
    else
        asm volatile("trap;");
}
static __inline__ __attribute__((device, always_inline)) void __pipeline_commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
// Waits for all but the latest `prior` groups; `prior` is a constant once inlined, as in CUDA's own header.
static __inline__ __attribute__((device, always_inline)) void __pipeline_wait_prior(size_t prior) {
    switch (prior) {
        case 0: asm volatile("cp.async.wait_group 0;" ::: "memory"); break;
        case 1: asm volatile("cp.async.wait_group 1;" ::: "memory"); break;
        case 2: asm volatile("cp.async.wait_group 2;" ::: "memory"); break;
        case 3: asm volatile("cp.async.wait_group 3;" ::: "memory"); break;
        case 4: asm volatile("cp.async.wait_group 4;" ::: "memory"); break;
        case 5: asm volatile("cp.async.wait_group 5;" ::: "memory"); break;
        case 6: asm volatile("cp.async.wait_group 6;" ::: "memory"); break;
        case 7: asm volatile("cp.async.wait_group 7;" ::: "memory"); break;
        default: asm volatile("cp.async.wait_group 8;" ::: "memory"); break;
    }
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
// The barrier waits for the thread's copies, too: one arrival that it did not expect, when they have ended.
static __inline__ __attribute__((device, always_inline)) void __pipeline_arrive_on(__mbarrier_t* barrier) {
    asm volatile(
        "cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(static_cast<unsigned int>(__cvta_generic_to_shared(barrier)))
        : "memory");
}
#endif
#endif
