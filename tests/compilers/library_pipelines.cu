// The pipelines of CUDA's C++ library: of a thread and of a block, with 1 to 4 stages, all threads alike or some that
// fill and some that use; copies of each width, by one thread and by a group.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>
#include <cstring>
#include <cuda/annotated_ptr>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/span>

namespace cg = cooperative_groups;
constexpr auto kBlock = cuda::thread_scope_block;

int failures = 0;
void verdict(const char* what, int number, bool holds) {
    holds = cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess && holds;
    std::printf("%s %s %d\n", holds ? "PASS" : "FAIL", what, number);
    failures += holds ? 0 : 1;
}
template <class T>
T* managed(int count) {
    T* p = nullptr;
    cudaMallocManaged(&p, count * sizeof(T));
    std::memset(static_cast<void*>(p), 0, count * sizeof(T));
    return p;
}

constexpr int kThreads = 64, kBatches = 7;

// Every thread fills and uses; up to `kStages` batches are under way.
template <int kStages>
__global__ void unified(const int* in, int* out) {
    __shared__ int buffer[kStages][kThreads];
    __shared__ cuda::pipeline_shared_state<kBlock, kStages> state;
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int total = 0;
    for (int use = 0, fill = 0; use < kBatches; ++use) {
        for (; fill < kBatches && fill < use + kStages; ++fill) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, buffer[fill % kStages], in + fill * kThreads, sizeof(int) * kThreads, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        total += buffer[use % kStages][kThreads - 1 - threadIdx.x] * (use + 1);
        pipe.consumer_release();
    }
    out[threadIdx.x] = total;
}

// The first warp fills, the other one uses. The role is told by a count or by each thread.
template <int kStages, bool kByCount>
__global__ void partitioned(const int* in, int* out) {
    constexpr int kHalf = kThreads / 2;
    __shared__ int buffer[kStages][kHalf];
    __shared__ cuda::pipeline_shared_state<kBlock, kStages> state;
    const auto block = cg::this_thread_block();
    const bool fills = threadIdx.x < kHalf;
    const auto role = fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = kByCount ? cuda::make_pipeline(block, &state, kHalf) : cuda::make_pipeline(block, &state, role);
    if (fills) {
        for (int batch = 0; batch < kBatches; ++batch) {
            pipe.producer_acquire();
            cuda::memcpy_async(&buffer[batch % kStages][threadIdx.x], in + batch * kHalf + threadIdx.x,
                               cuda::aligned_size_t<4>(sizeof(int)), pipe);
            pipe.producer_commit();
        }
    } else {
        int total = 0;
        for (int batch = 0; batch < kBatches; ++batch) {
            pipe.consumer_wait();
            total += buffer[batch % kStages][kThreads - 1 - threadIdx.x] * (batch + 1);
            pipe.consumer_release();
        }
        out[threadIdx.x - kHalf] = total;
    }
    pipe.quit();
}

// A thread's own copies: it alone waits, for all but the latest ones.
template <int kStages>
__global__ void own(const int* in, int* out) {
    __shared__ int buffer[kStages][kThreads];
    auto pipe = cuda::make_pipeline();
    int total = 0;
    for (int use = 0, fill = 0; use < kBatches; ++use) {
        for (; fill < use + kStages; ++fill) {
            pipe.producer_acquire();
            if (fill < kBatches)
                cuda::memcpy_async(&buffer[fill % kStages][threadIdx.x], in + fill * kThreads + threadIdx.x,
                                   sizeof(int), pipe);
            pipe.producer_commit();
        }
        if (use % 2 == 0)
            cuda::pipeline_consumer_wait_prior<kStages - 1>(pipe);
        else
            pipe.consumer_wait();
        total += buffer[use % kStages][threadIdx.x] * (use + 1);
        pipe.consumer_release();
    }
    out[threadIdx.x] = total;
}

// Bytes from and to any address, of any count.
template <int kWidth>
__global__ void widths(const char* in, char* out, int from, int to, int bytes) {
    alignas(16) __shared__ char tile[512];
    __shared__ cuda::barrier<kBlock> barrier;
    const auto block = cg::this_thread_block();
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    block.sync();
    if constexpr (kWidth > 1)
        cuda::memcpy_async(block, tile + to, in + from, cuda::aligned_size_t<kWidth>(bytes), barrier);
    else
        cuda::memcpy_async(block, tile + to, in + from, static_cast<size_t>(bytes), barrier);
    barrier.arrive_and_wait();
    for (int i = threadIdx.x; i < bytes; i += blockDim.x) out[i] = tile[to + i];
    block.sync();
    // The other way: a group that waits for its copies.
    if constexpr (kWidth > 1)
        cg::memcpy_async(block, tile + to, in + from, cuda::aligned_size_t<kWidth>(bytes));
    else
        cg::memcpy_async(block, tile + to, in + from, static_cast<size_t>(bytes));
    cg::wait(block);
    for (int i = threadIdx.x; i < bytes; i += blockDim.x) out[i] += tile[to + i];
}

// A product of matrices whose tiles come two stages ahead.
constexpr int kTile = 8, kWidthOfMatrix = 32;
__global__ void multiply(const float* a, const float* b, float* c) {
    constexpr int kStages = 2;
    __shared__ float a_tile[kStages][kTile][kTile], b_tile[kStages][kTile][kTile];
    __shared__ cuda::pipeline_shared_state<kBlock, kStages> state;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
    const cuda::annotated_ptr<const float, cuda::access_property::persisting> kept(b);
    const auto fetch = [&](int step) {
        pipe.producer_acquire();
        cuda::memcpy_async(&a_tile[step % kStages][y][x], a + row * kWidthOfMatrix + step * kTile + x, sizeof(float),
                           pipe);
        cuda::memcpy_async(&b_tile[step % kStages][y][x], kept.get() + (step * kTile + y) * kWidthOfMatrix + column,
                           sizeof(float), pipe);
        pipe.producer_commit();
    };
    constexpr int kSteps = kWidthOfMatrix / kTile;
    for (int step = 0; step < kStages; ++step) fetch(step);
    float sum = 0;
    for (int step = 0; step < kSteps; ++step) {
        pipe.consumer_wait();
        for (int k = 0; k < kTile; ++k) sum += a_tile[step % kStages][y][k] * b_tile[step % kStages][k][x];
        pipe.consumer_release();
        if (step + kStages < kSteps) fetch(step + kStages);
    }
    c[row * kWidthOfMatrix + column] = sum;
}

// The copies of a thread's pipeline, told to a barrier; a barrier that many threads copy for.
__global__ void bound(const int* in, int* out) {
    __shared__ int tile[kThreads], other[kThreads];
    __shared__ cuda::barrier<kBlock> barrier;
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    auto pipe = cuda::make_pipeline();
    cuda::memcpy_async(&tile[threadIdx.x], in + threadIdx.x, sizeof(int), pipe);
    cuda::pipeline_producer_commit(pipe, barrier);
    cuda::memcpy_async(&other[threadIdx.x], in + kThreads + threadIdx.x, sizeof(int), barrier);
    barrier.arrive_and_wait();
    const cuda::std::span<int> seen(tile);
    out[threadIdx.x] = seen[kThreads - 1 - threadIdx.x] + other[kThreads - 1 - threadIdx.x] * 2;
}

int main() {
    int *in = managed<int>(kBatches * kThreads), *out = managed<int>(kThreads);
    for (int i = 0; i < kBatches * kThreads; ++i) in[i] = i * 7 % 1001;
    const auto holds = [&](int width, bool crossed) {
        bool right = cudaDeviceSynchronize() == cudaSuccess;
        for (int t = 0; t < width; ++t) {
            int want = 0;
            for (int b = 0; b < kBatches; ++b) want += in[b * width + (crossed ? width - 1 - t : t)] * (b + 1);
            right = right && out[t] == want;
            out[t] = -1;
        }
        return right;
    };
#define STAGES(n)                                                  \
    unified<n><<<1, kThreads>>>(in, out);                          \
    verdict("all fill and use, stages", n, holds(kThreads, true)); \
    partitioned<n, true><<<1, kThreads>>>(in, out);                \
    verdict("some fill, stages", n, holds(kThreads / 2, true));    \
    own<n><<<1, kThreads>>>(in, out);                              \
    verdict("a thread's own, stages", n, holds(kThreads, false));
    STAGES(1)
    STAGES(2)
    STAGES(3)
    STAGES(4)
    partitioned<3, false><<<1, kThreads>>>(in, out);
    verdict("roles told by threads, stages", 3, holds(kThreads / 2, true));

    char *bytes = managed<char>(1024), *copied = managed<char>(512);
    for (int i = 0; i < 1024; ++i) bytes[i] = static_cast<char>(i * 31 % 127);
#define WIDTH(n, from, to, count)                                                               \
    {                                                                                           \
        widths<n><<<1, 32>>>(bytes, copied, from, to, count);                                   \
        bool right = cudaDeviceSynchronize() == cudaSuccess;                                    \
        for (int i = 0; i < count; ++i)                                                         \
            right = right && copied[i] == static_cast<char>(bytes[from + i] + bytes[from + i]); \
        verdict("bytes aligned to", n, right);                                                  \
    }
#if defined(__clang__)  // the toolkit's header takes copies in bulk for these
    WIDTH(16, 32, 16, 256)
#endif
    WIDTH(8, 8, 24, 200)
    WIDTH(4, 4, 12, 100)
    WIDTH(1, 3, 3, 77)
    WIDTH(1, 16, 32, 128)

    constexpr int kSize = kWidthOfMatrix * kWidthOfMatrix;
    float *a = managed<float>(kSize), *b = managed<float>(kSize), *c = managed<float>(kSize);
    for (int i = 0; i < kSize; ++i) a[i] = static_cast<float>(i % 7), b[i] = static_cast<float>(i % 5);
    const int tiles = kWidthOfMatrix / kTile;
    multiply<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(a, b, c);
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < kSize; ++i) {
        float want = 0;
        for (int k = 0; k < kWidthOfMatrix; ++k)
            want += a[i / kWidthOfMatrix * kWidthOfMatrix + k] * b[k * kWidthOfMatrix + i % kWidthOfMatrix];
        right = right && c[i] == want;
    }
    verdict("product of matrices", kWidthOfMatrix, right);

    bound<<<1, kThreads>>>(in, out);
    right = cudaDeviceSynchronize() == cudaSuccess;
    for (int t = 0; t < kThreads; ++t) right = right && out[t] == in[kThreads - 1 - t] + in[2 * kThreads - 1 - t] * 2;
    verdict("copies bound to a barrier", kThreads, right);
    return failures != 0;
}
