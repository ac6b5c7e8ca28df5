// The two kinds of barriers under cuda::barrier: barrier objects of the device (mbarrier) in shared memory, and a word
// of 64 bits that atomics count in, for all other scopes, places and functions to be called when a phase is complete.
#pragma once

#include "atomic_access.h"

namespace cuda {
namespace tilescope_detail {

using barrier_word = unsigned long long;

// Bit 63: the phase; bits 32 to 62: arrivals that the phase still waits for; below: those that the next one waits for.
template <thread_scope Scope>
struct counted_barrier {
    using Words = atomic_words<Scope>;
    static constexpr barrier_word kPhase = 1ull << 63, kOneArrival = 1ull << 32, kExpected = kOneArrival - 1;
    static constexpr ptrdiff_t kMax = 0x7fffffff;

    static constexpr barrier_word first(ptrdiff_t expected) {
        return static_cast<barrier_word>(expected) * (kOneArrival + 1);
    }
    // Returns the phase in which the calling thread arrived. Who arrives last calls `complete` and opens the next
    // phase.
    template <class Complete>
    static TILESCOPE_CXX_INLINE barrier_word arrive(barrier_word* p, ptrdiff_t count, bool drop, Complete& complete) {
        const barrier_word arrivals = static_cast<barrier_word>(count) * kOneArrival;
        const barrier_word change = 0 - (arrivals + (drop ? static_cast<barrier_word>(count) : 0));
#if defined(__CUDA_ARCH__)
        const barrier_word old = __nv_atomic_fetch_add(p, change, number_of(memory_order::acq_rel), number_of(Scope));
#else
        const barrier_word old = __atomic_fetch_add(p, change, __ATOMIC_ACQ_REL);
#endif
        if ((old & ~kPhase & ~kExpected) == arrivals) {
            complete();
            const barrier_word expected = Words::load(p, memory_order::relaxed) & kExpected;
            Words::store(p, (~old & kPhase) | expected * (kOneArrival + 1), memory_order::release);
        }
        return old & kPhase;
    }
    static TILESCOPE_CXX_INLINE bool has_passed(const barrier_word* p, barrier_word token) {
        return (Words::load(p, memory_order::acquire) & kPhase) != (token & kPhase);
    }
    static TILESCOPE_CXX_INLINE bool has_passed_parity(const barrier_word* p, bool parity) {
        return has_passed(p, parity ? kPhase : 0);
    }
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define TILESCOPE_HAS_BARRIER_OBJECTS 1
#if __CUDA_ARCH__ >= 900
#define TILESCOPE_TEST_WAIT "mbarrier.try_wait"
#else
#define TILESCOPE_TEST_WAIT "mbarrier.test_wait"
#endif

// A barrier object in shared memory; `p` is its address there.
struct barrier_object {
    static __device__ __forceinline__ unsigned address(const barrier_word* p) {
        return static_cast<unsigned>(__cvta_generic_to_shared(p));
    }
    static __device__ __forceinline__ void begin(unsigned p, unsigned expected) {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(p), "r"(expected) : "memory");
    }
    static __device__ __forceinline__ void end(unsigned p) {
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(p) : "memory");
    }
    static __device__ __forceinline__ barrier_word arrive(unsigned p, unsigned count) {
        barrier_word token;
#if __CUDA_ARCH__ >= 900
        if (count != 1) {
            asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(p), "r"(count) : "memory");
            return token;
        }
#else
        // All but one, which cannot complete the phase, and then that one.
        if (count != 1)
            asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                         : "=l"(token)
                         : "r"(p), "r"(count - 1)
                         : "memory");
#endif
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(p) : "memory");
        return token;
    }
    static __device__ __forceinline__ void drop(unsigned p) {
        barrier_word token;
        asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(token) : "r"(p) : "memory");
    }
    static __device__ __forceinline__ bool has_passed(unsigned p, barrier_word token) {
        int passed;
        asm volatile("{ .reg .pred p; " TILESCOPE_TEST_WAIT ".shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
                     : "=r"(passed)
                     : "r"(p), "l"(token)
                     : "memory");
        return passed != 0;
    }
    static __device__ __forceinline__ bool has_passed_parity(unsigned p, bool parity) {
        int passed;
        asm volatile("{ .reg .pred p; " TILESCOPE_TEST_WAIT ".parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
                     : "=r"(passed)
                     : "r"(p), "r"(static_cast<unsigned>(parity))
                     : "memory");
        return passed != 0;
    }
    // The phase waits for the calling thread's copies of cp.async, too.
    static __device__ __forceinline__ void wait_for_copies(unsigned p) {
        asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(p) : "memory");
    }
};
#undef TILESCOPE_TEST_WAIT
#endif

}  // namespace tilescope_detail
}  // namespace cuda
