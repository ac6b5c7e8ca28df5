"""Random programs about shared memory: pointers and null checks, matrices, asynchronous copies, barriers that are objects,
cooperative groups of every size. Many kernels share a file, each with the digest that its results must have.

Owns: Program, write_file(). Guarantees: a seed always gives the same program for compilers of one kind; results do not
depend on the order of threads. Does not check: counts, which random.programs does.
"""
import contextlib

import shared_groups
import shared_steps
import shared_wgmma
from choices import Choices
from shared_state import WORD, Array, Spread, State

PRELUDE = r'''
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

extern __shared__ __align__(16) unsigned dynamic[];

template <class T>
__device__ __forceinline__ T* hidden(T* p) {
    asm volatile("" : "+l"(p));
    return p;
}
struct Held {
    unsigned* words;
    __device__ explicit Held(unsigned* w) : words(w) {}
    __device__ unsigned* at(unsigned place) const { return words ? words + place : nullptr; }
};
__device__ __forceinline__ unsigned address_of(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ unsigned* back(unsigned address) { return (unsigned*)__cvta_shared_to_generic(address); }
__device__ __noinline__ unsigned load_at(const unsigned* p) { return p ? *p : 0xdeadu; }
__device__ __noinline__ void store_at(unsigned* p, unsigned value) {
    if (p) *p = value;
}
__device__ __forceinline__ unsigned load_generic(const unsigned* p) {
    unsigned value;
    asm volatile("ld.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
    return value;
}
__device__ __forceinline__ void store_generic(unsigned* p, unsigned value) {
    asm volatile("st.u32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
}
__device__ __forceinline__ unsigned load_shared(unsigned address) {
    unsigned value;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
    return value;
}
__device__ __forceinline__ void store_shared(unsigned address, unsigned value) {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}
__device__ __forceinline__ unsigned load_wide(const unsigned* p) {
    unsigned value;
    asm volatile("{ .reg .u64 s; cvta.to.shared.u64 s, %1; ld.shared.u32 %0, [s]; }" : "=r"(value) : "l"(p) : "memory");
    return value;
}
__device__ __forceinline__ unsigned load_bytes(const unsigned* p) {
    const unsigned char* const bytes = (const unsigned char*)p;
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (unsigned)bytes[3] << 24;
}
__device__ __forceinline__ void store_halves(unsigned* p, unsigned value) {
    unsigned short* const halves = (unsigned short*)p;
    halves[1] = value >> 16;
    halves[0] = value;
}
__device__ __forceinline__ uint4 load_quad(unsigned address) {
    uint4 q;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(q.x), "=r"(q.y), "=r"(q.z), "=r"(q.w)
                 : "r"(address)
                 : "memory");
    return q;
}
'''

HARNESS = r'''
struct Case {
    unsigned seed, threads, dynamic_words, digest;
    void (*kernel)(const unsigned*, unsigned*, const void*);
};
const Case cases[] = {
CASES};

uint64_t mixed(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

int main(int count, char** words) {
    const unsigned shown = count > 1 ? (unsigned)atoi(words[1]) : 0;
    unsigned *in, *out, wrong = 0, all = 0;
    cudaMallocManaged(&in, INPUT_WORDS * 4);
    cudaMallocManaged(&out, 512 * 4);
    for (const Case& which : cases) {
        if (shown != 0 && which.seed != shown) continue;
        ++all;
        for (unsigned i = 0; i < INPUT_WORDS; ++i) in[i] = (unsigned)mixed(((uint64_t)which.seed << 20) + i);
        for (unsigned i = 0; i < 512; ++i) out[i] = 0;
        which.kernel<<<1, which.threads, which.dynamic_words * 4>>>(in, out, nullptr);
        const cudaError_t error = cudaDeviceSynchronize();
        unsigned digest = 2166136261u;
        for (unsigned i = 0; i < which.threads; ++i) digest = (digest ^ out[i]) * 16777619u;
        if (error != cudaSuccess || digest != which.digest) {
            ++wrong;
            printf("WRONG program %u: %s, digest %08x, not %08x\n", which.seed, cudaGetErrorName(error), digest, which.digest);
        }
        if (shown != 0)
            for (unsigned i = 0; i < which.threads; ++i) printf("%u %08x\n", i, out[i]);
        if (error != cudaSuccess) break;
    }
    printf("%s: %u of %u programs wrong\n", wrong == 0 ? "OK" : "FAILED", wrong, all);
    return wrong != 0;
}
'''


class Program:
    """With `products` each program multiplies matrices by wgmma at least once, which only devices of 9.0 have."""

    def __init__(self, seed, products=False):
        self.seed, self.choices, self.products = seed, Choices(seed + (8_000_000 if products else 7_000_000)), products
        self.lines, self.indent, self.extra, self.tile_bytes = [], 1, {}, 0
        threads = self.choices.of([128, 128, 128, 256, 512] if products else [32, 64, 64, 128, 128, 256, 512])
        self.state = State(seed, threads, self.arrays(threads))
        self.takes_groups_with_memory = self.choices.one_in(2)
        self.steps()

    def arrays(self, threads):
        """One to three, static or dynamic, of which each holds a word for each thread at least."""
        arrays, at = [], 0
        self.dynamic_words = 0
        for number in range(self.choices.between(1, 3)):
            words = threads * self.choices.of([1, 2, 4, 4])
            if words < 128:
                words = 128
            if self.choices.one_in(3):
                arrays.append(Array(f"d{number}", words, f"unsigned* const d{number} = dynamic + {self.dynamic_words};"))
                self.dynamic_words += words
            else:
                align = self.choices.of([16, 16, 32, 128, 1024])
                arrays.append(Array(f"s{number}", words, f"__shared__ __align__({align}) unsigned s{number}[{words}];"))
        return arrays

    def any_array(self, words):
        fitting = [array for array in self.state.arrays if array.words >= words]
        return self.choices.of(fitting) if fitting else self.scratch(words)

    def scratch(self, words):
        """One more array, for a step that needs more than there is."""
        name = f"x{words}"
        found = [array for array in self.state.arrays if array.name == name]
        if found:
            return found[0]
        array = Array(name, words, f"__shared__ __align__(16) unsigned {name}[{words}];")
        number = len(self.state.arrays)
        array.values = [self.state.input[(place + 77 * number) % len(self.state.input)] for place in range(words)]
        self.state.arrays.append(array)
        return array

    def shared(self, kind, name, count):
        self.extra[name] = f"__shared__ {kind} {name}[{count}];"

    def group(self):
        if self.takes_groups_with_memory:
            self.extra["group_memory"] = f"__shared__ cg::block_tile_memory<{self.state.threads}> group_memory;\n    const cg::thread_block block = cg::this_thread_block(group_memory);"
            return "block"
        return "cg::this_thread_block()"

    def line(self, text):
        self.lines.append("    " * self.indent + text)

    def meet(self):
        self.line("__syncthreads();")

    @contextlib.contextmanager
    def block(self):
        self.line("{")
        self.indent += 1
        yield
        self.indent -= 1
        self.line("}")

    def steps(self):
        possible = shared_steps.STEPS + shared_groups.STEPS
        if self.products:
            for _ in range(self.choices.between(1, 2)):
                self.choices.weighted(possible)(self)
                shared_wgmma.product(self)
            return
        for _ in range(self.choices.between(3, 9)):
            self.choices.weighted(possible)(self)

    def text(self):
        arrays = self.state.arrays
        head = [f"__global__ void k{self.seed}(const unsigned* in, unsigned* out, const void* null) {{"]
        head += ["    " + array.declaration for array in arrays] + ["    " + text for text in self.extra.values()]
        head += ["    const unsigned t = threadIdx.x;", "    unsigned v = in[t];"]
        for number, array in enumerate(arrays):
            head.append(f"    for (unsigned i = t; i < {array.words}u; i += {self.state.threads}u) {array.name}[i] = in[(i + {77 * number}u) & {len(self.state.input) - 1}u];")
        return "\n".join(head + ["    __syncthreads();"] + self.lines + ["    out[t] = v;", "}"]) + "\n"

    def digest(self):
        digest = 2166136261
        for value in self.state.v:
            digest = (digest ^ value) * 16777619 & WORD
        return digest


def write_file(path, seeds, products=False):
    programs = [Program(seed, products) for seed in seeds]
    cases = "".join(f"    {{{p.seed}u, {p.state.threads}u, {p.dynamic_words}u, 0x{p.digest():08x}u, k{p.seed}}},\n" for p in programs)
    harness = HARNESS.replace("CASES", cases).replace("INPUT_WORDS", str(len(programs[0].state.input)))
    path.write_text(PRELUDE + (shared_wgmma.FUNCTIONS if products else "") + "\n" + "\n".join(p.text() for p in programs) + harness)
    return programs
