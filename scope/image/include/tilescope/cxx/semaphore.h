// cuda::counting_semaphore, cuda::binary_semaphore and cuda::latch: a count that atomics move, and threads that look at
// it.
#pragma once

#include "atomic.h"
#include "clocks.h"

namespace cuda {

template <thread_scope Scope, ptrdiff_t LeastMax = 0x7fffffff>
class counting_semaphore {
public:
    counting_semaphore() = default;
    constexpr explicit counting_semaphore(ptrdiff_t places) : places_(static_cast<int>(places)) {}
    counting_semaphore(const counting_semaphore&) = delete;
    counting_semaphore& operator=(const counting_semaphore&) = delete;

    static constexpr ptrdiff_t max() noexcept { return LeastMax; }
    TILESCOPE_CXX_INLINE void release(ptrdiff_t places = 1) {
        places_.fetch_add(static_cast<int>(places), memory_order_release);
    }
    TILESCOPE_CXX_INLINE void acquire() {
        while (!try_acquire()) tilescope_detail::let_others_run();
    }
    TILESCOPE_CXX_INLINE bool try_acquire() noexcept {
        int seen = places_.load(memory_order_relaxed);
        while (seen > 0)
            if (places_.compare_exchange_weak(seen, seen - 1, memory_order_acquire, memory_order_relaxed)) return true;
        return false;
    }
    template <class Rep, class Period>
    TILESCOPE_CXX bool try_acquire_for(const ::std::chrono::duration<Rep, Period>& time) {
        return tilescope_detail::try_for(::std::chrono::duration_cast<::std::chrono::nanoseconds>(time),
                                         [this] { return try_acquire(); });
    }
    template <class Clock, class Duration>
    TILESCOPE_CXX bool try_acquire_until(const ::std::chrono::time_point<Clock, Duration>& time) {
        return try_acquire_for(time - Clock::now());
    }

private:
    atomic<int, Scope> places_;
};
template <thread_scope Scope>
using binary_semaphore = counting_semaphore<Scope, 1>;

template <thread_scope Scope>
class latch {
public:
    latch() = default;
    constexpr explicit latch(ptrdiff_t expected) : missing_(expected) {}
    latch(const latch&) = delete;
    latch& operator=(const latch&) = delete;

    static constexpr ptrdiff_t max() noexcept { return 0x7fffffff; }
    TILESCOPE_CXX_INLINE void count_down(ptrdiff_t count = 1) { missing_.fetch_sub(count, memory_order_release); }
    TILESCOPE_CXX_INLINE bool try_wait() const noexcept { return missing_.load(memory_order_acquire) == 0; }
    TILESCOPE_CXX_INLINE void wait() const {
        while (!try_wait()) tilescope_detail::let_others_run();
    }
    TILESCOPE_CXX_INLINE void arrive_and_wait(ptrdiff_t count = 1) {
        count_down(count);
        wait();
    }

private:
    atomic<ptrdiff_t, Scope> missing_;
};

namespace std {
template <ptrdiff_t LeastMax = 0x7fffffff>
class counting_semaphore : public ::cuda::counting_semaphore<thread_scope_system, LeastMax> {
    using ::cuda::counting_semaphore<thread_scope_system, LeastMax>::counting_semaphore;
};
using binary_semaphore = counting_semaphore<1>;
class latch : public ::cuda::latch<thread_scope_system> {
    using ::cuda::latch<thread_scope_system>::latch;
};
}  // namespace std
}  // namespace cuda
