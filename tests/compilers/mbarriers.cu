// cuda_awbarrier_primitives.h and cuda_pipeline.h: barriers in two steps that also wait for copies, and stages of
// copies. A digest for each, the same through every compiler.
#include "digests.cuh"
//
#include <cuda_awbarrier.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

namespace ex = nvcuda::experimental;

constexpr int kThreads = 64;
const char* const names[] = {"bits", "copied", "pending", "phases", "dropped", "class", "stages"};

__global__ void kernel(unsigned long long* sums, const int* in) {
    __shared__ __mbarrier_t barrier;
    __shared__ ex::awbarrier other;
    __shared__ int shared[kThreads];
    __shared__ int4 wide[4][kThreads];
    const unsigned t = threadIdx.x;
    if (t == 0) {
        __mbarrier_init(&barrier, kThreads);
        init(&other, kThreads);
    }
    __syncthreads();
    digest_here(sums, 0, t, barrier);
    __syncthreads();

    // The copies arrive as well as the threads: the barrier is over when both have.
    __pipeline_memcpy_async(&shared[t], in + t, sizeof(int));
    __pipeline_arrive_on(&barrier);
    __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    digest_here(sums, 1, t, shared[kThreads - 1 - t]);
    __syncthreads();

    // One arrival after the other: how many are still missing.
    for (unsigned turn = 0; turn < kThreads; ++turn) {
        if (turn == t) {
            token = __mbarrier_arrive(&barrier);
            shared[t] = __mbarrier_token_pending_count(token);
        }
        __syncthreads();
    }
    digest_here(sums, 2, t, shared[t]);

    unsigned waited = __mbarrier_test_wait(&barrier, token) * 2 + __mbarrier_test_wait_parity(&barrier, true);
    __syncthreads();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait(&barrier, token, 1000)) {
    }
    while (!__mbarrier_try_wait_parity(&barrier, false, 1000)) {
    }
#endif
    digest_here(sums, 3, t, waited);
    __syncthreads();

    // The last half leaves: from then on the first half is enough.
    if (t >= kThreads / 2) __mbarrier_arrive_and_drop(&barrier);
    if (t < kThreads / 2) {
        for (int turn = 0; turn < 3; ++turn) {
            token = __mbarrier_arrive(&barrier);
            while (!__mbarrier_test_wait(&barrier, token)) {
            }
        }
    }
    __syncthreads();
    digest_here(sums, 4, t, barrier);
    __syncthreads();
    if (t == 0) __mbarrier_inval(&barrier);

    shared[t] = t;
    ex::awbarrier::arrival_token arrival = other.arrive();
    other.wait(arrival);
    int sum = shared[(t + 1) % kThreads];
    other.arrive_and_wait();
    shared[t] = sum;
    other.arrive_and_wait();
    digest_here(sums, 5, t, shared[(t + 9) % kThreads] + __mbarrier_maximum_count());

    // Four stages, of which all but the last are waited for, and then that.
    ex::pipeline pipe;
    const int4* const from = reinterpret_cast<const int4*>(in);
    for (int stage = 0; stage < 3; ++stage) {
        ex::memcpy_async(wide[stage][t], from[stage * kThreads + t], pipe);
        pipe.commit();
    }
    pipe.wait_prior<1>();
    __syncthreads();
    sum = wide[0][t ^ 1].x + wide[1][t ^ 1].w;
    pipe.wait_prior<0>();
    ex::memcpy_async(wide[3][t], from[3 * kThreads + t], pipe);
    pipe.commit_and_wait();
    __syncthreads();
    digest_here(sums, 6, t, sum + wide[2][t ^ 2].y + wide[3][t ^ 2].z);
}

int main() {
    unsigned long long* sums;
    int* in;
    cudaMallocManaged(&sums, sizeof(*sums) * std::size(names));
    cudaMallocManaged(&in, sizeof(int) * 1024);
    for (int i = 0; i < 1024; ++i) in[i] = static_cast<int>(mixed(i) % 2000);
    kernel<<<1, kThreads>>>(sums, in);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED\n");
    for (std::size_t k = 0; k < std::size(names); ++k) print_digest("mbarriers", "device", names[k], sums[k]);
}
