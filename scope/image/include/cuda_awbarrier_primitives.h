// __mbarrier_t and its functions: barriers in shared memory whose arrivals and waits are two steps (compute capability
// 8.0), one mbarrier instruction each.
#pragma once

#include "cuda_runtime.h"

typedef unsigned long long __mbarrier_t __attribute__((aligned(8)));
typedef unsigned long long __mbarrier_token_t;

#if defined(__CUDA__)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define TILESCOPE_BARRIER static __inline__ __attribute__((device, always_inline))

TILESCOPE_BARRIER constexpr unsigned int __mbarrier_maximum_count() { return (1u << 14) - 1; }
TILESCOPE_BARRIER unsigned int __tilescope_barrier_address(const void* barrier) {
    return static_cast<unsigned int>(__cvta_generic_to_shared(barrier));
}
TILESCOPE_BARRIER void __mbarrier_init(__mbarrier_t* barrier, unsigned int expected) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(__tilescope_barrier_address(barrier)), "r"(expected)
                 : "memory");
}
TILESCOPE_BARRIER void __mbarrier_inval(__mbarrier_t* barrier) {
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(__tilescope_barrier_address(barrier)) : "memory");
}
TILESCOPE_BARRIER __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
    __mbarrier_token_t token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                 : "=l"(token)
                 : "r"(__tilescope_barrier_address(barrier))
                 : "memory");
    return token;
}
TILESCOPE_BARRIER __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
    __mbarrier_token_t token;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                 : "=l"(token)
                 : "r"(__tilescope_barrier_address(barrier))
                 : "memory");
    return token;
}
TILESCOPE_BARRIER unsigned int __mbarrier_token_pending_count(__mbarrier_token_t token) {
    unsigned int count;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
    return count;
}

#define TILESCOPE_BARRIER_WAIT(name, instruction, Phase, phase)                                                 \
    TILESCOPE_BARRIER bool __mbarrier_##name(__mbarrier_t* barrier, Phase waited) {                             \
        unsigned int over;                                                                                      \
        asm volatile("{ .reg .pred p; mbarrier." instruction ".shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" \
                     : "=r"(over)                                                                               \
                     : "r"(__tilescope_barrier_address(barrier)), phase                                         \
                     : "memory");                                                                               \
        return over != 0;                                                                                       \
    }
TILESCOPE_BARRIER_WAIT(test_wait, "test_wait", __mbarrier_token_t, "l"(waited))
TILESCOPE_BARRIER_WAIT(test_wait_parity, "test_wait.parity", bool, "r"(waited ? 1u : 0u))
#undef TILESCOPE_BARRIER_WAIT

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// The same, and may sleep for as long as the hint says, in nanoseconds.
#define TILESCOPE_BARRIER_WAIT(name, instruction, Phase, phase)                                                     \
    TILESCOPE_BARRIER bool __mbarrier_##name(__mbarrier_t* barrier, Phase waited, unsigned int hint) {              \
        unsigned int over;                                                                                          \
        asm volatile("{ .reg .pred p; mbarrier." instruction ".shared.b64 p, [%1], %2, %3; selp.u32 %0, 1, 0, p; }" \
                     : "=r"(over)                                                                                   \
                     : "r"(__tilescope_barrier_address(barrier)), phase, "r"(hint)                                  \
                     : "memory");                                                                                   \
        return over != 0;                                                                                           \
    }
TILESCOPE_BARRIER_WAIT(try_wait, "try_wait", __mbarrier_token_t, "l"(waited))
TILESCOPE_BARRIER_WAIT(try_wait_parity, "try_wait.parity", bool, "r"(waited ? 1u : 0u))
#undef TILESCOPE_BARRIER_WAIT
#endif
#undef TILESCOPE_BARRIER
#endif
#endif
