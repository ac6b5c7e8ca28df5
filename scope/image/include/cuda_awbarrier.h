// nvcuda::experimental::awbarrier: an mbarrier as a class.
#pragma once

#include "cuda_awbarrier_primitives.h"

#if defined(__CUDA__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800)
#define TILESCOPE_MEMBER __inline__ __attribute__((device, always_inline))
namespace nvcuda {
namespace experimental {

class awbarrier {
public:
    class arrival_token {
    public:
        arrival_token() = default;
        TILESCOPE_MEMBER unsigned int pending_count() const { return __mbarrier_token_pending_count(token_); }

    private:
        friend class awbarrier;
        TILESCOPE_MEMBER arrival_token(__mbarrier_token_t token) : token_(token) {}
        __mbarrier_token_t token_;
    };

    awbarrier() = default;
    awbarrier(const awbarrier&) = delete;
    awbarrier& operator=(const awbarrier&) = delete;

    TILESCOPE_MEMBER arrival_token arrive() { return __mbarrier_arrive(&barrier_); }
    TILESCOPE_MEMBER arrival_token arrive_and_drop() { return __mbarrier_arrive_and_drop(&barrier_); }
    TILESCOPE_MEMBER bool timed_wait(arrival_token token, unsigned int /*hint*/) {
        return __mbarrier_test_wait(&barrier_, token.token_);
    }
    TILESCOPE_MEMBER bool timed_wait_parity(bool phase, unsigned int /*hint*/) {
        return __mbarrier_test_wait_parity(&barrier_, phase);
    }
    TILESCOPE_MEMBER void wait(arrival_token token) {
        while (!__mbarrier_test_wait(&barrier_, token.token_)) {
        }
    }
    TILESCOPE_MEMBER void arrive_and_wait() { wait(arrive()); }
    TILESCOPE_MEMBER static constexpr unsigned int max() { return (1u << 14) - 1; }

private:
    friend TILESCOPE_MEMBER void init(awbarrier* barrier, unsigned int expected) {
        __mbarrier_init(&barrier->barrier_, expected);
    }
    friend TILESCOPE_MEMBER void inval(awbarrier* barrier) { __mbarrier_inval(&barrier->barrier_); }
    friend class pipeline;

    __mbarrier_t barrier_;
};

}  // namespace experimental
}  // namespace nvcuda
#undef TILESCOPE_MEMBER
#endif
