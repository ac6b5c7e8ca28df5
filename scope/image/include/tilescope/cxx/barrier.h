// cuda::barrier: a barrier object of the device where the scope is a block, no function is called and the barrier lies
// in shared memory of a device that has them (compute capability 8.0), a counted word elsewhere.
//
// Does not model: barriers of other blocks of a cluster.
#pragma once

#include "barrier_words.h"
#include "clocks.h"

namespace cuda {

namespace tilescope_detail {

// Of a barrier that calls nothing.
struct nothing_to_do {
    TILESCOPE_CXX_INLINE void operator()() const {}
};

// Where the bits of a barrier are, for those of this library that wait for copies.
struct barrier_access {
    template <class Barrier>
    static TILESCOPE_CXX_INLINE barrier_word* word(Barrier& barrier) {
        return &barrier.word_;
    }
};

// The waits that are made of a try: `Derived` has try_wait and try_wait_parity.
template <class Derived>
struct barrier_waits {
    using arrival_token = barrier_word;

    TILESCOPE_CXX_INLINE void wait(arrival_token&& token) const { wait_for_phase(token); }
    TILESCOPE_CXX_INLINE void wait(const arrival_token& token) const { wait_for_phase(token); }
    TILESCOPE_CXX_INLINE void wait_parity(bool parity) const {
        while (!self().try_wait_parity(parity)) let_others_run();
    }
    template <class Rep, class Period>
    TILESCOPE_CXX bool try_wait_for(arrival_token token, const ::std::chrono::duration<Rep, Period>& time) const {
        return try_for(::std::chrono::duration_cast<::std::chrono::nanoseconds>(time),
                       [&] { return self().try_wait(token); });
    }
    template <class Clock, class Duration>
    TILESCOPE_CXX bool try_wait_until(arrival_token token,
                                      const ::std::chrono::time_point<Clock, Duration>& time) const {
        return try_wait_for(token, time - Clock::now());
    }
    template <class Rep, class Period>
    TILESCOPE_CXX bool try_wait_parity_for(bool parity, const ::std::chrono::duration<Rep, Period>& time) const {
        return try_for(::std::chrono::duration_cast<::std::chrono::nanoseconds>(time),
                       [&] { return self().try_wait_parity(parity); });
    }
    template <class Clock, class Duration>
    TILESCOPE_CXX bool try_wait_parity_until(bool parity,
                                             const ::std::chrono::time_point<Clock, Duration>& time) const {
        return try_wait_parity_for(parity, time - Clock::now());
    }

private:
    TILESCOPE_CXX_INLINE const Derived& self() const { return static_cast<const Derived&>(*this); }
    TILESCOPE_CXX_INLINE void wait_for_phase(arrival_token token) const {
        while (!self().try_wait(token)) let_others_run();
    }
};

}  // namespace tilescope_detail

template <thread_scope Scope, class Completion = tilescope_detail::nothing_to_do>
class barrier : public tilescope_detail::barrier_waits<barrier<Scope, Completion>> {
    using Counted = tilescope_detail::counted_barrier<Scope>;

public:
    using arrival_token = tilescope_detail::barrier_word;

    barrier() = default;
    constexpr explicit barrier(ptrdiff_t expected, Completion completion = Completion())
        : word_(Counted::first(expected)), completion_(static_cast<Completion&&>(completion)) {}
    barrier(const barrier&) = delete;
    barrier& operator=(const barrier&) = delete;

    friend TILESCOPE_CXX_INLINE void init(barrier* b, ptrdiff_t expected) { b->begin(expected, Completion()); }
    friend TILESCOPE_CXX_INLINE void init(barrier* b, ptrdiff_t expected, Completion completion) {
        b->begin(expected, static_cast<Completion&&>(completion));
    }

    [[nodiscard]] TILESCOPE_CXX_INLINE arrival_token arrive(ptrdiff_t count = 1) {
        return Counted::arrive(&word_, count, false, completion_);
    }
    TILESCOPE_CXX_INLINE void arrive_and_wait() { this->wait(arrive()); }
    TILESCOPE_CXX_INLINE void arrive_and_drop() { (void)Counted::arrive(&word_, 1, true, completion_); }
    TILESCOPE_CXX_INLINE bool try_wait(arrival_token token) const { return Counted::has_passed(&word_, token); }
    TILESCOPE_CXX_INLINE bool try_wait_parity(bool parity) const { return Counted::has_passed_parity(&word_, parity); }
    static constexpr ptrdiff_t max() noexcept { return Counted::kMax; }

private:
    friend struct tilescope_detail::barrier_access;
    TILESCOPE_CXX_INLINE void begin(ptrdiff_t expected, Completion&& completion) {
        new (this) barrier(expected, static_cast<Completion&&>(completion));
    }

    tilescope_detail::barrier_word word_;
    Completion completion_;
};

// Tokens are those of the kind that the barrier is, which does not change while it lives.
template <>
class barrier<thread_scope_block, tilescope_detail::nothing_to_do>
    : public tilescope_detail::barrier_waits<barrier<thread_scope_block, tilescope_detail::nothing_to_do>> {
    using Counted = tilescope_detail::counted_barrier<thread_scope_block>;
    using Completion = tilescope_detail::nothing_to_do;

#if defined(TILESCOPE_HAS_BARRIER_OBJECTS)
    using Object = tilescope_detail::barrier_object;
#define TILESCOPE_OBJECT_OR(object, counted) \
    if (__isShared(&word_)) object;          \
    counted;
#else
#define TILESCOPE_OBJECT_OR(object, counted) counted;
#endif

public:
    using arrival_token = tilescope_detail::barrier_word;

    barrier() = default;
    explicit TILESCOPE_CXX_INLINE barrier(ptrdiff_t expected, Completion = Completion()) { begin(expected); }
    TILESCOPE_CXX_INLINE ~barrier() = default;
    barrier(const barrier&) = delete;
    barrier& operator=(const barrier&) = delete;

    friend TILESCOPE_CXX_INLINE void init(barrier* b, ptrdiff_t expected) { b->begin(expected); }
    friend TILESCOPE_CXX_INLINE void init(barrier* b, ptrdiff_t expected, Completion) { b->begin(expected); }

    [[nodiscard]] TILESCOPE_CXX_INLINE arrival_token arrive(ptrdiff_t count = 1) {
        Completion nothing;
        TILESCOPE_OBJECT_OR(return Object::arrive(Object::address(&word_), static_cast<unsigned>(count)),
                                   return Counted::arrive(&word_, count, false, nothing))
    }
    TILESCOPE_CXX_INLINE void arrive_and_wait() { this->wait(arrive()); }
    TILESCOPE_CXX_INLINE void arrive_and_drop() {
        Completion nothing;
        TILESCOPE_OBJECT_OR(return Object::drop(Object::address(&word_)),
                                   (void)Counted::arrive(&word_, 1, true, nothing))
    }
    TILESCOPE_CXX_INLINE bool try_wait(arrival_token token) const {
        TILESCOPE_OBJECT_OR(return Object::has_passed(Object::address(&word_), token),
                                   return Counted::has_passed(&word_, token))} TILESCOPE_CXX_INLINE
        bool try_wait_parity(bool parity) const {
        TILESCOPE_OBJECT_OR(return Object::has_passed_parity(Object::address(&word_), parity),
                                   return Counted::has_passed_parity(&word_, parity))
    }
    static constexpr ptrdiff_t max() noexcept { return (1 << 20) - 1; }

private:
    friend struct tilescope_detail::barrier_access;
    TILESCOPE_CXX_INLINE void begin(ptrdiff_t expected){
        TILESCOPE_OBJECT_OR(return Object::begin(Object::address(&word_), static_cast<unsigned>(expected)),
                                   word_ = Counted::first(expected))}
#undef TILESCOPE_OBJECT_OR

    tilescope_detail::barrier_word word_;
};

namespace std {
template <class Completion = ::cuda::tilescope_detail::nothing_to_do>
class barrier : public ::cuda::barrier<thread_scope_system, Completion> {
public:
    barrier() = default;
    using ::cuda::barrier<thread_scope_system, Completion>::barrier;
};
}  // namespace std

namespace device {

// The 64 bits of a barrier object, for instructions of one's own.
TILESCOPE_CXX_INLINE unsigned long long* barrier_native_handle(barrier<thread_scope_block>& b) {
    return tilescope_detail::barrier_access::word(b);
}

#if defined(TILESCOPE_HAS_BARRIER_OBJECTS) && __CUDA_ARCH__ >= 900
// The phase also waits for so many bytes of copies that announce themselves.
static __device__ __forceinline__ void barrier_expect_tx(barrier<thread_scope_block>& b, ptrdiff_t bytes) {
    const unsigned p = tilescope_detail::barrier_object::address(barrier_native_handle(b));
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(p), "r"(static_cast<unsigned>(bytes))
                 : "memory");
}
[[nodiscard]] static __device__ __forceinline__ barrier<thread_scope_block>::arrival_token barrier_arrive_tx(
    barrier<thread_scope_block>& b, ptrdiff_t count, ptrdiff_t bytes) {
    const unsigned p = tilescope_detail::barrier_object::address(barrier_native_handle(b));
    barrier<thread_scope_block>::arrival_token token;
    if (count == 1) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], %2;"
                     : "=l"(token)
                     : "r"(p), "r"(static_cast<unsigned>(bytes))
                     : "memory");
        return token;
    }
    barrier_expect_tx(b, bytes);
    return b.arrive(count);
}
#endif

}  // namespace device
}  // namespace cuda
