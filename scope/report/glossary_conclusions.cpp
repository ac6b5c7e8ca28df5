// The words of programs, of what a report concludes, and of hazards, by topic.
#include "scope/report/glossary_words.h"

namespace tilescope::report {
namespace {

constexpr WordKind kHazard = WordKind::kHazard;

constexpr Word kWordsOfConclusions[] = {
    // ---- between host and device
    {"stream", "default stream",
     "A queue of copies and kernels that run in order. Work in different streams may run at the same time. What names "
     "no stream goes to the default stream.",
     "event, copy engine"},
    {"event", "", "A mark in a stream. Another stream, or the host, can wait until all work before it is done.",
     "stream"},
    {"copy engine", "",
     "The part of a GPU that copies between host and device, one for each direction, beside the SMs.",
     "stream, pinned memory"},
    {"pinned memory", "pinned, page-locked",
     "Memory of the host that stays where it is, so that a copy engine can read it while the host goes on. "
     "cudaMallocHost gives it.",
     "pageable memory, copy engine"},
    {"pageable memory", "pageable",
     "Ordinary memory of the host, which the system may move: the driver copies it into a pinned buffer first, and the "
     "call waits.",
     "pinned memory"},
    {"overlap", "hidden", "Copies that run while kernels run. Their time is hidden: the whole takes less than the sum.",
     "stream, pinned memory"},
    {"page", "", "The piece, here 64 KiB, in which managed memory moves between host and device.",
     "managed memory, page fault"},
    {"page fault", "fault, faults",
     "An access to a page that is not there: whoever asked waits until it has come. A bad address is another thing: "
     "see out-of-bounds.",
     "page, prefetch"},
    {"prefetch", "", "To bring something before it is requested, so that nobody waits for it.",
     "page fault, asynchronous copy"},
    {"thrashing", "thrash, oversubscription",
     "What is needed again soon has to make room for what is needed now, over and over, so that everything comes again "
     "each time.",
     "miss, page"},
    {"asynchronous copy", "cp.async",
     "An instruction that brings up to 16 bytes from global straight into shared memory and does not wait for them. "
     "The thread waits later, when it needs them.",
     "shared memory, barrier"},
    {"ping-pong", "", "Pages that the host and kernels touch by turns, so that they move to and fro.",
     "page, managed memory"},
    {"timeline", "time line, host waits",
     "What the host, copies and kernels did when, in modeled time. How long kernels ran, how long copies, and how "
     "long "
     "the host waited for either; where they overlap, the whole is less than the sum.",
     "overlap, stream"},
    {"driver", "NVIDIA driver",
     "NVIDIA's software between a program and the card: it hands out memory, brings code and data there and starts "
     "kernels.",
     "host, device"},
    {"CUDA runtime", "runtime",
     "The library that a CUDA program calls: cudaMalloc, cudaMemcpy and the like. Under tilescope another one with the "
     "same functions takes its place.",
     "driver, host"},
    {"PCIe", "", "The link between the computer and the card, about a hundred times slower than the card's own memory.",
     "copy engine"},
    {"HtoD", "DtoH, DtoD", "Copies from host to device, from device to host, and within the device.",
     "copy engine, pinned memory"},
    // ---- conclusions
    {"intensity",
     "arithmetic intensity, operational intensity, CGMA, CGMA ratio, compute to global memory access ratio",
     "Floating-point operations for each byte requested from global memory. A fused multiply-add counts as two "
     "operations.",
     "ridge, roofline, requested"},
    {"FLOP", "flops",
     "Floating-point operations; a fused multiply-add is two. A GFLOP/s is a billion of them a second, a TFLOP/s a "
     "thousand billion.",
     "intensity"},
    {"roofline", "roof, ceiling",
     "The most that a kernel of some intensity can reach: bandwidth × intensity up to the ridge, the arithmetic's peak "
     "beyond it.",
     "intensity, ridge"},
    {"ridge", "ridge point, needs, machine balance",
     "The intensity at which a device turns from memory-bound to compute-bound: its peak rate over its bandwidth.",
     "roofline, intensity"},
    {"time",
     "modeled time, modelled time, breakdown, spent on, next limit, next, bound by, launch overhead, launching, issue "
     "slots, issuing, L2 writes, writes to L2, writing to L2, without the first",
     "How long a launch takes on the modeled GPU with cold caches: estimated from its counts, its occupancy and the "
     "GPU's rates and latencies, not measured (docs/internals/time-model.md). The report's first row of a kernel shows "
     "what limits it, "
     "and the time without that limit. The row 'breakdown' has all parts: launch overhead (to start and end a launch), "
     "issue slots of the warp schedulers, latency, a kind of arithmetic, or a level of memory.",
     "utilization, latency-bound, occupancy, roofline, latency"},
    {"utilization", "of peak, percent of peak, utilisation",
     "What a unit does in a launch, over what it could do at its peak in the launch's time, on average over the whole "
     "GPU: bytes of DRAM and L2, wavefronts of L1 and shared memory, issue slots of the warp schedulers, instructions "
     "of a pipe. From about 60 % on, a unit limits others. If no unit is near its peak, latency or too few blocks "
     "limit "
     "the launch.",
     "time, achieved occupancy"},
    {"stall", "stalls, warps stall, warp stall, stall reason, stall reasons",
     "A cycle in which a warp can't issue its next instruction. The row 'stalls' shows what warps wait for, with the "
     "stall reasons of Nsight Compute in brackets (docs/reference/words.md).",
     "latency, time"},
    {"achieved occupancy", "",
     "Average number of warps on an SM while it has any, over the number that it can hold; Nsight Compute calls it "
     "sm__warps_active. It is below the theoretical occupancy if blocks start and end at different times, or if there "
     "are too few of them. It comes from the cache simulation: modeled.",
     "occupancy, SM balance"},
    {"SM balance", "spread, SM load balance, load balance",
     "How many blocks the SM with the fewest and the SM with the most blocks ran, and for how much of the time each "
     "was "
     "busy. The figures are far apart if blocks are few or differ in length.",
     "achieved occupancy, time"},
    {"cache simulation", "replay of the caches, replay, replayed, simulated",
     "tilescope's simulation of L1, L2 and DRAM: it gives hits, misses, DRAM traffic and the waiting time of warps. "
     "Repetitive launches are simulated in part (docs/internals/sampling.md). What Nsight Compute calls kernel replay "
     "is "
     "something else.",
     "miss, modeled"},
    {"latency-bound", "",
     "Limited by waiting that no other warp covers: no unit is near its peak. More warps, or more accesses under way "
     "in "
     "each, help; fewer bytes do not.",
     "memory-bound, compute-bound, latency, occupancy"},
    {"launch-bound", "",
     "Limited by what it takes to begin and end a launch and its blocks: there is too little work in it for anything "
     "else "
     "to matter.",
     "time"},
    {"latency", "waiting",
     "Cycles from requesting something until it is there. What other warps do meanwhile covers it; the part that "
     "nothing "
     "covers shows in the time.",
     "time, occupancy"},
    {"tiling", "tiling potential, potential, data reuse",
     "Loading what a block needs into shared memory once and reading it there. The potential is requested bytes over "
     "distinct bytes, block by block: how many times fewer bytes could be loaded.",
     "shared memory, requested"},
    {"occupancy", "theoretical occupancy",
     "Theoretical occupancy: warps that fit on an SM at a time, over the number that it can hold. More warps hide more "
     "latency, up to a point.",
     "limiter, achieved occupancy, wave"},
    {"limiter", "limited by, bottleneck",
     "The resource that keeps the next block out of an SM: warps (threads in a profile), blocks, registers, shared "
     "memory or barriers. Of a time: the unit that takes most of it.",
     "occupancy, time"},
    {"hot line", "hot lines",
     "A source line with a large share of the bytes that a launch moved, its traffic, or of its instructions where it "
     "moved none.",
     ""},
    {"advice", "start with, do first, recommendation, potential saving",
     "What the counts suggest to change; 'start with' shows the recommendation that saves most. Bytes saved and "
     "speedups are upper bounds: caches may catch part of them already. 'saves' gives microseconds of the modeled "
     "time.",
     "speedup"},
    {"speedup", "at most",
     "How many times faster a launch could become, as a bound: its least time on the modeled device over that without "
     "what would be "
     "saved.",
     "advice"},
    {"sampled", "sample", "Only some blocks ran (--sample); counts are scaled to the whole grid and so estimates.", ""},
    {"modeled", "modelled, modeled GPU, modeled on, modelled on",
     "Counts do not depend on a GPU; occupancy, rooflines, time and advice are for the modeled GPU. A figure marked "
     "(modeled) comes from a model of caches, pages or time: it is not counted, and a real GPU may differ.",
     "device, time"},
    {"memory-bound", "bandwidth-bound",
     "Limited by the bytes that memory can bring: intensity is below the ridge. Fewer bytes for each operation help.",
     "compute-bound, ridge, roofline"},
    {"compute-bound", "", "Limited by the operations that the arithmetic units can do: intensity is above the ridge.",
     "memory-bound, ridge, roofline"},
    {"fused multiply-add", "FMA, multiply-add",
     "a × b + c as one instruction with one rounding. It counts as two operations.", "flop"},
    {"peak", "", "The most operations per second that a device's arithmetic units can do.", "ridge, roofline"},
    {"tile", "tiles, blocking",
     "A square of a larger matrix that a block brings into shared memory and uses from there.",
     "tiling, shared memory"},
    {"coarsening", "register tile, thread coarsening",
     "More results for each thread: values that several of them need are loaded once and kept in registers, a tile in "
     "registers.",
     "tiling, register"},
    {"tensor core", "tensor units, tensor cores, wmma, mma, mma.sync, wgmma",
     "Units of an SM that multiply small matrices as one operation, many times faster than ordinary arithmetic and "
     "mostly in lower precision. Kernels have to request them: wmma, mma.sync, wgmma.",
     "peak, sm, fragment"},
    {"fragment", "matrix fragment",
     "A lane's part of a matrix that a tensor core multiplies, in its registers. All 32 lanes hold a part, so all have "
     "to load, multiply and store. Which elements a lane has is the hardware's to say, by shape and type: change x[i] "
     "of wmma where it does not matter which element it is, as in scaling; else store the matrix and go by row and "
     "column.",
     "tensor core, lane"},
    {"ldmatrix", "stmatrix",
     "A load (a store) of up to four matrices of 8 x 8 elements of 16 bits between shared memory and fragments: each "
     "lane names a row of 16 bytes, and the hardware gives every lane its elements of all rows. Eight rows in "
     "different banks take one wavefront.",
     "fragment, bank conflict"},
    {"matrix product", "matrix multiplication",
     "P = M · N: each element of P is the sum over k of M[row][k] · N[k][col]. The lessons use it because every "
     "element of M and N is needed many times.",
     "tile"},
    {"cuBLAS", "", "NVIDIA's own library of matrix operations, the usual yardstick for a matrix product.",
     "matrix product"},
    {"hazard", "", "Something a kernel does wrong without being caught on a GPU, such as a race. --check looks for it.",
     "race"},
    {"single precision", "fp32, double precision, fp64, fp16, bf16, tf32, fp8",
     "Single precision is float, 4 bytes, called fp32 in reports; double precision is double, 8 bytes, fp64. fp16, "
     "bf16, tf32 and fp8 are shorter types, mostly for tensor cores.",
     "peak, tensor core"},
    {"A100", "H100, H200, V100, Volta, Ampere, Hopper",
     "NVIDIA's GPUs for data centers: V100 (2017, of the generation Volta), A100 (2020, Ampere), H100 (2022) and H200 "
     "(2023, both Hopper). tilescope models an H200 unless --device says another.",
     "device"},
    // ---- hazards
    {"race", "read-after-write, write-after-read, write-after-write",
     "Two threads access a byte, one of them writes, and nothing orders them. Read-after-write: the read should come "
     "after the write; write-after-read and write-after-write likewise. Barriers, atomics with "
     "fences and work that waits order; volatile makes accesses happen and orders none of them.",
     "barrier", kHazard},
    {"out-of-bounds", "oob", "An access that no allocation holds.", "use-after-free", kHazard},
    {"misaligned", "", "An access of n bytes whose address is no multiple of n.", "", kHazard},
    {"uninitialized", "", "A read of memory that nobody wrote.", "", kHazard},
    {"divergent-barrier", "",
     "A barrier that some threads of the block reach and others do not. CUDA leaves it undefined; today's hardware "
     "lets a barrier pass without threads that have ended, and waits for ever for those that have not.",
     "barrier", kHazard},
    {"use-after-free", "", "An access to an allocation that was freed.", "out-of-bounds", kHazard},
    {"invalid-free", "", "A free of what was not allocated, or was freed before.", "", kHazard},
    {"leak", "", "An allocation that nobody freed.", "", kHazard},
    {"stream-race", "", "Work on two streams accesses the same bytes with no event between.", "race", kHazard},
    {"stale-read", "",
     "A read through the read-only cache (ld.global.nc, __ldg, a texture) of memory that the same launch writes. That "
     "cache is not coherent with writes of the launch, so the read may bring the old value.",
     "race", kHazard},
    {"overlapping-copy", "",
     "A copy whose source and target share bytes, which CUDA does not allow: the result depends on the order in which "
     "the bytes are moved.",
     "stream-race", kHazard},
    {"stack-overflow", "", "Calls that need more local memory than a thread has.", "local memory", kHazard},
    {"deadlock", "", "Threads that wait for each other, or for what can never come.", "barrier", kHazard},
    {"trap", "", "The kernel ended itself, by __trap().", "assert", kHazard},
    {"assert", "", "An assert() of the kernel failed.", "trap", kHazard},
    {"illegal-instruction", "",
     "An instruction that cannot be carried out: a call through a pointer to no function, a barrier of a number of "
     "threads "
     "that is no multiple of 32, a warp-wide instruction whose mask leaves the calling lane out.",
     "", kHazard},
    {"limit", "", "A limit of the command line was reached: --max-instructions, --memory-limit or --time-limit.", "",
     kHazard},
};

}  // namespace

std::span<const Word> words_of_conclusions() { return kWordsOfConclusions; }

}  // namespace tilescope::report
