// __nv_atomic_*, atomics of 16 bytes and of vectors: what they give and leave, a digest for each type and order.
#include "digests.cuh"

template <class T>
__device__ unsigned long long bits(T x) {
    unsigned long long words[2] = {};
    memcpy(words, &x, sizeof(x));
    return words[0] * 3 + words[1];
}

#define STEP(expression)                     \
    sum = digest(7, sum + bits(expression)); \
    sum = digest(9, sum + bits(*p));
#define WHOLE_STEPS(order, scope)                          \
    STEP(__nv_atomic_fetch_min(p, T(5), order, scope))     \
    STEP(__nv_atomic_fetch_max(p, T(-3), order, scope))    \
    STEP(__nv_atomic_fetch_and(p, T(0x7f), order, scope))  \
    STEP(__nv_atomic_fetch_or(p, T(0x1300), order, scope)) \
    STEP(__nv_atomic_fetch_xor(p, T(0x55), order, scope))

// nvcc wants order and scope as literals.
#define STEPS(name, order, load, store, scope)                                               \
    template <class T, bool kWhole>                                                          \
    __device__ unsigned long long name(T* p) {                                               \
        unsigned long long sum = 0;                                                          \
        T expected = T(3), other = T(77), result = T(0);                                     \
        __nv_atomic_store_n(p, T(41), store, scope);                                         \
        STEP(__nv_atomic_load_n(p, load, scope))                                             \
        STEP(__nv_atomic_fetch_add(p, T(1), order, scope))                                   \
        STEP(__nv_atomic_fetch_sub(p, T(50), order, scope))                                  \
        __nv_atomic_add(p, T(60), order, scope);                                             \
        STEP(__nv_atomic_exchange_n(p, T(3), order, scope))                                  \
        STEP(__nv_atomic_compare_exchange_n(p, &expected, T(19), true, order, load, scope))  \
        STEP(__nv_atomic_compare_exchange_n(p, &expected, T(23), false, order, load, scope)) \
        STEP(expected)                                                                       \
        __nv_atomic_exchange(p, &other, &result, order, scope);                              \
        STEP(result)                                                                         \
        __nv_atomic_load(p, &result, load, scope);                                           \
        STEP(result)                                                                         \
        __nv_atomic_store(p, &expected, store, scope);                                       \
        STEP(__nv_atomic_compare_exchange(p, &expected, &other, false, order, load, scope))  \
        __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);             \
        if constexpr (kWhole) {                                                              \
            WHOLE_STEPS(order, scope)                                                        \
            __nv_atomic_xor(p, T(9), order, scope);                                          \
            STEP(*p)                                                                         \
        }                                                                                    \
        return sum;                                                                          \
    }
STEPS(relaxed, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)
STEPS(acquire, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK)
STEPS(release, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM)
STEPS(acq_rel, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE)
STEPS(seq_cst, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM)

template <class T, bool kWhole>
__global__ void typed(unsigned long long* sums, T* p) {
    *sums++ = relaxed<T, kWhole>(p);
    *sums++ = acquire<T, kWhole>(p);
    *sums++ = release<T, kWhole>(p);
    *sums++ = acq_rel<T, kWhole>(p);
    *sums++ = seq_cst<T, kWhole>(p);
}
__global__ void wide(unsigned long long* sums, int4* words, float4* vectors) {
    unsigned long long sum = 0;
    int4* p = words;
    *p = make_int4(1, 2, 3, 4);
    STEP(atomicCAS(p, make_int4(1, 2, 3, 4), make_int4(5, 6, 7, 8)))
    STEP(atomicCAS_block(p, make_int4(1, 2, 3, 4), make_int4(9, 9, 9, 9)))
    STEP(atomicExch_system(p, make_int4(10, 11, 12, 13)))
    *sums++ = sum;
    sum = 0;
    float4* const fours = vectors;
    {
        float4* p = fours;
        *p = make_float4(1, 2, 3, 4);
        STEP(atomicAdd(p, make_float4(0.5f, 0.25f, 8, -1)))
    }
    {
        float2* p = reinterpret_cast<float2*>(fours);
        STEP(atomicAdd_system(p, make_float2(3, -7)))
    }
    *sums = sum;
}

template <class T, bool kWhole>
void run(const char* name) {
    unsigned long long* sums;
    T* p;
    cudaMallocManaged(&sums, 5 * sizeof(*sums));
    cudaMallocManaged(&p, sizeof(T));
    typed<T, kWhole><<<1, 1>>>(sums, p);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED\n");
    const char* const orders[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
    for (int k = 0; k < 5; ++k) print_digest(name, "device", orders[k], sums[k]);
}

int main() {
    run<int, true>("int");
    run<unsigned, true>("unsigned");
    run<unsigned long long, true>("ullong");
    unsigned long long* sums;
    int4* words;
    float4* vectors;
    cudaMallocManaged(&sums, 2 * sizeof(*sums));
    cudaMalloc(&words, sizeof(*words));
    cudaMalloc(&vectors, sizeof(*vectors));
    wide<<<1, 1>>>(sums, words, vectors);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED\n");
    print_digest("wide", "device", "words", sums[0]);
    print_digest("wide", "device", "vectors", sums[1]);
}
