// nvcuda::experimental::pipeline: one thread's asynchronous copies to shared memory, in stages.
#pragma once

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#if defined(__CUDA__)
#define TILESCOPE_MEMBER __inline__ __attribute__((device, always_inline))
namespace nvcuda {
namespace experimental {

class pipeline {
public:
    pipeline() = default;
    pipeline(const pipeline&) = delete;
    pipeline& operator=(const pipeline&) = delete;

    // A stage is what was copied since the one before; they are numbered from 0.
    TILESCOPE_MEMBER size_t commit() {
        __pipeline_commit();
        return stages_++;
    }
    TILESCOPE_MEMBER void commit_and_wait() {
        commit();
        __pipeline_wait_prior(0);
    }
    TILESCOPE_MEMBER void wait(size_t stage) { __pipeline_wait_prior(stages_ - 1 - stage); }
    template <unsigned Stages>
    TILESCOPE_MEMBER void wait_prior() {
        __pipeline_wait_prior(Stages);
    }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    TILESCOPE_MEMBER void arrive_on(awbarrier& barrier) { __pipeline_arrive_on(&barrier.barrier_); }
#endif

private:
    size_t stages_ = 0;
};

// 4, 8 or 16 bytes go asynchronously, to shared from global memory; anything else is copied here and now.
template <class T>
TILESCOPE_MEMBER void memcpy_async(T& to, const T& from, pipeline&) {
    if ((sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) % (sizeof(T) < 16 ? sizeof(T) : 16) == 0)
        __pipeline_memcpy_async(&to, &from, sizeof(T));
    else
        to = from;
}

}  // namespace experimental
}  // namespace nvcuda
#undef TILESCOPE_MEMBER
#endif
