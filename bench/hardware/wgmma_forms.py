#!/usr/bin/env python3
"""Write a CUDA program that runs random forms of wgmma with random matrix descriptors and prints a digest per case.

usage: wgmma_forms.py SEED FORMS CASES > wgmma_forms.cu

A form is one instruction: types, sparse or dense, columns, where A is, signs, transpositions. Each form runs with CASES
pairs of descriptors. The same arguments write the same program. Compile it with -I bench/hardware -arch=sm_90a.
"""
import random
import sys

SHARED_BYTES = 200 * 1024
ROWS, GROUP = 64, 128
# A and B: PTX name, Type of tensor_elements.h, then the bits kept and set in each random word. Floats stay finite.
FACTORS = {
    "f16": ("kF16", 0xBFFFBFFF, 0x20002000), "bf16": ("kBf16", 0xBFFFBFFF, 0x3C003C00),
    "tf32": ("kTf32", 0xBFFFFFFF, 0x3C000000), "e4m3": ("kE4m3", 0xBFBFBFBF, 0), "e5m2": ("kE5m2", 0xBFBFBFBF, 0),
    "s8": ("kS8", 0xFFFFFFFF, 0), "u8": ("kU8", 0xFFFFFFFF, 0), "b1": ("kB1", 0xFFFFFFFF, 0),
}
SUMS = {"f16": (0xBFFFBFFF, 0x30003000), "f32": (0xBFFFFFFF, 0x3C000000), "s32": (0xFFFFFFFF, 0)}
KINDS = ([("f16", "f16", "f32")] * 3 + [("f16", "f16", "f16")] * 2 + [("bf16", "bf16", "f32")] * 3 +
         [("tf32", "tf32", "f32")] * 3 +
         [(a, b, d) for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2") for d in ("f32", "f16")] +
         [(a, b, "s32") for a in ("s8", "u8") for b in ("s8", "u8")] + [("b1", "b1", "s32")] * 2)
ELEMENT_BITS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "b1": 1}
WHOLE_COLUMNS = [8, 16, 24] + list(range(32, 257, 16))
ROW_CHUNKS = [1, 8, 4, 2]  # of 16 bytes, by the descriptor's swizzle bits


class Form:
    def __init__(self, draw):
        self.a, self.b, self.sum = draw.choice(KINDS)
        whole = self.sum == "s32"
        self.columns = draw.choice(WHOLE_COLUMNS) if whole else 8 * draw.randint(1, 32)
        self.sparse = self.a != "b1" and draw.random() < 0.25
        self.in_registers = draw.random() < 0.4
        self.satfinite = whole and self.a != "b1" and draw.random() < 0.5
        self.signs = [] if whole else [draw.choice([1, -1]), draw.choice([1, -1])]
        self.turns = []
        if ELEMENT_BITS[self.a] == 16:
            self.turns = [draw.randint(0, 1) for _ in range(1 if self.in_registers else 2)]
        depth_bits = 512 if self.sparse else 256
        self.depth = depth_bits // ELEMENT_BITS[self.a]
        self.selector = draw.randint(0, 1) if self.sparse and ELEMENT_BITS[self.a] >= 16 else 0
        self.words = self.columns // (4 if self.sum == "f16" else 2)

    def instruction(self):
        types = f"{self.sum}.{self.a}.{self.b}" + (".and.popc" if self.a == "b1" else "")
        saturation = ".satfinite" if self.satfinite else ""
        return (f"wgmma.mma_async{'.sp' if self.sparse else ''}.sync.aligned.m64n{self.columns}k{self.depth}."
                f"{types}{saturation}")

    def name(self):
        return " ".join([self.instruction().removeprefix("wgmma.mma_async.").replace("sync.aligned.", ""),
                         "registers" if self.in_registers else "shared",
                         "signs", *map(str, self.signs or ["-"]), "turned", *map(str, self.turns or ["-"])] +
                        (["selector", str(self.selector)] if self.sparse else []))

    def assembly(self):
        names = [f"d{i}" for i in range(self.words)]
        lines = ["{", ".reg .pred keep;", f".reg .b32 d<{self.words}>;", "setp.ne.b32 keep, %8, 0;"]
        lines += [f"ld.global.b32 {name}, [%0+{4 * i}];" for i, name in enumerate(names)]
        operands = ["{" + ", ".join(names) + "}", "{%3, %4, %5, %6}" if self.in_registers else "%1", "%2"]
        operands += ["%7", str(self.selector)] if self.sparse else []
        operands += ["keep", *map(str, self.signs), *map(str, self.turns)]
        lines += ["wgmma.fence.sync.aligned;", f"{self.instruction()} {', '.join(operands)};",
                  "wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0;"]
        lines += [f"st.global.b32 [%0+{4 * i}], {name};" for i, name in enumerate(names)]
        return "\n".join(f'            "{line}\\n"' for line in lines + ["}"])


def layout(draw, lines):
    """Start, leading and stride offset in bytes, base offset, swizzle bits and reserved bits of a descriptor."""
    swizzle = draw.randint(0, 3)
    most = (SHARED_BYTES - 64 * 1024 - 2048) // (lines // 8 + 2)  # of both offsets
    if draw.random() < 0.5:  # as programs have them
        period = 128 * ROW_CHUNKS[swizzle]
        leading = period * draw.randint(0, max(1, most // 2 // period))
        stride = period * draw.randint(1, max(1, most // 2 // period))
        return draw.randint(0, 15) * 1024 + draw.randint(0, ROW_CHUNKS[swizzle] // 2) * 32, leading, stride, 0, swizzle
    leading = 16 * draw.randint(0, most // 16)
    stride = 16 * draw.randint(0, (most - leading) // 16)
    return 16 * draw.randint(0, 4095), leading, stride, draw.choice([0, 0, draw.randint(0, 7)]), swizzle


HEAD = """// Written by bench/hardware/wgmma_forms.py {arguments}: forms of wgmma with random descriptors.
#include "tensor_program.h"
#include "wgmma_descriptor.h"

namespace {{

constexpr unsigned kGroup = {group}, kBytes = {bytes}, kMostWords = 128, kCases = {cases};

struct Factor {{
    unsigned start;
    Layout layout;
}};
struct Case {{
    Factor a, b;
    unsigned adds;
}};

__device__ Word hashed(Word x) {{
    x *= 0x9e3779b1u;
    x ^= x >> 15;
    x *= 0x85ebca77u;
    return x ^ x >> 13;
}}

template <class Form>
__global__ void __launch_bounds__(kGroup) multiply(const Case* cases, Word* all) {{
    extern __shared__ __align__(1024) Word words[];
    const Case c = cases[blockIdx.x];
    const unsigned thread = threadIdx.x, base = static_cast<unsigned>(__cvta_generic_to_shared(words));
    for (unsigned i = thread; i < kBytes / 4; i += kGroup) words[i] = (hashed(i) & Form::kKept) | Form::kSet;
    Word a[4];
    for (unsigned i = 0; i < 4; ++i) a[i] = (hashed(thread * 4 + i + 0x10000000u) & Form::kKept) | Form::kSet;
    Word* const sums = all + (blockIdx.x * kGroup + thread) * kMostWords;
    for (unsigned i = 0; i < Form::kWords; ++i)
        sums[i] = (hashed(thread * kMostWords + i + 0x20000000u) & Form::kSumKept) | Form::kSumSet;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    const Word places = metadata(Form::kFactor, kOrdered, blockIdx.x, thread);
    Form::go(sums, descriptor(base + c.a.start, c.a.layout), descriptor(base + c.b.start, c.b.layout), a, places, c.adds);
}}

template <class Form>
void measure(Word* out, Case* on_device, const Case (&cases)[kCases]) {{
    check(cudaMemcpy(on_device, cases, sizeof cases, cudaMemcpyHostToDevice));
    check(cudaFuncSetAttribute(multiply<Form>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
    multiply<Form><<<kCases, kGroup, kBytes>>>(on_device, out);
    check(cudaGetLastError());
    std::vector<Word> host(std::size_t{{kCases}} * kGroup * kMostWords), sums;
    check(cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost));
    for (unsigned n = 0; n < kCases; ++n) {{
        sums.clear();
        for (unsigned thread = 0; thread < kGroup; ++thread)
            for (unsigned i = 0; i < Form::kWords; ++i)
                sums.push_back(host[(std::size_t{{n}} * kGroup + thread) * kMostWords + i]);
        std::printf("%s", Form::kName);
        const Factor* const factors[] = {{&cases[n].a, &cases[n].b}};
        for (const Factor* f : factors)
            std::printf(" | %u %u %u %u %u", f->start, f->layout.leading, f->layout.stride, f->layout.base,
                        f->layout.swizzle);
        std::printf(" | %u %016llx\\n", cases[n].adds, digest_of(sums.data(), sums.size()));
    }}
}}
"""

FORM = """
struct Form{number} {{
    static constexpr const char* kName = "{name}";
    static constexpr Type kFactor = Type::{type};
    static constexpr unsigned kWords = {words};
    static constexpr Word kKept = {kept:#x}, kSet = {set:#x}, kSumKept = {sum_kept:#x}, kSumSet = {sum_set:#x};
    static __device__ void go(Word* sums, std::uint64_t at_a, std::uint64_t at_b, const Word* a, Word places, Word adds) {{
        asm volatile(
{assembly}
            ::"l"(sums), "l"(at_a), "l"(at_b), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(places), "r"(adds)
            : "memory");
    }}
}};
constexpr Case kCases{number}[kCases] = {{
{cases}
}};
"""

TAIL = """
}}  // namespace

int main() {{
    Word* out = nullptr;
    Case* cases = nullptr;
    check(cudaMalloc(&out, std::size_t{{kCases}} * kGroup * kMostWords * 4));
    check(cudaMalloc(&cases, kCases * sizeof(Case)));
{calls}
    return 0;
}}
"""


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    seed, forms, cases = map(int, sys.argv[1:])
    draw = random.Random(seed)
    print(HEAD.format(arguments=" ".join(sys.argv[1:]), group=GROUP, bytes=SHARED_BYTES, cases=cases), end="")
    for number in range(forms):
        form = Form(draw)
        drawn = []
        for _ in range(cases):
            factors = [layout(draw, lines) for lines in (ROWS, form.columns)]
            text = ", ".join(f"{{{start}, {{{swizzle}, {leading}, {stride}, {base}}}}}"
                             for start, leading, stride, base, swizzle in factors)
            drawn.append(f"    {{{text}, {int(draw.random() < 0.7)}}},")
        kind, kept, set_bits = FACTORS[form.a]
        sum_kept, sum_set = SUMS[form.sum]
        print(FORM.format(number=number, name=form.name(), type=kind, words=form.words, kept=kept, set=set_bits,
                          sum_kept=sum_kept, sum_set=sum_set, assembly=form.assembly(), cases="\n".join(drawn)), end="")
    print(TAIL.format(calls="\n".join(f"    measure<Form{n}>(out, cases, kCases{n});" for n in range(forms))), end="")


if __name__ == "__main__":
    main()
