// The atomics of CUDA's C++ library: what every operation gives and leaves, by type, scope, order and side.
#include <cuda/atomic>
#include <cuda/std/atomic>

#include "digests.cuh"

struct Pair {
    short a, b;
    __host__ __device__ bool operator==(Pair other) const { return a == other.a && b == other.b; }
};
struct Wide {
    int a;
    float b;
    __host__ __device__ bool operator==(Wide other) const { return a == other.a && b == other.b; }
};

template <class T>
__host__ __device__ unsigned long long bits(T x) {
    unsigned long long word = 0;
    memcpy(&word, &x, sizeof(x));
    return word;
}

#define STEP(expression)                     \
    sum = digest(7, sum + bits(expression)); \
    sum = digest(9, sum + bits(a.load(load)));

// Of all types: places a value, reads it and puts another one in its place.
template <class A, class T>
__host__ __device__ unsigned long long moved(A& a, T x, T y, T z, cuda::memory_order order, cuda::memory_order load,
                                             cuda::memory_order store) {
    unsigned long long sum = a.is_lock_free();
    a.store(x, store);
    STEP(a.load(load))
    STEP(a.exchange(y, order))
    T expected = x;
    STEP(a.compare_exchange_strong(expected, z, order, load))
    STEP(expected)
    STEP(a.compare_exchange_strong(expected, z, order))
    T other = z;
    while (!a.compare_exchange_weak(other, x, order, load)) {
    }
    STEP(other)
    while (!a.compare_exchange_weak(other, y)) {
    }
    a = z;
    STEP(static_cast<T>(a))
    a.wait(x, load);
    a.notify_one();
    a.notify_all();
    return sum;
}

template <class T, class A>
__host__ __device__ unsigned long long counted(A& a, cuda::memory_order order, cuda::memory_order load) {
    unsigned long long sum = 0;
    a.store(T(41));
    STEP(a.fetch_add(T(1), order))
    STEP(a.fetch_sub(T(50), order))
    STEP(a.fetch_min(T(5), order))
    STEP(a.fetch_max(T(100), order))
    STEP(a.fetch_max(T(7), order))
    STEP(a += T(3))
    STEP(a -= T(60))
    return sum;
}
template <class T, class A>
__host__ __device__ unsigned long long masked(A& a, cuda::memory_order order, cuda::memory_order load) {
    unsigned long long sum = 0;
    a.store(T(0x73));
    STEP(a.fetch_and(T(0x5f), order))
    STEP(a.fetch_or(T(0x09), order))
    STEP(a.fetch_xor(T(0x55), order))
    STEP(a &= T(0x3f))
    STEP(a |= T(0x40))
    STEP(a ^= T(0x21))
    STEP(a++)
    STEP(++a)
    STEP(a--)
    STEP(--a)
    return sum;
}

// In one order, or in each of them: orders are known when the program is compiled.
template <class T, cuda::thread_scope Scope, class Function>
__host__ __device__ __noinline__ unsigned long long in_order(T* place, Function function) {
    cuda::atomic_ref<T, Scope> referred(*place);
    return function(referred, cuda::memory_order_acq_rel, cuda::memory_order_acquire, cuda::memory_order_release);
}
template <class T, cuda::thread_scope Scope, class Function>
__host__ __device__ __noinline__ unsigned long long in_orders(T* place, Function function) {
    using namespace cuda;
    cuda::atomic_ref<T, Scope> referred(*place);
    unsigned long long sum = function(referred, memory_order_relaxed, memory_order_relaxed, memory_order_relaxed);
    sum = digest(1, sum + function(referred, memory_order_acquire, memory_order_acquire, memory_order_release));
    sum = digest(2, sum + function(referred, memory_order_release, memory_order_acquire, memory_order_release));
    return digest(3, sum + function(referred, memory_order_seq_cst, memory_order_seq_cst, memory_order_seq_cst));
}

enum Kind { kMoved, kCounted, kMasked };

template <Kind kKind, class T>
struct Steps {
    T x, y, z;
    template <class A>
    __host__ __device__ unsigned long long operator()(A& a, cuda::memory_order order, cuda::memory_order load,
                                                      cuda::memory_order store) const {
        unsigned long long sum = moved(a, x, y, z, order, load, store);
        if constexpr (kKind >= kCounted) sum += counted<T>(a, order, load);
        if constexpr (kKind >= kMasked) sum += masked<T>(a, order, load);
        return sum;
    }
};

template <Kind kKind, cuda::thread_scope Scope, class T>
__host__ __device__ unsigned long long all_of(T* place, T x, T y, T z) {
    return in_order<T, Scope>(place, Steps<kKind, T>{x, y, z});
}

__device__ cuda::atomic<int, cuda::thread_scope_device> counter{40};
__device__ cuda::std::atomic<unsigned long long> total{1000};

// Variables that are atomics, of several scopes, where other threads could reach them.
struct Variables {
    cuda::atomic<int, cuda::thread_scope_block> block;
    cuda::atomic<float, cuda::thread_scope_device> real;
    cuda::std::atomic<double> wide;
    cuda::atomic<int*, cuda::thread_scope_device> cursor;
    cuda::std::atomic_flag flag;
    int elements[8];
};
template <class Counter, class Total>
__host__ __device__ unsigned long long variables(Variables* v, Counter& counter, Total& total) {
    unsigned long long sum = 0;
    v->block = 3;
    v->real = 1.5f;
    v->wide = 0.25;
    v->cursor = v->elements;
    v->flag.clear();
    cuda::std::atomic_ref<double> same(*reinterpret_cast<double*>(&v->wide));
    sum = digest(1, sum + static_cast<unsigned>(v->block.fetch_add(4)));
    sum = digest(2, sum + static_cast<unsigned>(v->block++ + counter.fetch_sub(5)));
    sum = digest(3, sum + bits(v->real.fetch_add(2.0f)) + bits(v->real.load()));
    sum = digest(4, sum + bits(v->wide.fetch_add(0.5)) + bits(same.fetch_sub(0.125)) + bits(v->wide.load()));
    sum = digest(5, sum + total.fetch_add(5) + ++total);
    sum = digest(6, sum + static_cast<unsigned long long>(v->cursor.fetch_add(3) - v->elements));
    sum = digest(7, sum + static_cast<unsigned long long>(--v->cursor - v->elements));
    sum = digest(8, sum + static_cast<unsigned long long>((v->cursor += 2) - v->elements));
    sum = digest(9, sum + v->flag.test_and_set() + v->flag.test() * 2u + v->flag.test_and_set() * 4u);
    v->flag.clear();
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_block);
    cuda::std::atomic_thread_fence(cuda::std::memory_order_release);
    cuda::std::atomic_signal_fence(cuda::std::memory_order_acquire);
    return digest(10, sum + v->flag.test());
}

constexpr cuda::thread_scope kBlock = cuda::thread_scope_block, kDevice = cuda::thread_scope_device,
                             kSystem = cuda::thread_scope_system, kThread = cuda::thread_scope_thread;
constexpr const char* kNames[] = {"schar",  "uchar", "short",  "ushort", "int",     "unsigned", "long", "ulong",
                                  "ullong", "float", "double", "bool",   "pointer", "pair",     "wide", "enum"};
constexpr int kTypes = sizeof(kNames) / sizeof(kNames[0]);
enum class Colour : unsigned char { kRed, kGreen, kBlue };

// `place` is 16 bytes for each type; bytes and halves lie in the middle of a word.
__host__ __device__ __noinline__ void all(unsigned long long* sums, char* place) {
#define AT(T, n) reinterpret_cast<T*>(place + 16 * (n) + (sizeof(T) < 4 ? 3 / sizeof(T) * sizeof(T) : 0))
    sums[0] = all_of<kMasked, kBlock>(AT(signed char, 0), (signed char)-3, (signed char)5, (signed char)7);
    sums[1] = all_of<kMasked, kDevice, unsigned char>(AT(unsigned char, 1), 200, 5, 7);
    sums[2] = all_of<kMasked, kSystem, short>(AT(short, 2), -300, 5, 7);
    sums[3] = all_of<kMasked, kBlock, unsigned short>(AT(unsigned short, 3), 60000, 5, 7);
    sums[4] = all_of<kMasked, kDevice, int>(AT(int, 4), -70000, 5, 7) +
              in_orders<int, kThread>(AT(int, 4), Steps<kMasked, int>{1, 2, 3});
    sums[5] = all_of<kMasked, kBlock, unsigned>(AT(unsigned, 5), 0x80000001u, 5, 7);
    sums[6] = all_of<kMasked, kDevice, long>(AT(long, 6), -70000000000, 5, 7);
    sums[7] = all_of<kMasked, kSystem, unsigned long>(AT(unsigned long, 7), 1ul << 63, 5, 7);
    sums[8] = all_of<kMasked, kDevice, unsigned long long>(AT(unsigned long long, 8), ~0ull, 5, 7);
    sums[9] = all_of<kCounted, kDevice, float>(AT(float, 9), -0.5f, 5, 7);
    sums[10] = all_of<kCounted, kBlock, double>(AT(double, 10), -1e300, 5, 7);
    sums[11] = all_of<kMoved, kBlock, bool>(AT(bool, 11), false, true, true);
    using Pointer = const char*;
    const Pointer first = nullptr;
    sums[12] = all_of<kMoved, kDevice, Pointer>(AT(Pointer, 12), first, first + 16, first + 64);
    sums[13] = all_of<kMoved, kSystem, Pair>(AT(Pair, 13), Pair{1, 2}, Pair{3, 4}, Pair{-5, 6});
    sums[14] = all_of<kMoved, kBlock, Wide>(AT(Wide, 14), Wide{1, 2}, Wide{3, 4.5f}, Wide{-5, 6});
    sums[15] = all_of<kMoved, kDevice, Colour>(AT(Colour, 15), Colour::kRed, Colour::kGreen, Colour::kBlue);
}

__global__ void on_device(unsigned long long* sums, char* place) {
    alignas(16) __shared__ char shared[16 * kTypes];
    all(sums, place);
    all(sums + kTypes, shared);
    sums[2 * kTypes] = variables(reinterpret_cast<Variables*>(shared), counter, total);
}

int main() {
    unsigned long long* sums;
    char* place;
    cudaMallocManaged(&sums, (2 * kTypes + 1) * sizeof(*sums));
    cudaMallocManaged(&place, 16 * kTypes);
    on_device<<<1, 1>>>(sums, place);
    if (cudaDeviceSynchronize() != cudaSuccess) std::printf("FAILED\n");
    for (int k = 0; k < kTypes; ++k) print_digest("global", "device", kNames[k], sums[k]);
    for (int k = 0; k < kTypes; ++k) print_digest("shared", "device", kNames[k], sums[kTypes + k]);
    print_digest("variables", "device", "all", sums[2 * kTypes]);
    all(sums, place);
    for (int k = 0; k < kTypes; ++k) print_digest("memory", "host", kNames[k], sums[k]);
    cuda::atomic<int, cuda::thread_scope_device> of_host{40};
    cuda::std::atomic<unsigned long long> all_of_host{1000};
    print_digest("variables", "host", "all", variables(reinterpret_cast<Variables*>(place), of_host, all_of_host));
}
