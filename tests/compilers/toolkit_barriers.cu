// The barriers, pipelines and atomics of CUDA's own C++ library, and its atomics on half types.
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <vector>

#pragma nv_diag_suppress static_var_with_dynamic_init

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void through_barrier(const int* in, int* out, int rounds) {
    __shared__ Barrier barrier;
    __shared__ int part[2][128];
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    int total = 0;
    for (int r = 0; r < rounds; ++r) {
        part[r & 1][threadIdx.x] = in[r * blockDim.x + threadIdx.x];
        Barrier::arrival_token token = barrier.arrive();
        total += r;
        barrier.wait(std::move(token));
        total += part[r & 1][(threadIdx.x + 37) % blockDim.x];
    }
    barrier.arrive_and_wait();
    out[threadIdx.x] = total;
}

// Half of the threads leave after a round; the barrier no longer waits for them.
__global__ void dropping(int* out) {
    __shared__ Barrier barrier;
    __shared__ int count;
    if (threadIdx.x == 0) init(&barrier, blockDim.x), count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    if (threadIdx.x >= blockDim.x / 2) {
        barrier.arrive_and_drop();
        return;
    }
    barrier.arrive_and_wait();
    const int first = count;
    barrier.arrive_and_wait();
    atomicAdd(&count, 1);
    barrier.arrive_and_wait();
    out[threadIdx.x] = first * 1000 + count;
}

// Copies with a barrier that waits for them.
__global__ void copied(const int* in, int* out) {
    __shared__ Barrier barrier;
    __shared__ alignas(16) int data[128];
    const auto block = cooperative_groups::this_thread_block();
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    block.sync();
    cuda::memcpy_async(&data[threadIdx.x], in + threadIdx.x, sizeof(int), barrier);
    barrier.arrive_and_wait();
    out[threadIdx.x] = data[127 - threadIdx.x];
}

__global__ void piped(const int* in, int* out, int batches) {
    constexpr int kStages = 2;
    __shared__ int buffer[kStages][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
    const auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int fetched = 0, total = 0;
    for (int b = 0; b < batches; ++b) {
        for (; fetched < batches && fetched < b + kStages; ++fetched) {
            pipe.producer_acquire();
            cuda::memcpy_async(&buffer[fetched % kStages][threadIdx.x], in + fetched * 128 + threadIdx.x, sizeof(int),
                               pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        total += buffer[b % kStages][127 - threadIdx.x] * (b + 1);
        pipe.consumer_release();
    }
    out[threadIdx.x] = total;
}

__global__ void atomics(int* sum, unsigned long long* greatest, float* real, int* flagged) {
    cuda::atomic_ref<int, cuda::thread_scope_device> total(*sum);
    total.fetch_add(2, cuda::std::memory_order_relaxed);
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>(*greatest).fetch_max(
        threadIdx.x * 3ull, cuda::std::memory_order_acq_rel);
    cuda::atomic_ref<float, cuda::thread_scope_block>(*real).fetch_add(0.5f);
    __shared__ cuda::atomic<int, cuda::thread_scope_block> ready;
    __shared__ int value;
    if (threadIdx.x == 0) ready.store(0);
    __syncthreads();
    if (threadIdx.x == 64) {
        value = 42;
        ready.store(1, cuda::std::memory_order_release);
        ready.notify_all();
    } else if (threadIdx.x < 32) {
        ready.wait(0, cuda::std::memory_order_acquire);
        flagged[threadIdx.x] = value;
    }
}

__global__ void latched(int* out) {
    using Latch = cuda::latch<cuda::thread_scope_block>;
    using Semaphore = cuda::binary_semaphore<cuda::thread_scope_block>;
    __shared__ alignas(Latch) char latch_bytes[sizeof(Latch)];
    __shared__ alignas(Semaphore) char mutex_bytes[sizeof(Semaphore)];
    __shared__ int count;
    auto* latch = reinterpret_cast<Latch*>(latch_bytes);
    auto* mutex = reinterpret_cast<Semaphore*>(mutex_bytes);
    if (threadIdx.x == 0) {
        new (latch) Latch(blockDim.x);
        new (mutex) Semaphore(1);
        count = 0;
    }
    __syncthreads();
    mutex->acquire();
    ++count;
    mutex->release();
    latch->arrive_and_wait();
    out[threadIdx.x] = count;
}

__global__ void halves(__half* half, __half2* halves, __nv_bfloat16* brain, __nv_bfloat162* brains) {
    atomicAdd(half, __float2half(1.0f));
    atomicAdd(halves, __floats2half2_rn(1.0f, 0.5f));
    atomicAdd(brain, __float2bfloat16(1.0f));
    atomicAdd(brains, __floats2bfloat162_rn(1.0f, -2.0f));
}

int failures = 0;

void verdict(const char* what, bool holds) {
    holds = holds && cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess;
    std::printf("%s %s\n", holds ? "PASS" : "FAIL", what);
    failures += holds ? 0 : 1;
}

template <class T>
T* to_device(const std::vector<T>& from) {
    T* to = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&to), from.size() * sizeof(T));
    cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}

template <class T>
std::vector<T> to_host(const T* from, std::size_t n) {
    std::vector<T> to(n);
    cudaMemcpy(to.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost);
    return to;
}

int main() {
    constexpr int kThreads = 128, kRounds = 6;
    std::vector<int> in(kThreads * kRounds), want(kThreads);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 7 % 1001);
    int *a = to_device(in), *out = to_device(want);

    for (int t = 0; t < kThreads; ++t)
        for (int r = 0; r < kRounds; ++r) want[t] += r + in[r * kThreads + (t + 37) % kThreads];
    through_barrier<<<1, kThreads>>>(a, out, kRounds);
    verdict("cuda::barrier", to_host(out, kThreads) == want);

    dropping<<<1, 64>>>(out);
    verdict("arrive_and_drop", to_host(out, 32) == std::vector<int>(32, 64 * 1000 + 96));

    for (int t = 0; t < kThreads; ++t) want[t] = in[127 - t];
    copied<<<1, kThreads>>>(a, out);
    verdict("memcpy_async with a barrier", to_host(out, kThreads) == want);

    for (int t = 0; t < kThreads; ++t) {
        want[t] = 0;
        for (int b = 0; b < kRounds; ++b) want[t] += in[b * 128 + 127 - t] * (b + 1);
    }
    piped<<<1, kThreads>>>(a, out, kRounds);
    verdict("cuda::pipeline", to_host(out, kThreads) == want);

    int* sum = to_device(std::vector<int>(1));
    auto* greatest = to_device(std::vector<unsigned long long>(1));
    float* real = to_device(std::vector<float>(1));
    atomics<<<1, kThreads>>>(sum, greatest, real, out);
    verdict("cuda::atomic_ref and cuda::atomic", to_host(sum, 1)[0] == 256 && to_host(greatest, 1)[0] == 381 &&
                                                     to_host(real, 1)[0] == 64.0f &&
                                                     to_host(out, 32) == std::vector<int>(32, 42));

    latched<<<1, 64>>>(out);
    verdict("cuda::latch and cuda::binary_semaphore", to_host(out, 64) == std::vector<int>(64, 64));

    __half* half = to_device(std::vector<__half>(1, __float2half(0.0f)));
    auto* packed = to_device(std::vector<__half2>(1, __floats2half2_rn(0.0f, 0.0f)));
    auto* brain = to_device(std::vector<__nv_bfloat16>(1, __float2bfloat16(0.0f)));
    auto* brains = to_device(std::vector<__nv_bfloat162>(1, __floats2bfloat162_rn(0.0f, 0.0f)));
    halves<<<2, 64>>>(half, packed, brain, brains);
    verdict("atomicAdd of half types",
            __half2float(to_host(half, 1)[0]) == 128.0f && __low2float(to_host(packed, 1)[0]) == 128.0f &&
                __high2float(to_host(packed, 1)[0]) == 64.0f && __bfloat162float(to_host(brain, 1)[0]) == 128.0f &&
                __low2float(to_host(brains, 1)[0]) == 128.0f && __high2float(to_host(brains, 1)[0]) == -256.0f);
    return failures != 0;
}
