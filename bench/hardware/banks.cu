// Shared-memory accesses of one warp with given address patterns, for a profiler to count.
//
// One block of one warp, so nothing else competes for the banks; every lane fetches its address before the first
// access, and each access depends on the one before. A launch tries a few patterns, the k-th BASE^k times over: no
// request counts as much as BASE, so a count of the launch, written to that base, has the count of pattern k as its
// k-th digit. Prints one JSON line a launch, in order: what was launched.
//
// usage: banks SEED
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "../../examples/check.h"
#include "bank_patterns.h"

constexpr unsigned kMostTogether = 4;

// An Operation accesses shared memory once and returns something of what it read. SHARED is the address as the state
// space counts it.
struct Load1 {
    static __device__ unsigned run(unsigned at, unsigned) {
        unsigned got;
        asm volatile("ld.volatile.shared.u8 %0, [%1];" : "=r"(got) : "r"(at) : "memory");
        return got;
    }
};
struct Load2 {
    static __device__ unsigned run(unsigned at, unsigned) {
        unsigned short got;
        asm volatile("ld.volatile.shared.u16 %0, [%1];" : "=h"(got) : "r"(at) : "memory");
        return got;
    }
};
struct Load4 {
    static __device__ unsigned run(unsigned at, unsigned) {
        unsigned got;
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(got) : "r"(at) : "memory");
        return got;
    }
};
struct Load8 {
    static __device__ unsigned run(unsigned at, unsigned) {
        unsigned a, b;
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at) : "memory");
        return a | b;
    }
};
struct Load16 {
    static __device__ unsigned run(unsigned at, unsigned) {
        unsigned a, b, c, d;
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "r"(at)
                     : "memory");
        return a | b | c | d;
    }
};
struct Store1 {
    static __device__ unsigned run(unsigned at, unsigned value) {
        asm volatile("st.volatile.shared.u8 [%0], %1;" ::"r"(at), "r"(value) : "memory");
        return value;
    }
};
struct Store2 {
    static __device__ unsigned run(unsigned at, unsigned value) {
        asm volatile("st.volatile.shared.u16 [%0], %1;" ::"r"(at), "h"(static_cast<unsigned short>(value)) : "memory");
        return value;
    }
};
struct Store4 {
    static __device__ unsigned run(unsigned at, unsigned value) {
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
        return value;
    }
};
struct Store8 {
    static __device__ unsigned run(unsigned at, unsigned value) {
        asm volatile("st.shared.v2.u32 [%0], {%1, %1};" ::"r"(at), "r"(value) : "memory");
        return value;
    }
};
struct Store16 {
    static __device__ unsigned run(unsigned at, unsigned value) {
        asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(at), "r"(value) : "memory");
        return value;
    }
};
#define ATOMIC4(NAME, TEXT)                                                  \
    struct NAME {                                                            \
        static __device__ unsigned run(unsigned at, unsigned value) {        \
            unsigned got;                                                    \
            asm volatile(TEXT : "=r"(got) : "r"(at), "r"(value) : "memory"); \
            return got;                                                      \
        }                                                                    \
    }
#define ATOMIC8(NAME, TEXT)                                                         \
    struct NAME {                                                                   \
        static __device__ unsigned run(unsigned at, unsigned value) {               \
            unsigned long long got;                                                 \
            asm volatile(TEXT : "=l"(got) : "r"(at), "l"(0ull + value) : "memory"); \
            return static_cast<unsigned>(got);                                      \
        }                                                                           \
    }
ATOMIC4(AtomicAdd, "atom.shared.add.u32 %0, [%1], %2;");
ATOMIC4(AtomicMax, "atom.shared.max.u32 %0, [%1], %2;");
ATOMIC4(AtomicExchange, "atom.shared.exch.b32 %0, [%1], %2;");
ATOMIC4(AtomicCompareSwap, "atom.shared.cas.b32 %0, [%1], %2, 7;");
ATOMIC4(AtomicAddFloat, "{.reg .f32 f; mov.b32 f, %2; atom.shared.add.f32 f, [%1], f; mov.b32 %0, f;}");
ATOMIC8(AtomicAdd8, "atom.shared.add.u64 %0, [%1], %2;");
ATOMIC8(AtomicExchange8, "atom.shared.exch.b64 %0, [%1], %2;");
ATOMIC8(AtomicCompareSwap8, "atom.shared.cas.b64 %0, [%1], %2, 7;");
struct ReduceOne {  // the same constant from every lane, no result
    static __device__ unsigned run(unsigned at, unsigned value) {
        asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(at) : "memory");
        return value;
    }
};
struct ReduceLane {
    static __device__ unsigned run(unsigned at, unsigned value) {
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
        return value;
    }
};

struct Batch {
    unsigned offsets[kMostTogether][32];
    unsigned masks[kMostTogether];
    unsigned rounds[kMostTogether];
    unsigned count;
};

// ZERO is 0, which the compiler cannot know: it ties each access to the one before.
template <class Operation>
__global__ void repeat(const Batch* batch, unsigned zero, unsigned* out) {
    __shared__ alignas(16) unsigned char cells[kBankBytes];
    const unsigned lane = threadIdx.x;
    unsigned seen = lane;
#pragma unroll 1
    for (unsigned k = 0; k < batch->count; ++k) {
        unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(cells)) + batch->offsets[k][lane];
        const unsigned rounds = batch->rounds[k];
        if (batch->masks[k] >> lane & 1) {
#pragma unroll 1
            for (unsigned round = 0; round < rounds; ++round) {
                seen = Operation::run(at, seen + lane);
                at += seen & zero;
            }
        }
        __syncwarp();
    }
    out[lane] = seen;
}

class Launcher {
public:
    Launcher() {
        CHECK(cudaMalloc(&batch_, sizeof(Batch)));
        CHECK(cudaMalloc(&out_, 32 * sizeof(unsigned)));
    }

    // One launch for every TOGETHER patterns; a request must count less than BASE.
    template <class Operation>
    void run(const char* kind, const std::vector<BankPattern>& patterns, unsigned base, unsigned together) {
        for (std::size_t from = 0; from < patterns.size(); from += together) {
            Batch batch{};
            for (unsigned rounds = 1; batch.count < together && from + batch.count < patterns.size(); rounds *= base) {
                const BankPattern& pattern = patterns[from + batch.count];
                std::copy_n(pattern.offsets, 32, batch.offsets[batch.count]);
                batch.masks[batch.count] = pattern.mask;
                batch.rounds[batch.count++] = rounds;
            }
            CHECK(cudaMemcpy(batch_, &batch, sizeof batch, cudaMemcpyHostToDevice));
            repeat<Operation><<<1, 32>>>(batch_, 0, out_);
            CHECK(cudaGetLastError());
            CHECK(cudaDeviceSynchronize());
            std::printf("{\"kind\": \"%s\", \"base\": %u, \"patterns\": [", kind, base);
            for (unsigned k = 0; k < batch.count; ++k) print(patterns[from + k], k == 0 ? "" : ", ");
            std::printf("]}\n");
        }
    }

private:
    static void print(const BankPattern& pattern, const char* comma) {
        std::printf("%s{\"name\": \"%s\", \"width\": %u, \"mask\": %u, \"offsets\": [", comma, pattern.name.c_str(),
                    pattern.width, pattern.mask);
        comma = "";
        for (unsigned lane = 0; lane < 32; ++lane) {
            if ((pattern.mask >> lane & 1) == 0) continue;
            std::printf("%s%u", comma, pattern.offsets[lane]);
            comma = ", ";
        }
        std::printf("]}");
    }

    Batch* batch_ = nullptr;
    unsigned* out_ = nullptr;
};

// Compare-and-swap loops count once a turn: one pattern a launch, and a few patterns.
std::vector<BankPattern> every(unsigned step, const std::vector<BankPattern>& patterns) {
    std::vector<BankPattern> few;
    for (std::size_t i = 0; i < patterns.size(); i += step) few.push_back(patterns[i]);
    return few;
}

int main(int argc, char** argv) {
    const unsigned seed = argc > 1 ? std::atoi(argv[1]) : 1;
    Launcher launcher;
    launcher.run<Load8>("load", bank_patterns(8, seed), 64, 4);
    launcher.run<Load16>("load", bank_patterns(16, seed), 64, 4);
    launcher.run<Load1>("load", bank_patterns(1, seed), 64, 4);
    launcher.run<Load2>("load", bank_patterns(2, seed), 64, 4);
    launcher.run<Load4>("load", bank_patterns(4, seed), 64, 4);
    launcher.run<Store1>("store", bank_patterns(1, seed), 64, 4);
    launcher.run<Store2>("store", bank_patterns(2, seed), 64, 4);
    launcher.run<Store4>("store", bank_patterns(4, seed), 64, 4);
    launcher.run<Store8>("store", bank_patterns(8, seed), 64, 4);
    launcher.run<Store16>("store", bank_patterns(16, seed), 64, 4);
    launcher.run<AtomicAdd>("atomic add", atomic_patterns(4, seed), 256, 3);
    launcher.run<AtomicMax>("atomic max", atomic_patterns(4, seed), 256, 3);
    launcher.run<AtomicExchange>("atomic exchange", atomic_patterns(4, seed), 256, 3);
    launcher.run<AtomicCompareSwap>("atomic compare and swap", atomic_patterns(4, seed), 256, 3);
    launcher.run<ReduceOne>("reduce by one", atomic_patterns(4, seed), 256, 3);
    launcher.run<ReduceLane>("reduce by lane", atomic_patterns(4, seed), 256, 3);
    launcher.run<AtomicExchange8>("atomic exchange", atomic_patterns(8, seed), 256, 3);
    launcher.run<AtomicCompareSwap8>("atomic compare and swap", atomic_patterns(8, seed), 256, 3);
    launcher.run<AtomicAddFloat>("atomic add float", every(8, atomic_patterns(4, seed)), 1, 1);
    launcher.run<AtomicAdd8>("atomic add", every(8, atomic_patterns(8, seed)), 1, 1);
    return 0;
}
