// What programs do with CUDA's C++ library: counters, locks, queues, hand-overs, barriers, pipelines, small values.
// Each idiom is checked against its result on the host.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstring>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <nv/target>

namespace cg = cooperative_groups;
using Block = cuda::barrier<cuda::thread_scope_block>;
template <class T>
using DeviceRef = cuda::atomic_ref<T, cuda::thread_scope_device>;

int failures = 0;
void verdict(const char* what, bool holds) {
    holds = cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess && holds;
    std::printf("%s %s\n", holds ? "PASS" : "FAIL", what);
    failures += holds ? 0 : 1;
}
template <class T>
T* managed(int count) {
    T* p = nullptr;
    cudaMallocManaged(&p, count * sizeof(T));
    std::memset(static_cast<void*>(p), 0, count * sizeof(T));
    return p;
}

__global__ void histogram(const unsigned* in, int n, unsigned* bins) {
    __shared__ unsigned own[16];
    if (threadIdx.x < 16) own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        cuda::atomic_ref<unsigned, cuda::thread_scope_block>(own[in[i] % 16]).fetch_add(1, cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x < 16)
        DeviceRef<unsigned>(bins[threadIdx.x]).fetch_add(own[threadIdx.x], cuda::memory_order_relaxed);
}

// The block that draws the last ticket adds up what the others left.
__global__ void reduce_once(const unsigned* in, int n, unsigned* parts, unsigned* ticket, unsigned* out) {
    __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> sum;
    __shared__ bool last;
    if (threadIdx.x == 0) sum.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum.fetch_add(in[i], cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum.load(cuda::memory_order_relaxed);
        last = DeviceRef<unsigned>(*ticket).fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (unsigned b = 0; b < gridDim.x; ++b) *out += parts[b];
}

// Open addressing: who puts the key in place owns the slot.
__global__ void insert_keys(const unsigned* keys, int n, unsigned* table, int slots, unsigned* inserted) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned key = keys[i] + 1;
    for (int at = key * 2654435761u % slots;; at = (at + 1) % slots) {
        DeviceRef<unsigned> slot(table[at]);
        unsigned seen = 0;
        if (slot.compare_exchange_strong(seen, key, cuda::memory_order_relaxed)) {
            DeviceRef<unsigned>(*inserted).fetch_add(1, cuda::memory_order_relaxed);
            return;
        }
        if (seen == key) return;
    }
}

struct SpinLock {
    cuda::atomic<int, cuda::thread_scope_device> held;
    __device__ void lock() {
        while (held.exchange(1, cuda::memory_order_acquire) != 0) {
        }
    }
    __device__ void unlock() { held.store(0, cuda::memory_order_release); }
};
__global__ void locked(SpinLock* lock, int* count) {
    if (threadIdx.x != 0) return;
    lock->lock();
    *count = *count + 1;
    lock->unlock();
}

// One block hands a message to the next one.
__global__ void pass_on(cuda::atomic<int, cuda::thread_scope_device>* flags, int* messages) {
    const int b = blockIdx.x;
    if (b > 0) flags[b - 1].wait(0, cuda::memory_order_acquire);
    messages[b] = b > 0 ? messages[b - 1] * 2 + 1 : 1;
    flags[b].store(1, cuda::memory_order_release);
    flags[b].notify_all();
}

// The classic pair: data, a fence, a flag that only counts.
__global__ void fenced(int* data, unsigned* flag, int* out) {
    DeviceRef<unsigned> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0) {
        }
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        *out = *data;
    }
}

__global__ void extremes(const float* in, int n, float* least, float* greatest, double* sum, unsigned char* small) {
    const int i = threadIdx.x;
    if (i >= n) return;
    DeviceRef<float>(*least).fetch_min(in[i]);
    DeviceRef<float>(*greatest).fetch_max(in[i]);
    DeviceRef<double>(*sum).fetch_add(in[i]);
    cuda::atomic_ref<unsigned char, cuda::thread_scope_block>(small[i % 3]).fetch_add(1);
}

// A counter and a value in one word, which change together.
struct Best {
    int score, who;
};
__global__ void best_of(cuda::atomic<Best, cuda::thread_scope_device>* best) {
    const int me = blockIdx.x * blockDim.x + threadIdx.x, score = me * 37 % 101;
    Best seen = best->load(cuda::memory_order_relaxed);
    while (score > seen.score && !best->compare_exchange_weak(seen, Best{score, me}, cuda::memory_order_relaxed)) {
    }
}

// A stack of places that threads draw from.
__global__ void draw(cuda::std::atomic<int*>* top, int* values) { *top->fetch_add(1) = 1; }

__global__ void waves(const int* in, int* out, int rounds) {
    __shared__ Block barrier;
    __shared__ int tile[2][64];
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    int total = 0;
    for (int r = 0; r < rounds; ++r) {
        tile[r & 1][threadIdx.x] = in[r * 64 + threadIdx.x];
        auto token = barrier.arrive();
        total += r;
        barrier.wait(cuda::std::move(token));
        total += tile[r & 1][63 - threadIdx.x];
    }
    out[threadIdx.x] = total;
}

// Two barriers for each buffer: one warp fills, the others use.
__global__ void fill_and_use(const int* in, int* out, int batches) {
    __shared__ Block ready[2], filled[2];
    __shared__ int buffer[2][32];
    const auto block = cg::this_thread_block();
    if (block.thread_rank() < 4) init(block.thread_rank() < 2 ? &ready[threadIdx.x] : &filled[threadIdx.x - 2], 64);
    block.sync();
    if (threadIdx.x < 32) {
        for (int b = 0; b < batches; ++b) {
            ready[b % 2].arrive_and_wait();
            buffer[b % 2][threadIdx.x] = in[b * 32 + threadIdx.x];
            (void)filled[b % 2].arrive();
        }
        return;
    }
    int total = 0;
    (void)ready[0].arrive(), (void)ready[1].arrive();
    for (int b = 0; b < batches; ++b) {
        filled[b % 2].arrive_and_wait();
        total += buffer[b % 2][63 - threadIdx.x] * (b + 1);
        if (b + 2 < batches) (void)ready[b % 2].arrive();
    }
    out[threadIdx.x - 32] = total;
}

// Parity instead of tokens; an arrival for two; threads that drop out; a wait that gives up.
__global__ void parities(int* out) {
    __shared__ Block barrier, pairs, never;
    if (threadIdx.x == 0) init(&barrier, blockDim.x), init(&pairs, blockDim.x), init(&never, blockDim.x + 1);
    __syncthreads();
    bool parity = false;
    for (int r = 0; r < 3; ++r, parity = !parity) {
        (void)barrier.arrive();
        barrier.wait_parity(parity);
    }
    if (threadIdx.x % 2 == 0) (void)pairs.arrive(2);
    pairs.wait_parity(false);
    const bool in_time = never.try_wait_for(never.arrive(), cuda::std::chrono::nanoseconds(200));
    out[threadIdx.x] = in_time ? 1 : 2;
    if (threadIdx.x >= 48) {
        barrier.arrive_and_drop();
        return;
    }
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();
    out[threadIdx.x] += 10;
}

struct AddUp {
    int *parts, *total;
    __device__ void operator()() const {
        for (int i = 0; i < 64; ++i) *total += parts[i];
    }
};
__global__ void complete(int* total) {
    using Barrier = cuda::barrier<cuda::thread_scope_block, AddUp>;
    alignas(Barrier) __shared__ char bytes[sizeof(Barrier)];
    __shared__ int parts[64];
    auto* barrier = reinterpret_cast<Barrier*>(bytes);
    if (threadIdx.x == 0) init(barrier, blockDim.x, AddUp{parts, total});
    __syncthreads();
    for (int r = 0; r < 3; ++r) {
        parts[threadIdx.x] = threadIdx.x + r;
        barrier->arrive_and_wait();
    }
}

// All blocks meet at a barrier in global memory.
__global__ void meet(cuda::barrier<cuda::thread_scope_device>* barrier, int* counts, int* out) {
    counts[blockIdx.x] = blockIdx.x + 1;
    barrier->arrive_and_wait();
    out[blockIdx.x] = counts[(blockIdx.x + 1) % gridDim.x];
}

__global__ void turnstile(cuda::counting_semaphore<cuda::thread_scope_device, 2>* places, int* inside, int* most) {
    if (threadIdx.x != 0) return;
    places->acquire();
    const int now = DeviceRef<int>(*inside).fetch_add(1) + 1;
    DeviceRef<int>(*most).fetch_max(now);
    DeviceRef<int>(*inside).fetch_sub(1);
    places->release();
}

__global__ void latched(int* out) {
    using Latch = cuda::latch<cuda::thread_scope_block>;
    alignas(Latch) __shared__ char bytes[sizeof(Latch)];
    __shared__ int parts[4];
    auto* latch = reinterpret_cast<Latch*>(bytes);
    if (threadIdx.x == 0) new (latch) Latch(4);
    __syncthreads();
    if (threadIdx.x < 4) {
        parts[threadIdx.x] = threadIdx.x + 1;
        latch->count_down();
    }
    latch->wait();
    out[threadIdx.x] = parts[threadIdx.x % 4];
}

// Code for either side, chosen when it is compiled.
__host__ __device__ int side() { NV_IF_TARGET(NV_IS_DEVICE, (return 1;), (return 2;)) }
__host__ __device__ int dispatched() {
    NV_DISPATCH_TARGET(NV_IS_HOST, (return 10;), NV_PROVIDES_SM_60, (int x = 20, y = 1; return x + y;))
}

// Small values by several results: the mean and the spread, and where the greatest is.
__host__ __device__ cuda::std::tuple<float, int> summary(const cuda::std::array<float, 8>& values) {
    float sum = 0;
    cuda::std::pair<float, int> greatest{cuda::std::numeric_limits<float>::lowest(), -1};
    for (int i = 0; i < static_cast<int>(values.size()); ++i) {
        sum += values[i];
        greatest = cuda::std::max(greatest, cuda::std::make_pair(values[i], i));
    }
    return {sum / values.size(), greatest.second};
}
__host__ __device__ int small_values(int x) {
    cuda::std::array<float, 8> values{};
    for (int i = 0; i < 8; ++i) values[i] = static_cast<float>((x + i * 5) % 7);
    auto [mean, where] = summary(values);
    cuda::std::complex<float> z(1, 0);
    for (int i = 0; i < 3; ++i) z = z * cuda::std::complex<float>(2, 1);
    const int whole = cuda::ceil_div(x, 4) + static_cast<int>(cuda::std::bit_ceil(37u)) + cuda::std::popcount(255u);
    return static_cast<int>(mean * 8) + where * 100 + static_cast<int>(z.real() * 3 + z.imag()) + whole +
           cuda::maximum<>{}(x, 5) - cuda::minimum<int>{}(x, 5);
}
__global__ void values(int* out) {
    out[threadIdx.x] = small_values(threadIdx.x) + side() * 1000 + dispatched();
#if defined(__clang__)
    cuda::atomic<int, cuda::thread_scope_thread> own(3);  // in the thread's own memory, which no instruction reaches
    int expected = 5;
    own.fetch_add(2);
    if (!own.compare_exchange_strong(expected, 9) || own.exchange(1) != 9) out[threadIdx.x] = -1;
#endif
}

bool shared_counters(const unsigned* in, unsigned* out, int n) {
    unsigned want[16] = {}, sum = 0;
    for (int i = 0; i < n; ++i) ++want[in[i] % 16], sum += in[i];
    histogram<<<4, 64>>>(in, n, out);
    reduce_once<<<4, 64>>>(in, n, out + 16, out + 32, out + 33);
    bool right = cudaDeviceSynchronize() == cudaSuccess && out[33] == sum;
    for (int i = 0; i < 16; ++i) right = right && out[i] == want[i];
    return right;
}

int main() {
    constexpr int kKeys = 500;
    auto* in = managed<unsigned>(kKeys);
    for (int i = 0; i < kKeys; ++i) in[i] = i * 7u % 331u;
    verdict("histogram, reduction by ticket", shared_counters(in, managed<unsigned>(34), kKeys));

    auto *table = managed<unsigned>(1024), *inserted = managed<unsigned>(1);
    insert_keys<<<4, 128>>>(in, kKeys, table, 1024, inserted);
    cudaDeviceSynchronize();
    verdict("hash table", inserted[0] == 331);

    int* out = managed<int>(128);
    locked<<<8, 32>>>(managed<SpinLock>(1), out);
    pass_on<<<6, 1>>>(managed<cuda::atomic<int, cuda::thread_scope_device>>(6), out + 1);
    fenced<<<2, 1>>>(managed<int>(1), managed<unsigned>(1), out + 10);
    cudaDeviceSynchronize();
    verdict("lock, messages, fences", out[0] == 8 && out[6] == 63 && out[10] == 42);

    auto* reals = managed<float>(64);
    auto* bounds = managed<float>(2);
    auto* sum = managed<double>(1);
    auto* small = managed<unsigned char>(4);
    double want_sum = 0;
    for (int i = 0; i < 64; ++i) want_sum += reals[i] = static_cast<float>(i * 13 % 64 - 20);
    extremes<<<1, 64>>>(reals, 64, bounds, bounds + 1, sum, small);
    auto* best = managed<cuda::atomic<Best, cuda::thread_scope_device>>(1);
    best_of<<<2, 64>>>(best);
    auto* drawn = managed<int>(64);
    auto* top = new (managed<char>(8)) cuda::std::atomic<int*>(drawn);
    draw<<<2, 32>>>(top, drawn);
    cudaDeviceSynchronize();
    verdict("extremes, bytes, best, stack",
            bounds[0] == -20 && bounds[1] == 43 && sum[0] == want_sum && small[0] == 22 && small[1] == 21 &&
                small[2] == 21 && best->load().score == 100 && top->load() == drawn + 64 && drawn[63] == 1);

    auto* numbers = managed<int>(4 * 64);
    for (int i = 0; i < 4 * 64; ++i) numbers[i] = i * 3 % 17;
    waves<<<1, 64>>>(numbers, out, 4);
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (int t = 0; t < 64; ++t) {
        int want = 6;
        for (int r = 0; r < 4; ++r) want += numbers[r * 64 + 63 - t];
        right = right && out[t] == want;
    }
    fill_and_use<<<1, 64>>>(numbers, out, 6);
    cudaDeviceSynchronize();
    for (int t = 0; t < 32; ++t) {
        int want = 0;
        for (int b = 0; b < 6; ++b) want += numbers[b * 32 + 31 - t] * (b + 1);
        right = right && out[t] == want;
    }
    verdict("barriers: split, producer and consumer", right);

    parities<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    right = out[0] == 12 && out[47] == 12 && out[48] == 2 && out[63] == 2;
    complete<<<1, 64>>>(out + 64);
    auto* barrier = new (managed<char>(64)) cuda::barrier<cuda::thread_scope_device>(4);
    meet<<<4, 1>>>(barrier, managed<int>(4), out + 65);
    cudaDeviceSynchronize();
    verdict("barriers: parity, drop, completion, grid",
            right && out[64] == 3 * 2016 + 64 * 3 && out[65] == 2 && out[67] == 4 && out[68] == 1);

    auto* counts = managed<int>(2);
    auto* places = new (managed<char>(64)) cuda::counting_semaphore<cuda::thread_scope_device, 2>(2);
    turnstile<<<8, 32>>>(places, counts, counts + 1);
    latched<<<1, 8>>>(out);
    cudaDeviceSynchronize();
    verdict("semaphore, latch", counts[1] >= 1 && counts[1] <= 2 && out[5] == 2 && out[7] == 4);

    values<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    right = side() == 2 && dispatched() == 10;
    for (int i = 0; i < 32; ++i) right = right && out[i] == small_values(i) + 1021;
    verdict("values of both sides", right);
    return failures != 0;
}
