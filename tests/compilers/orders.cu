// What public programs do to synchronise, with PTX's orders and scopes spelled out: a lock, a flag within a block, sums
// of packed halves, a reduction that its last block finishes, a breadth-first search, a barrier object in shared
// memory.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <queue>
#include <vector>

__device__ unsigned at_shared(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// ---- a lock ----

__device__ int lock_word, guarded_count;

__global__ void locked(int rounds) {
    for (int r = 0; r < rounds; ++r) {
        bool done = false;
        while (!done) {
            int before;
            asm volatile("atom.global.relaxed.gpu.cas.b32 %0, [%1], 0, 1;" : "=r"(before) : "l"(&lock_word) : "memory");
            if (before != 0) continue;
            asm volatile("fence.acq_rel.gpu;" ::: "memory");
            guarded_count = guarded_count + 1;
            asm volatile("st.release.gpu.b32 [%0], 0;" ::"l"(&lock_word) : "memory");
            done = true;
        }
    }
}

// ---- a flag: one thread hands values to another of its block ----

__device__ void await(unsigned flag, int wanted) {
    int seen;
    do asm volatile("ld.acquire.cta.shared.s32 %0, [%1];" : "=r"(seen) : "r"(flag) : "memory");
    while (seen != wanted);
}

__global__ void handed_over(const int* in, int* out, int n, int other) {
    __shared__ int slot, flag;
    const unsigned at = at_shared(&flag);
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    for (int i = 0; i < n; ++i) {
        if (threadIdx.x == 0) {
            await(at, 0);
            slot = in[i];
            asm volatile("st.release.cta.shared.s32 [%0], 1;" ::"r"(at) : "memory");
        } else if (threadIdx.x == other) {
            await(at, 1);
            out[i] = slot + 1;
            asm volatile("st.release.cta.shared.s32 [%0], 0;" ::"r"(at) : "memory");
        }
    }
}

// ---- packed halves ----

__global__ void add_halves(unsigned* halves, unsigned* brains, unsigned short* own) {
    unsigned old;
    // 1 and 0.5, as f16; 1 and -2, as bf16.
    asm volatile("atom.global.gpu.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(halves), "r"(0x38003c00u)
                 : "memory");
    (void)old;
    asm volatile("red.relaxed.sys.global.add.noftz.bf16x2 [%0], %1;" ::"l"(brains), "r"(0xc0003f80u) : "memory");
    __shared__ unsigned short sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    unsigned short before;
    asm volatile("atom.shared.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(before)
                 : "r"(at_shared(&sum)), "h"(static_cast<unsigned short>(0x3c00))
                 : "memory");
    (void)before;
    __syncthreads();
    if (threadIdx.x == 0) own[blockIdx.x] = sum;
}

// ---- the last block done ----

__device__ unsigned finished;

__global__ void reduce(const float* in, float* partial, float* out, int n) {
    __shared__ float sums[128];
    __shared__ bool is_last;
    float own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += in[i];
    sums[threadIdx.x] = own;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sums[0];
        __threadfence();
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last || threadIdx.x != 0) return;
    float all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += static_cast<volatile float*>(partial)[b];
    *out = all;
}

// ---- breadth-first search ----

__global__ void relax(const int* first, const int* to, int* level, int vertices, int depth, int* changed) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    int own;  // which others lower meanwhile
    asm volatile("ld.relaxed.sys.s32 %0, [%1];" : "=r"(own) : "l"(level + v) : "memory");
    if (own != depth) return;
    for (int e = first[v]; e < first[v + 1]; ++e) {
        int before;
        asm volatile("atom.min.acquire.sys.s32 %0, [%1], %2;"
                     : "=r"(before)
                     : "l"(level + to[e]), "r"(depth + 1)
                     : "memory");
        if (before > depth + 1) atomicExch(changed, 1);
    }
}

// ---- a barrier object: a producer's warp fills a ring that the consumers' warps empty ----

__global__ void ring(const int* in, int* out, int rounds) {
    constexpr int kSlots = 2;
    __shared__ std::uint64_t full[kSlots], empty[kSlots];
    __shared__ int data[kSlots][32];
    if (threadIdx.x == 0) {
        for (int s = 0; s < kSlots; ++s) {
            asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at_shared(&full[s])) : "memory");
            asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at_shared(&empty[s])) : "memory");
        }
    }
    __syncthreads();
    const bool produces = threadIdx.x < 32;
    const unsigned lane = threadIdx.x % 32;
    int total = 0;
    for (int r = 0; r < rounds; ++r) {
        const int slot = r % kSlots;
        const unsigned phase = r / kSlots % 2;
        const unsigned wait = at_shared(produces ? &empty[slot] : &full[slot]);
        const unsigned arrive = at_shared(produces ? &full[slot] : &empty[slot]);
        // Empty slots are there from the start: the phase before the first one is over.
        const unsigned parity = produces ? phase ^ 1 : phase;
        unsigned done = 0;
        while (!done)
            asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(wait), "r"(parity)
                         : "memory");
        if (produces)
            data[slot][lane] = in[r * 32 + lane];
        else
            total += data[slot][31 - lane] * (r + 1);
        std::uint64_t state;
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(arrive) : "memory");
        (void)state;
    }
    if (!produces) out[threadIdx.x - 32] = total;
}

// ---- the host's side ----

int failures = 0;

void verdict(const char* what, bool holds) {
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

void check_lock() {
    locked<<<4, 64>>>(3);
    int count = 0;
    cudaMemcpyFromSymbol(&count, guarded_count, sizeof count);
    verdict("a lock by compare-and-swap", count == 4 * 64 * 3);
}

void check_flag(int other, int n, const char* what) {
    std::vector<int> in(n), want(n);
    for (int i = 0; i < n; ++i) in[i] = i * i, want[i] = i * i + 1;
    int *a = to_device(in), *b = to_device(std::vector<int>(n));
    handed_over<<<1, 64>>>(a, b, n, other);
    verdict(what, to_host(b, n) == want);
}

void check_halves() {
    unsigned *halves = to_device(std::vector<unsigned>(1)), *brains = to_device(std::vector<unsigned>(1));
    unsigned short* own = to_device(std::vector<unsigned short>(2));
    add_halves<<<2, 64>>>(halves, brains, own);
    // 128 and 64 as f16; 128 and -256 as bf16; 64 in each block.
    verdict("sums of halves", to_host(halves, 1)[0] == 0x54005800u && to_host(brains, 1)[0] == 0xc3804300u &&
                                  to_host(own, 2) == std::vector<unsigned short>({0x5400, 0x5400}));
}

void check_reduction() {
    std::vector<float> in(10007);
    float want = 0;
    for (int i = 0; i < 10007; ++i) want += in[i] = static_cast<float>(i % 17);
    float *a = to_device(in), *partial = to_device(std::vector<float>(8)), *out = to_device(std::vector<float>(1));
    bool good = true;
    for (int turn = 0; turn < 2; ++turn) {
        reduce<<<8, 128>>>(a, partial, out, 10007);
        good = good && to_host(out, 1)[0] == want;
    }
    verdict("a reduction that the last block finishes", good);
}

void check_search() {
    const int vertices = 500;
    std::vector<int> first(1), to;
    unsigned state = 7;
    for (int v = 0; v < vertices; ++v) {
        for (int e = 0; e < 3; ++e) {
            state = state * 1664525u + 1013904223u;
            to.push_back(static_cast<int>((state >> 8) % vertices));
        }
        first.push_back(static_cast<int>(to.size()));
    }
    const int kFar = 1 << 30;
    std::vector<int> want(vertices, kFar);
    std::queue<int> open;
    want[0] = 0;
    open.push(0);
    while (!open.empty()) {
        const int v = open.front();
        open.pop();
        for (int e = first[v]; e < first[v + 1]; ++e)
            if (want[to[e]] == kFar) want[to[e]] = want[v] + 1, open.push(to[e]);
    }
    std::vector<int> level(vertices, kFar);
    level[0] = 0;
    int *d_first = to_device(first), *d_to = to_device(to), *d_level = to_device(level);
    int* changed = to_device(std::vector<int>(1));
    for (int depth = 0;; ++depth) {
        cudaMemset(changed, 0, sizeof(int));
        relax<<<(vertices + 63) / 64, 64>>>(d_first, d_to, d_level, vertices, depth, changed);
        if (to_host(changed, 1)[0] == 0) break;
    }
    verdict("a breadth-first search", to_host(d_level, vertices) == want);
}

void check_ring() {
    const int rounds = 7;
    std::vector<int> in(32 * rounds), want(64);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 13 % 101);
    for (int t = 0; t < 64; ++t)
        for (int r = 0; r < rounds; ++r) want[t] += in[r * 32 + 31 - t % 32] * (r + 1);
    int *a = to_device(in), *b = to_device(std::vector<int>(64));
    ring<<<1, 96>>>(a, b, rounds);
    verdict("a ring between warps", to_host(b, 64) == want);
}

int main() {
    check_lock();
    check_flag(32, 40, "a flag between warps");
    check_flag(5, 6, "a flag within a warp");
    check_halves();
    check_reduction();
    check_search();
    check_ring();
    verdict("no call failed", cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess);
    return failures != 0;
}
