// Copies past the registers: pipelines, barriers, cp.async by hand.
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "idioms.cuh"

namespace cg = cooperative_groups;

__global__ void primitives(const int* in, int* out) {
    __shared__ int s[128];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s[127 - threadIdx.x];
}
IDIOM(pipeline_primitives) {
    Buffer<int> in(128), out(128);
    for (int i = 0; i < 128; ++i) in[i] = i * 7;
    primitives<<<1, 128>>>(in, out);
    report.expect(out, [](int i) { return (127 - i) * 7; });
}

__global__ void two_stages(const float4* in, float* out, int tiles) {
    __shared__ float4 s[2][32];
    auto fetch = [&](int t) {
        if (t < tiles) __pipeline_memcpy_async(&s[t % 2][threadIdx.x], &in[t * 32 + threadIdx.x], sizeof(float4));
        __pipeline_commit();
    };
    fetch(0);
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        fetch(t + 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        const float4 v = s[t % 2][31 - threadIdx.x];
        sum += v.x + v.y + v.z + v.w;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
IDIOM(two_stages_of_tiles) {
    Buffer<float> in(128 * 5), out(32);
    for (int i = 0; i < in.size(); ++i) in[i] = i % 17;
    two_stages<<<1, 32>>>(reinterpret_cast<const float4*>(in.get()), out, 5);
    report.expect(out, [](int t) {
        int sum = 0;
        for (int k = 0; k < 5; ++k)
            for (int c = 0; c < 4; ++c) sum += (k * 128 + (31 - t) * 4 + c) % 17;
        return sum;
    });
}

__global__ void by_hand(const int4* in, int4* out) {
    __shared__ int4 s[64];
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s[threadIdx.x]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + threadIdx.x) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group %0;" ::"n"(0) : "memory");
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}
IDIOM(cp_async_by_hand) {
    Buffer<int> in(256), out(256);
    for (int i = 0; i < 256; ++i) in[i] = i;
    by_hand<<<1, 64>>>(reinterpret_cast<const int4*>(in.get()), reinterpret_cast<int4*>(out.get()));
    report.expect(out, [](int i) { return i ^ 4; });
}

__global__ void zero_fill(const int* in, int n, int* out) {
    __shared__ int s[64];
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s[threadIdx.x]));
    const int bytes = threadIdx.x < n ? 4 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to),
                 "l"(in + (threadIdx.x < n ? threadIdx.x : 0)), "r"(bytes));
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = s[threadIdx.x];
}
IDIOM(cp_async_that_fills_zeros) {
    Buffer<int> in(64), out(64);
    for (int i = 0; i < 64; ++i) in[i] = i + 1;
    zero_fill<<<1, 64>>>(in, 40, out);
    report.expect(out, [](int i) { return i < 40 ? i + 1 : 0; });
}

__global__ void arrives(int* out) {
    __shared__ __mbarrier_t bar;
    __shared__ int s[64];
    if (threadIdx.x == 0) __mbarrier_init(&bar, blockDim.x);
    __syncthreads();
    s[threadIdx.x] = threadIdx.x * 3;
    const __mbarrier_token_t token = __mbarrier_arrive(&bar);
    while (!__mbarrier_test_wait(&bar, token)) {
    }
    out[threadIdx.x] = s[63 - threadIdx.x];
}
IDIOM(barrier_primitives) {
    Buffer<int> out(64);
    arrives<<<1, 64>>>(out);
    report.expect(out, [](int i) { return (63 - i) * 3; });
}

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void split_arrival(int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int total;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size()), total = 0;
    block.sync();
    atomicAdd(&total, static_cast<int>(threadIdx.x));
    auto token = bar.arrive();
    int own = 0;
    for (int i = 0; i < 10; ++i) own += i * threadIdx.x;
    bar.wait(std::move(token));
    out[threadIdx.x] = total + own;
}
IDIOM(barrier_in_two_halves) {
    Buffer<int> out(64);
    split_arrival<<<1, 64>>>(out);
    report.expect(out, [](int i) { return 2016 + 45 * i; });
}

__global__ void copies_by_barrier(const int* in, int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[128];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(block, s, in, sizeof s, bar);
    bar.arrive_and_wait();
    out[threadIdx.x] = s[threadIdx.x ^ 5];
}
IDIOM(copy_that_a_barrier_waits_for) {
    Buffer<int> in(128), out(128);
    for (int i = 0; i < 128; ++i) in[i] = i + 4;
    copies_by_barrier<<<1, 128>>>(in, out);
    report.expect(out, [](int i) { return (i ^ 5) + 4; });
}

__global__ void shared_pipeline(const int* in, int* out, int tiles) {
    constexpr int stages = 2;
    __shared__ int s[stages][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int compute = 0, fetch = 0; compute < tiles; ++compute) {
        for (; fetch < tiles && fetch < compute + stages; ++fetch) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[fetch % stages], in + fetch * 64, sizeof(int) * 64, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        block.sync();
        sum += s[compute % stages][63 - threadIdx.x];
        block.sync();
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
IDIOM(pipeline_of_a_block) {
    Buffer<int> in(64 * 6), out(64);
    for (int i = 0; i < in.size(); ++i) in[i] = i * i % 31;
    shared_pipeline<<<1, 64>>>(in, out, 6);
    report.expect(out, [](int t) {
        int sum = 0;
        for (int k = 0; k < 6; ++k) sum += (k * 64 + 63 - t) * (k * 64 + 63 - t) % 31;
        return sum;
    });
}

__global__ void thread_pipeline(const double* in, double* out) {
    __shared__ double s[4][32];
    auto pipe = cuda::make_pipeline();
    for (int k = 0; k < 4; ++k) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[k][threadIdx.x], &in[k * 32 + threadIdx.x], sizeof(double), pipe);
        pipe.producer_commit();
    }
    double sum = 0;
    cuda::pipeline_consumer_wait_prior<2>(pipe);
    sum += s[0][threadIdx.x] + s[1][threadIdx.x];
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    out[threadIdx.x] = sum + s[2][threadIdx.x] * s[3][threadIdx.x];
    pipe.quit();
}
IDIOM(pipeline_of_a_thread) {
    Buffer<double> in(128), out(32);
    for (int i = 0; i < 128; ++i) in[i] = i;
    thread_pipeline<<<1, 32>>>(in, out);
    report.expect(out, [](int i) { return i + (32 + i) + (64.0 + i) * (96 + i); });
}
