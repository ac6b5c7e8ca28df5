// cuda::pipeline: batches of copies that run ahead of their use. Of one thread, cp.async and its groups; of a block,
// two barriers for each stage, one that says it is filled and one that it is free.
//
// Guarantees: stages are taken in turn; a thread is a producer, a consumer or both, as make_pipeline was told.
// Does not model: a mistaken role is not found; it is a wait that never ends.
#pragma once

#include "async_copy.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope Scope>
class pipeline;

namespace tilescope_detail {
// A stage begins free: of its second barrier, the phase before the first one is over.
template <thread_scope Scope>
struct pipeline_stage {
    barrier<Scope> filled, freed;
};
}  // namespace tilescope_detail

template <thread_scope Scope, unsigned char Stages>
class pipeline_shared_state {
public:
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state&) = delete;
    pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

private:
    template <class Group, thread_scope S, unsigned char N>
    friend TILESCOPE_CXX pipeline<S> make_pipeline(const Group&, pipeline_shared_state<S, N>*);
    template <class Group, thread_scope S, unsigned char N>
    friend TILESCOPE_CXX pipeline<S> make_pipeline(const Group&, pipeline_shared_state<S, N>*, size_t);
    template <class Group, thread_scope S, unsigned char N>
    friend TILESCOPE_CXX pipeline<S> make_pipeline(const Group&, pipeline_shared_state<S, N>*, pipeline_role);

    TILESCOPE_CXX void begin(size_t producers, size_t consumers, size_t threads) {
        for (tilescope_detail::pipeline_stage<Scope>& stage : stages_) {
            init(&stage.filled, static_cast<ptrdiff_t>(producers));
            init(&stage.freed, static_cast<ptrdiff_t>(consumers));
        }
        count_ = static_cast<unsigned>(threads);
    }

    tilescope_detail::pipeline_stage<Scope> stages_[Stages];
    unsigned count_;  // producers while the threads say what they are, threads that have not quit afterwards
};

template <thread_scope Scope>
class pipeline {
    using Stage = tilescope_detail::pipeline_stage<Scope>;
    using Counts = tilescope_detail::atomic_values<unsigned, Scope>;

public:
    pipeline(const pipeline&) = delete;
    pipeline& operator=(const pipeline&) = delete;
    TILESCOPE_CXX_INLINE pipeline(pipeline&& other)
        : stages_(other.stages_),
          count_(other.count_),
          stage_count_(other.stage_count_),
          head_(other.head_),
          tail_(other.tail_),
          head_turn_(other.head_turn_),
          tail_turn_(other.tail_turn_) {
        other.stages_ = nullptr;
    }
    TILESCOPE_CXX_INLINE ~pipeline() {
        if (stages_ != nullptr) (void)quit();
    }

    TILESCOPE_CXX_INLINE void producer_acquire() { stages_[head_].freed.wait_parity(!head_turn_); }
    // The stage is filled when the calling thread's copies since the last commit have ended, and those of all others.
    TILESCOPE_CXX_INLINE void producer_commit() {
#if defined(TILESCOPE_HAS_BARRIER_OBJECTS)
        if constexpr (Scope == thread_scope_block) {
            tilescope_detail::barrier_word* const word = tilescope_detail::barrier_access::word(stages_[head_].filled);
            if (__isShared(word))
                tilescope_detail::barrier_object::wait_for_copies(tilescope_detail::barrier_object::address(word));
        }
#endif
        (void)stages_[head_].filled.arrive();
        step(head_, head_turn_);
    }
    TILESCOPE_CXX_INLINE void consumer_wait() { stages_[tail_].filled.wait_parity(tail_turn_); }
    template <class Rep, class Period>
    TILESCOPE_CXX bool consumer_wait_for(const ::std::chrono::duration<Rep, Period>& time) {
        return stages_[tail_].filled.try_wait_parity_for(tail_turn_, time);
    }
    template <class Clock, class Duration>
    TILESCOPE_CXX bool consumer_wait_until(const ::std::chrono::time_point<Clock, Duration>& time) {
        return stages_[tail_].filled.try_wait_parity_until(tail_turn_, time);
    }
    TILESCOPE_CXX_INLINE void consumer_release() {
        (void)stages_[tail_].freed.arrive();
        step(tail_, tail_turn_);
    }
    // Whether the calling thread was the last, after whom the shared state may be used for something else.
    TILESCOPE_CXX_INLINE bool quit() {
        Stage* const stages = stages_;
        stages_ = nullptr;
        if (Counts::fetch_sub(count_, 1, std::memory_order_acq_rel) != 1) return false;
        end(stages);
        return true;
    }

private:
    template <class Group, thread_scope S, unsigned char N>
    friend TILESCOPE_CXX pipeline<S> make_pipeline(const Group&, pipeline_shared_state<S, N>*);
    template <class Group, thread_scope S, unsigned char N>
    friend TILESCOPE_CXX pipeline<S> make_pipeline(const Group&, pipeline_shared_state<S, N>*, size_t);
    template <class Group, thread_scope S, unsigned char N>
    friend TILESCOPE_CXX pipeline<S> make_pipeline(const Group&, pipeline_shared_state<S, N>*, pipeline_role);

    TILESCOPE_CXX_INLINE pipeline(Stage* stages, unsigned* count, unsigned stage_count)
        : stages_(stages), count_(count), stage_count_(stage_count) {}
    TILESCOPE_CXX_INLINE void step(unsigned& stage, bool& turn) {
        if (++stage != stage_count_) return;
        stage = 0;
        turn = !turn;
    }
    TILESCOPE_CXX_INLINE void end(Stage* stages) {
#if defined(TILESCOPE_HAS_BARRIER_OBJECTS)
        if constexpr (Scope == thread_scope_block) {
            if (!__isShared(stages)) return;
            using tilescope_detail::barrier_access;
            using tilescope_detail::barrier_object;
            for (unsigned s = 0; s < stage_count_; ++s) {
                barrier_object::end(barrier_object::address(barrier_access::word(stages[s].filled)));
                barrier_object::end(barrier_object::address(barrier_access::word(stages[s].freed)));
            }
        }
#endif
        (void)stages;
    }

    Stage* stages_;  // nullptr: has quit
    unsigned* count_;
    unsigned stage_count_, head_ = 0, tail_ = 0;
    bool head_turn_ = false, tail_turn_ = false;  // which of two turns through the stages it is
};

// A thread's own: batches are the groups of cp.async.
template <>
class pipeline<thread_scope_thread> {
public:
    pipeline() = default;
    pipeline(const pipeline&) = delete;
    pipeline& operator=(const pipeline&) = delete;
    pipeline(pipeline&&) = default;

    TILESCOPE_CXX_INLINE void producer_acquire() {}
    TILESCOPE_CXX_INLINE void producer_commit() {
#if defined(TILESCOPE_HAS_BARRIER_OBJECTS)
        asm volatile("cp.async.commit_group;" ::: "memory");
#endif
        ++head_;
    }
    TILESCOPE_CXX_INLINE void consumer_wait() {
        if (head_ == tail_) return;
        ++tail_;
        wait_prior(head_ - tail_);
    }
    template <class Rep, class Period>
    TILESCOPE_CXX_INLINE bool consumer_wait_for(const ::std::chrono::duration<Rep, Period>&) {
        consumer_wait();
        return true;
    }
    template <class Clock, class Duration>
    TILESCOPE_CXX_INLINE bool consumer_wait_until(const ::std::chrono::time_point<Clock, Duration>&) {
        consumer_wait();
        return true;
    }
    TILESCOPE_CXX_INLINE void consumer_release() {}
    TILESCOPE_CXX_INLINE bool quit() { return true; }

private:
    template <unsigned char Prior>
    friend TILESCOPE_CXX_INLINE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& p);

    // The instruction takes a constant.
    static TILESCOPE_CXX_INLINE void wait_prior(unsigned batches) {
#if defined(TILESCOPE_HAS_BARRIER_OBJECTS)
#define TILESCOPE_WAIT(n) \
    case n: asm volatile("cp.async.wait_group " #n ";" ::: "memory"); break;
        switch (batches) {
            TILESCOPE_WAIT(0)
            TILESCOPE_WAIT(1)
            TILESCOPE_WAIT(2)
            TILESCOPE_WAIT(3)
            TILESCOPE_WAIT(4)
            TILESCOPE_WAIT(5)
            TILESCOPE_WAIT(6)
            TILESCOPE_WAIT(7)
            default: asm volatile("cp.async.wait_group 8;" ::: "memory"); break;
        }
#undef TILESCOPE_WAIT
#else
        (void)batches;
#endif
    }

    unsigned head_ = 0, tail_ = 0;  // batches that are committed, and waited for
};

TILESCOPE_CXX_INLINE pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }

// Every thread is both.
template <class Group, thread_scope Scope, unsigned char Stages>
TILESCOPE_CXX pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state) {
    if (group.thread_rank() == 0) state->begin(group.size(), group.size(), group.size());
    group.sync();
    return pipeline<Scope>(state->stages_, &state->count_, Stages);
}
// The first `producers` threads are producers, the others consumers.
template <class Group, thread_scope Scope, unsigned char Stages>
TILESCOPE_CXX pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                            size_t producers) {
    if (group.thread_rank() == 0) state->begin(producers, group.size() - producers, group.size());
    group.sync();
    return pipeline<Scope>(state->stages_, &state->count_, Stages);
}
template <class Group, thread_scope Scope, unsigned char Stages>
TILESCOPE_CXX pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                            pipeline_role role) {
    using Counts = tilescope_detail::atomic_values<unsigned, Scope>;
    if (group.thread_rank() == 0) Counts::store(&state->count_, 0, std::memory_order_relaxed);
    group.sync();
    if (role == pipeline_role::producer) (void)Counts::fetch_add(&state->count_, 1, std::memory_order_relaxed);
    group.sync();
    if (group.thread_rank() == 0) {
        const size_t producers = Counts::load(&state->count_, std::memory_order_relaxed);
        state->begin(producers, group.size() - producers, group.size());
    }
    group.sync();
    return pipeline<Scope>(state->stages_, &state->count_, Stages);
}

// Until all but the latest `Prior` batches have ended.
template <unsigned char Prior>
TILESCOPE_CXX_INLINE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& p) {
    p.wait_prior(Prior);
    p.tail_ = p.head_ - (p.head_ < Prior ? p.head_ : Prior);
}

// The barrier's phase waits for the copies that the calling thread has begun.
template <thread_scope Scope>
TILESCOPE_CXX_INLINE void pipeline_producer_commit(pipeline<thread_scope_thread>&, barrier<Scope>& b) {
#if defined(TILESCOPE_HAS_BARRIER_OBJECTS)
    if constexpr (Scope == thread_scope_block) {
        tilescope_detail::barrier_word* const word = tilescope_detail::barrier_access::word(b);
        if (__isShared(word))
            tilescope_detail::barrier_object::wait_for_copies(tilescope_detail::barrier_object::address(word));
    }
#endif
    (void)b;
}

namespace tilescope_detail {
template <class T, class Shape, class Group, thread_scope Scope>
TILESCOPE_CXX_INLINE async_contract_fulfillment copy_for_pipeline(const Group& group, T* to, const T* from, Shape size,
                                                                  pipeline<Scope>&) {
    char* const target = reinterpret_cast<char*>(to);
    const char* const source = reinterpret_cast<const char*>(from);
#if defined(TILESCOPE_HAS_BARRIER_OBJECTS)
    if constexpr (Scope == thread_scope_block || Scope == thread_scope_thread)
        if (begin_copy<alignment_of_copy<T, Shape>()>(group, target, source, size))
            return async_contract_fulfillment::async;
#endif
    copy_now(group, target, source, size);
    return async_contract_fulfillment::none;
}
}  // namespace tilescope_detail

template <class T, class Shape, thread_scope Scope>
TILESCOPE_CXX_INLINE async_contract_fulfillment memcpy_async(T* to, const T* from, Shape size, pipeline<Scope>& p) {
    return tilescope_detail::copy_for_pipeline(tilescope_detail::single_thread(), to, from, size, p);
}
template <class Group, class T, class Shape, thread_scope Scope>
TILESCOPE_CXX_INLINE async_contract_fulfillment memcpy_async(const Group& group, T* to, const T* from, Shape size,
                                                             pipeline<Scope>& p) {
    return tilescope_detail::copy_for_pipeline(group, to, from, size, p);
}
template <class Shape, thread_scope Scope>
TILESCOPE_CXX_INLINE async_contract_fulfillment memcpy_async(void* to, const void* from, Shape size,
                                                             pipeline<Scope>& p) {
    return tilescope_detail::copy_for_pipeline(tilescope_detail::single_thread(), to, from, size, p);
}
template <class Group, class Shape, thread_scope Scope>
TILESCOPE_CXX_INLINE async_contract_fulfillment memcpy_async(const Group& group, void* to, const void* from, Shape size,
                                                             pipeline<Scope>& p) {
    return tilescope_detail::copy_for_pipeline(group, to, from, size, p);
}

}  // namespace cuda
