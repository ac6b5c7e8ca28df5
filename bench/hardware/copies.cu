// Asynchronous copies, and atomics on global memory, by one warp: which counters they move. Prints one JSON line a
// launch, in order.
#include "../../examples/check.h"

constexpr int kRounds = 64;
constexpr int kSpan = 1 << 20;  // bytes of global memory that one case touches at most

enum class Through { kL1, kL2 };

template <int Bytes, Through through>
__device__ void copy(unsigned to, const char* from) {
    if (through == Through::kL1)
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(Bytes));
    else
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
}
// The form that says how many bytes to read; the rest is zeros.
template <int Bytes, Through through>
__device__ void copy_some(unsigned to, const char* from, int from_bytes) {
    if (through == Through::kL1)
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(Bytes), "r"(from_bytes));
    else
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(from_bytes));
}

// Lane l copies element l * from_stride of global memory to element l * to_stride of shared memory, each round further
// on by `step` bytes of global memory. With `some`, only from_bytes of each element are read.
template <int Bytes, Through through>
__global__ void copies(const char* in, int from_stride, int to_stride, int step, bool some, int from_bytes,
                       unsigned mask, char* out) {
    __shared__ alignas(16) char cells[32 * 1024];
    const unsigned lane = threadIdx.x;
    if ((mask >> lane & 1) == 0) return;
    const unsigned to =
        static_cast<unsigned>(__cvta_generic_to_shared(cells)) + lane * to_stride * Bytes % sizeof cells;
#pragma unroll 1
    for (int round = 0; round < kRounds; ++round) {
        const char* from = in + lane * from_stride * Bytes + round * step;
        if (some)
            copy_some<Bytes, through>(to, from, from_bytes);
        else
            copy<Bytes, through>(to, from);
        asm volatile("cp.async.wait_all;" ::: "memory");
    }
    out[lane] = cells[lane];
}

#define GLOBAL_ATOMIC(NAME, T, RESULT, ...)                      \
    struct NAME {                                                \
        using Type = T;                                          \
        static constexpr bool kResult = RESULT;                  \
        static __device__ T run(T* at, T value) { __VA_ARGS__; } \
    }
GLOBAL_ATOMIC(RedAdd4, unsigned, false,
              asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(value)
                           : "memory");
              return value);
GLOBAL_ATOMIC(RedAdd8, unsigned long long, false,
              asm volatile("red.global.add.u64 [%0], %1;" ::"l"(at), "l"(value)
                           : "memory");
              return value);
GLOBAL_ATOMIC(RedAddFloat, float, false,
              asm volatile("red.global.add.f32 [%0], %1;" ::"l"(at), "f"(value)
                           : "memory");
              return value);
GLOBAL_ATOMIC(AtomAdd4, unsigned, true, unsigned got; asm volatile("atom.global.add.u32 %0, [%1], %2;"
                                                                   : "=r"(got)
                                                                   : "l"(at), "r"(value)
                                                                   : "memory");
              return got);
GLOBAL_ATOMIC(AtomAddFloat, float, true, float got; asm volatile("atom.global.add.f32 %0, [%1], %2;"
                                                                 : "=f"(got)
                                                                 : "l"(at), "f"(value)
                                                                 : "memory");
              return got);
GLOBAL_ATOMIC(AtomAdd8, unsigned long long, true, unsigned long long got;
              asm volatile("atom.global.add.u64 %0, [%1], %2;"
                           : "=l"(got)
                           : "l"(at), "l"(value)
                           : "memory");
              return got);
GLOBAL_ATOMIC(AtomCas4, unsigned, true, unsigned got; asm volatile("atom.global.cas.b32 %0, [%1], %2, 7;"
                                                                   : "=r"(got)
                                                                   : "l"(at), "r"(value)
                                                                   : "memory");
              return got);
GLOBAL_ATOMIC(AtomExch4, unsigned, true, unsigned got; asm volatile("atom.global.exch.b32 %0, [%1], %2;"
                                                                    : "=r"(got)
                                                                    : "l"(at), "r"(value)
                                                                    : "memory");
              return got);

template <class Operation>
__global__ void atomics(typename Operation::Type* cells, int stride, int lanes_each, unsigned mask,
                        typename Operation::Type* out) {
    const unsigned lane = threadIdx.x;
    if ((mask >> lane & 1) == 0) return;
    typename Operation::Type seen = lane + 1;
#pragma unroll 1
    for (int round = 0; round < kRounds; ++round) seen = Operation::run(cells + lane / lanes_each * stride, seen + 1);
    if (Operation::kResult) out[lane] = seen;
}

class Cases {
public:
    Cases() {
        CHECK(cudaMalloc(&in_, kSpan));
        CHECK(cudaMalloc(&out_, 4096));
        CHECK(cudaMemset(in_, 0, kSpan));
    }

    template <int Bytes, Through through>
    void copy_cases(const char* what) {
        struct Case {
            const char* name;
            int from, to, step;
            bool some;
            int bytes;
            unsigned mask;
        };
        const Case cases[] = {
            {"neighbours to neighbours, new lines each round", 1, 1, 32 * Bytes, false, Bytes, ~0u},
            {"neighbours to neighbours, the same lines", 1, 1, 0, false, Bytes, ~0u},
            {"neighbours to one bank", 1, 128 / Bytes, 32 * Bytes, false, Bytes, ~0u},
            {"neighbours to every second element", 1, 2, 32 * Bytes, false, Bytes, ~0u},
            {"a line each to neighbours", 128 / Bytes, 1, 0, false, Bytes, ~0u},
            {"one element to neighbours", 0, 1, Bytes, false, Bytes, ~0u},
            {"one element to one", 0, 0, Bytes, false, Bytes, ~0u},
            {"half of the lanes", 1, 1, 32 * Bytes, false, Bytes, 0xffffu},
            {"all bytes, and told so", 1, 1, 32 * Bytes, true, Bytes, ~0u},
            {"zeros only", 1, 1, 32 * Bytes, true, 0, ~0u},
        };
        for (const Case& c : cases) {
            copies<Bytes, through><<<1, 32>>>(in_, c.from, c.to, c.step, c.some, c.bytes, c.mask, out_);
            done(what, c.name);
        }
    }

    template <class Operation>
    void atomic_cases(const char* what) {
        using Type = typename Operation::Type;
        struct Case {
            const char* name;
            int stride, lanes_each;
            unsigned mask;
        };
        const Case cases[] = {
            {"one address", 0, 1, ~0u},
            {"neighbours", 1, 1, ~0u},
            {"stride 2", 2, 1, ~0u},
            {"a sector each", 8, 1, ~0u},
            {"a line each", 32, 1, ~0u},
            {"two lanes an address", 1, 2, ~0u},
            {"eight lanes an address", 1, 8, ~0u},
            {"half to each of two lines", 32, 16, ~0u},
            {"one lane", 1, 1, 1u},
        };
        for (const Case& c : cases) {
            atomics<Operation><<<1, 32>>>(reinterpret_cast<Type*>(in_), c.stride, c.lanes_each, c.mask,
                                          reinterpret_cast<Type*>(out_));
            done(what, c.name);
        }
    }

private:
    void done(const char* what, const char* name) {
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        std::printf("{\"what\": \"%s\", \"name\": \"%s\", \"rounds\": %d}\n", what, name, kRounds);
    }
    char *in_ = nullptr, *out_ = nullptr;
};

int main() {
    Cases cases;
    cases.copy_cases<4, Through::kL1>("cp.async.ca 4");
    cases.copy_cases<8, Through::kL1>("cp.async.ca 8");
    cases.copy_cases<16, Through::kL1>("cp.async.ca 16");
    cases.copy_cases<16, Through::kL2>("cp.async.cg 16");
    cases.atomic_cases<RedAdd4>("red.add.u32");
    cases.atomic_cases<RedAdd8>("red.add.u64");
    cases.atomic_cases<RedAddFloat>("red.add.f32");
    cases.atomic_cases<AtomAdd4>("atom.add.u32");
    cases.atomic_cases<AtomAddFloat>("atom.add.f32");
    cases.atomic_cases<AtomAdd8>("atom.add.u64");
    cases.atomic_cases<AtomCas4>("atom.cas.b32");
    cases.atomic_cases<AtomExch4>("atom.exch.b32");
    return 0;
}
