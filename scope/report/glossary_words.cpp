// The words of the reports and lessons, by topic.
#include "scope/report/glossary.h"

namespace tilescope::report {
namespace {

constexpr WordKind kHazard = WordKind::kHazard;

constexpr Word kWords[] = {
    // ---- how kernels run
    {"kernel", "", "A function that the GPU runs once for every thread of a grid.", "launch, grid"},
    {"launch", "", "One call of a kernel with a grid and a block size. A report has one paragraph for each.",
     "grid, block"},
    {"grid", "", "All blocks of a launch, in one, two or three dimensions.", "block, wave"},
    {"block", "thread block, CTA",
     "Up to 1024 threads that run on one SM, share its shared memory and can wait for each other at a barrier.",
     "grid, sm, barrier"},
    {"warp", "",
     "32 threads of a block that execute one instruction together. All counts of instructions and requests are per "
     "warp.",
     "lane, divergence"},
    {"lane", "", "One of the 32 threads of a warp, or its place in it, 0 to 31.", "warp, divergence"},
    {"SM", "streaming multiprocessor, multiprocessor",
     "The GPU's core: it holds several blocks at a time and has registers, shared memory and an L1 cache of its own.",
     "occupancy"},
    {"wave", "",
     "As many blocks as fit on all SMs at once. A grid runs as so many waves; in the last one, SMs without a block "
     "idle.",
     "tail, occupancy"},
    {"tail", "", "The last wave of a grid when it does not fill all SMs: its time is a whole wave's, its work is not.",
     "wave"},
    {"barrier", "__syncthreads, __syncwarp",
     "A place where every thread of the block waits until all have come: __syncthreads(). __syncwarp() is one for the "
     "threads of a warp.",
     "divergent-barrier, race"},
    {"divergence", "divergent branch",
     "Lanes of a warp that take different ways at a branch run one way after the other, the rest idle meanwhile.",
     "lane, warp"},
    {"lane efficiency", "",
     "Active lanes of the 32 that an instruction could have, on average: 100 % without divergence and with full warps.",
     "divergence"},
    {"thread", "threads of a block",
     "One run of the kernel's code, with registers and a number of its own. A launch has thousands: threads are "
     "grouped into warps, warps into blocks, blocks into the grid.",
     "warp, block, grid"},
    {"host", "CPU",
     "The computer's processor and its memory, where main() runs. It launches kernels and copies data to the device "
     "and back.",
     "device, launch"},
    {"device", "GPU, card", "The GPU with its SMs, caches and memory. Here it is modelled; --device chooses which one.",
     "sm, host"},
    {"index", "threadIdx, blockIdx, blockDim, gridDim",
     "Where a thread is: threadIdx is its place in the block, blockIdx the block's place in the grid, blockDim the "
     "block's size, gridDim the number of blocks. Each has x, y and z; threads that differ by one in x are neighbours "
     "in their warp.",
     "thread, block, grid"},
    {"compiler", "nvcc, clang",
     "nvcc is NVIDIA's compiler for CUDA, clang a free one that compiles CUDA, too. Their machine code differs, and so "
     "do counts that depend on it: registers, instructions, merged accesses.",
     "ptx, register"},
    {"PTX", "",
     "The assembly language that CUDA compilers produce, the same for all GPUs of a generation or later. tilescope "
     "runs it.",
     "compiler"},
    {"unrolling", "unroll, unrolled",
     "A loop of which the compiler writes out several turns one after the other. Indices become constants, so small "
     "arrays can lie in registers and loads of several turns can be under way together.",
     "register, local memory"},
    {"compute capability", "", "The version of a GPU's instruction set, such as 8.0 for an A100 and 9.0 for an H200.",
     "device"},
    {"lock-step", "",
     "Threads of a warp that take each step together. Older GPUs promised that; since the Volta generation each thread "
     "has its own place in the program, and only a barrier makes sure.",
     "warp, barrier, race"},
    {"phase", "",
     "One turn of a loop of loading and using. A tiled product loads a tile, waits at a barrier, computes with it and "
     "waits again before the next one.",
     "barrier, tile"},
    {"version", "versions",
     "One copy of a variable. A line of source that declares one makes a version for each thread, each block or the "
     "whole program, depending on where it lies.",
     "register, shared memory"},
    {"scope", "variable scope",
     "Who sees one version of a variable: its thread alone (registers, local memory), all threads of its block (shared "
     "memory), or all threads of all grids and the host's copies (global and constant memory).",
     "version, lifetime"},
    {"lifetime", "variable lifetime",
     "How long a variable's value is there. What is in registers, local and shared memory ends with its thread or "
     "block "
     "and begins undefined the next time; global and constant memory last from one launch to the next, until they are "
     "freed or the program ends.",
     "version, scope"},
    {"resident", "resident warps, resident blocks",
     "On an SM at the moment, with registers and shared memory of its own. These are handed out when a block starts "
     "and "
     "given back when it ends, so that going on with another resident warp costs nothing; a CPU's core saves and loads "
     "registers when it switches threads.",
     "occupancy, block, register"},
    {"GPC", "", "A group of SMs, some 16, that share their way to the L2 cache.", "sm, l2"},
    {"cycle", "cycles", "One tick of the SM's clock; an H200 has 1.98 billion a second. Latencies are given in cycles.",
     "latency"},
    {"ptxas", "machine code, assembler",
     "NVIDIA's program that turns PTX into the machine code of one GPU. Only it knows for certain how many registers a "
     "thread takes and what is spilled; without it tilescope estimates registers.",
     "PTX, spill"},
    {"profile", "",
     "All that was counted in a run, as a JSON file that --json writes and that report, roofline and compare read.",
     "launch"},
    // ---- access to memory
    {"request", "",
     "One warp instruction that accesses memory with at least one active lane, whatever its lanes' addresses are.",
     "sector, wavefront"},
    {"sector", "",
     "32 aligned bytes, the unit in which global and local memory move. A request moves every sector that one of its "
     "lanes "
     "touches, whole: 32 neighbouring 4-byte values are 4 sectors, 32 scattered ones are 32.",
     "request, coalescing, ideal"},
    {"ideal", "",
     "The fewest sectors (or wavefronts) that could hold what a request asks for, were its addresses side by side. A "
     "report shows it "
     "beside what was counted; where both are equal, the access pattern is as good as it can be.",
     "sector, wavefront"},
    {"coalescing", "coalesced, uncoalesced, coalesced access, burst",
     "Lanes of a warp that access neighbouring addresses share sectors, so that the request moves few. Scattered lanes "
     "make it move "
     "up to 32.",
     "sector, ideal"},
    {"asked for", "requested, requested bytes",
     "Bytes that threads load and store by their instructions. What moves is sectors, which may be more (scattered "
     "lanes) or less "
     "(lanes that share one, caches).",
     "sector, intensity"},
    {"cache line", "line", "128 aligned bytes: four sectors. Caches keep lines and fill them by sectors.", "sector"},
    {"miss", "misses, first touch, capacity, other part, under way, past L1, missed",
     "A sector that a cache does not have when it is asked for. First touch: nobody asked that cache for it before in "
     "this launch. "
     "Capacity: it was there and had to give way to others; asking for it again sooner, or for less in between, would "
     "find it. Other part: the nearer part of L2 did not have it, the other one had. Under way: it was on its way "
     "already, with a neighbour. Past L1: an instruction that asks L2 directly.",
     "cache line, over-fetch"},
    {"cold cache", "cold caches, cold, warm",
     "A cache that has nothing yet of what will be asked for; a warm one has it from before. The model begins each "
     "launch with cold caches.",
     "cache, miss"},
    {"evict", "evicted", "To send away what a cache or a memory holds, as something else needs the room.",
     "miss, thrashing"},
    {"over-fetch", "unasked bytes",
     "Bytes that move though nobody asks for them: sectors that DRAM sends along with their neighbours, and "
     "the rest of sectors of which a request wants a part.",
     "sector, coalescing"},
    {"wavefront", "",
     "One turn of a request at the banks of shared memory, or in L1, which has the same pipe. Lanes that need "
     "different "
     "words of one bank take turns, each a wavefront.",
     "bank, bank conflict"},
    {"bank", "", "Shared memory has 32 banks of 4 bytes: bank = (address / 4) mod 32. Each gives one word a wavefront.",
     "bank conflict, wavefront"},
    {"bank conflict", "conflict",
     "A wavefront beyond the ideal: lanes asked one bank for different words. Strides with no factor in common with 32 "
     "have none; one "
     "element more in each row of a tile ([T][T + 1]) removes those of its columns.",
     "bank, wavefront, ideal"},
    {"broadcast", "",
     "Lanes that read the same word get it in one wavefront (shared memory) or one pass (constant memory).",
     "wavefront, pass"},
    {"pass", "passes",
     "One turn of a constant-memory request. Lanes that read the same address share one; each different address takes "
     "one more. What requests take turns in at L1 and shared memory are wavefronts.",
     "constant memory, broadcast, wavefront"},
    {"atomic", "",
     "A read, change and write that nobody comes between. One whose result is used counts as atomic, one whose result "
     "nobody reads as "
     "reduction.",
     "reduction"},
    {"reduction", "", "An atomic whose result is not used: it is sent to the L2 cache and not waited for.", "atomic"},
    {"stride", "",
     "How far what a thread accesses lies from what its neighbour accesses, in elements. Stride 1 is side by side.",
     "coalescing, bank conflict"},
    {"padding", "pad, padded",
     "Unused elements that move others to a better place: one more in each row of a tile puts the words of a column "
     "into different banks.",
     "bank conflict, tile"},
    {"array of structures", "structure of arrays",
     "Two ways to keep records. In an array of structures all members of one record lie together; in a structure of "
     "arrays one member of all records does, and neighbouring threads that want that member find it side by side.",
     "coalescing, stride"},
    {"hit", "hits, hit rate",
     "A sector that a cache has when it is asked for. The hit rate is hits over all that was asked for.",
     "miss, sector"},
    // ---- kinds of memory
    {"register", "automatic variable",
     "A thread's own 4 bytes on the SM. An SM has 65,536; many a thread leaves room for few threads.",
     "occupancy, spill"},
    {"shared memory", "shared, scratchpad, scratchpad memory",
     "Memory on the SM that the threads of a block have in common, as fast as L1. Worth it for what several threads "
     "read, or one thread "
     "writes and others read.",
     "tiling, bank"},
    {"local memory", "local",
     "A thread's own memory off the chip, through L1 and L2: arrays that are indexed at run time, and spills.",
     "spill"},
    {"spill", "",
     "A value for which no register was left, kept in local memory: a store when it leaves the register, a load when "
     "it is wanted again. L1 serves both as long as it has room; beyond that they go to L2 and DRAM.",
     "register, local memory"},
    {"constant memory", "constant",
     "64 KB that kernels only read, cached on the SM; fast where all lanes read one address, one pass for each "
     "otherwise.",
     "pass, broadcast"},
    {"constant cache", "",
     "What an SM keeps of constant memory that is indexed: 2 KB on an H200, each distinct address of a request a "
     "lookup. "
     "Behind it is one of 64 KB that the SMs of a GPC share; what is in neither comes from L2.",
     "constant memory, pass, l2"},
    {"global memory", "global", "The card's memory, which all threads and the host's copies reach.",
     "sector, bandwidth"},
    {"L1", "", "The SM's own cache, in the same storage as shared memory. What it does not have is asked of L2.",
     "sector"},
    {"L2", "", "The cache between all SMs and DRAM, some tens of MiB. Each SM reads through its L1 from it.", "sector"},
    {"bandwidth", "", "Bytes a second that a level of memory can move.", "roofline"},
    {"effective bandwidth", "achieved bandwidth",
     "Bytes that a kernel's threads ask of global memory over the time that it takes: of a copy of N floats 8 × N "
     "bytes. "
     "Where caches serve what is asked for again, it is beyond what DRAM can do.",
     "bandwidth, asked for"},
    {"energy", "picojoule, pJ, energy of an access",
     "What moving a byte costs: some ten times as much from shared memory or L1 as from a register, and more than a "
     "hundred times as much from DRAM. A report's sum is an estimate: bytes by level times what the device's "
     "description "
     "says of each.",
     "register, DRAM"},
    {"managed memory", "unified memory", "Memory that host and kernels use at one address; pages move on first touch.",
     ""},
    {"dynamic shared memory", "dynamic",
     "Shared memory whose size the launch gives, as the third thing between the angle brackets. A kernel declares it "
     "as an extern array without a size.",
     "shared memory, launch"},
    {"carve-out", "carveout",
     "The part of an SM's storage that is shared memory; the rest is its L1 cache. More of one is less of the other.",
     "l1, shared memory"},
    {"cache", "caches",
     "Small fast memory that keeps copies of what was used last, by itself. A GPU has two for its global memory: L1 in "
     "each SM and L2 for all.",
     "l1, l2, hit, miss"},
    {"DRAM", "",
     "The gigabytes of memory chips on the card, behind all caches. Global memory lies there, and local memory, too.",
     "device memory, global memory, l2"},
    {"device memory", "",
     "What cudaMalloc hands out, as opposed to memory of the host. The chips that hold it are the DRAM; a kernel calls "
     "it "
     "global memory.",
     "DRAM, global memory, host"},
    {"texture", "",
     "A way to read an image by coordinates: the hardware makes the mean of the texels around a point, and knows what "
     "lies beyond the edges.",
     "global memory, texel"},
    {"texel", "texels", "An element of an image that a texture reads: up to four numbers of 8, 16 or 32 bits.",
     "texture"},
    {"word", "words", "4 bytes, the size of a float, an int and a register.", "bank, register"},
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
    {"prefetch", "", "To bring something before it is asked for, so that nobody waits for it.",
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
    {"time line", "host waits",
     "What the host, copies and kernels did when, in modelled time. How long kernels ran, how long copies, and how "
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
     "Floating-point operations for each byte asked of global memory. A fused multiply-add counts as two operations.",
     "ridge, roofline, asked for"},
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
    {"time", "modelled time, launching, issuing, writing to L2",
     "How long a launch takes on the modelled device, with cold caches: worked out from its counts, its occupancy and "
     "the device's rates and latencies, not measured (docs/TIME.md). The report's first line of a kernel says what "
     "binds "
     "it, and what would be left without that; 'spent on' has all its parts: launching (to begin and end a launch), "
     "issue "
     "(slots of the schedulers), latency, a kind of arithmetic, or a level of memory.",
     "percent of peak, latency-bound, occupancy, roofline, latency"},
    {"percent of peak", "of peak",
     "What a unit does in a launch, over what it could do at its peak in the launch's time, on average over the whole "
     "device: bytes of DRAM and L2, wavefronts of L1 and shared memory, slots of the schedulers, instructions of a "
     "pipe. "
     "From about 60 % on a unit holds others up; no unit near its peak, and latency or too few blocks bind.",
     "time, achieved occupancy"},
    {"achieved occupancy", "",
     "Warps that an SM has on average while it has any, of those it can hold; what a profiler calls sm__warps_active. "
     "Blocks that begin and end at different times, and too few of them, keep it below the occupancy that registers "
     "and "
     "shared memory allow. From the replay of the caches: modelled.",
     "occupancy, spread"},
    {"spread", "",
     "How many blocks the SM with the least and with the most ran, and for how much of the time each had some: far "
     "apart "
     "where blocks are few or of different lengths.",
     "achieved occupancy, time"},
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
     "Cycles from asking for something until it is there. What other warps do meanwhile covers it; the part that "
     "nothing "
     "covers shows in the time.",
     "time, occupancy"},
    {"tiling", "tiling potential, potential",
     "Loading what a block needs once into shared memory and reading it there. The potential is bytes asked for over "
     "distinct bytes, block "
     "by block: how many times less could be loaded.",
     "shared memory, asked for"},
    {"occupancy", "",
     "Warps that an SM holds at a time, of those it could hold. More warps hide more latency, up to a point.",
     "limiter, wave"},
    {"limiter", "limited by",
     "The resource that keeps the next block out of an SM: warps (threads in a profile), blocks, registers, shared "
     "memory "
     "or barriers.",
     "occupancy"},
    {"hot line", "hot lines",
     "A source line with a large share of the bytes that a launch moved, its traffic, or of its instructions where it "
     "moved none.",
     ""},
    {"advice", "",
     "What counts say could be done better. Bytes saved and speedups are upper bounds: caches may catch part of them "
     "already. The microseconds behind \"about\" are those that would be saved of the modelled time.",
     ""},
    {"speedup", "at most",
     "How many times faster a launch could become, as a bound: its least time on the modelled device over that without "
     "what would be "
     "saved.",
     "advice"},
    {"sampled", "sample", "Only some blocks ran (--sample); counts are scaled to the whole grid and so estimates.", ""},
    {"modelled on", "modelled",
     "Counts do not depend on a device; occupancy, rooflines and advice are those of the one named. A figure marked "
     "(modelled) comes from a model of caches, pages or time: it is not counted, and a real card may differ.",
     ""},
    {"memory-bound", "bandwidth-bound",
     "Limited by the bytes that memory can bring: intensity is below the ridge. Fewer bytes for each operation help.",
     "compute-bound, ridge, roofline"},
    {"compute-bound", "", "Limited by the operations that the arithmetic units can do: intensity is above the ridge.",
     "memory-bound, ridge, roofline"},
    {"fused multiply-add", "FMA, multiply-add",
     "a × b + c as one instruction with one rounding. It counts as two operations.", "flop"},
    {"peak", "", "The most operations a second that a device's arithmetic units can do.", "ridge, roofline"},
    {"tile", "tiles, blocking",
     "A square of a larger matrix that a block brings into shared memory and uses from there.",
     "tiling, shared memory"},
    {"coarsening", "register tile, thread coarsening",
     "More results for each thread: values that several of them need are loaded once and kept in registers, a tile in "
     "registers.",
     "tiling, register"},
    {"tensor core", "tensor units, tensor cores",
     "Units of an SM that multiply small matrices as one operation, many times faster than ordinary arithmetic and "
     "mostly in lower precision. Kernels have to ask for them; tilescope does not run them.",
     "peak, sm"},
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
     "NVIDIA's GPUs for data centres: V100 (2017, of the generation Volta), A100 (2020, Ampere), H100 (2022) and H200 "
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

std::span<const Word> glossary() { return kWords; }

}  // namespace tilescope::report
