// The words of kernels and of what they do to memory, by topic.
#include "scope/report/glossary_words.h"

namespace tilescope::report {
namespace {

constexpr Word kWordsOfKernels[] = {
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
    {"device", "GPU, card", "The GPU with its SMs, caches and memory. Here it is modeled; --device chooses which one.",
     "sm, host"},
    {"index", "threadIdx, blockIdx, blockDim, gridDim",
     "Where a thread is: threadIdx is its place in the block, blockIdx the block's place in the grid, blockDim the "
     "block's size, gridDim the number of blocks. Each has x, y and z; threads that differ by one in x are neighbors "
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
    {"SASS", "",
     "The machine code of one GPU, which ptxas makes from PTX. tilescope does not run it, so a program needs PTX, too.",
     "PTX, ptxas"},
    {"SMSP", "SM sub-partition",
     "One of the four parts of an SM. Each has its own warp scheduler, registers and arithmetic pipes.", "SM"},
    {"GPC", "", "A group of SMs, some 16, that share their way to the L2 cache.", "sm, l2"},
    {"cycle", "cycles",
     "One tick of the SM's clock; an H200 has 1.98 billion per second. Latencies are given in cycles.", "latency"},
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
     "touches, whole: 32 neighboring 4-byte values are 4 sectors, 32 scattered ones are 32.",
     "request, coalescing, ideal"},
    {"ideal", "",
     "The fewest sectors (or wavefronts) that could hold the bytes of a request, if its addresses were adjacent. The "
     "report shows it beside the count; if both are equal, the access pattern is as good as it can be.",
     "sector, wavefront"},
    {"coalescing", "coalesced, uncoalesced, coalesced access, burst",
     "Lanes of a warp that access neighboring addresses share sectors, so that the request moves few. Scattered lanes "
     "make it move "
     "up to 32.",
     "sector, ideal"},
    {"requested", "asked for, requested bytes, bytes asked for",
     "Bytes that threads load and store by their instructions. What moves is sectors, which may be more (scattered "
     "lanes) or less "
     "(lanes that share one, caches).",
     "sector, intensity"},
    {"cache line", "line", "128 aligned bytes: four sectors. Caches keep lines and fill them by sectors.", "sector"},
    {"miss",
     "misses, missed, compulsory, compulsory miss, first touch, capacity, capacity miss, far L2 partition, other part, "
     "partially written, written in part, bypass L1, past L1, in flight, under way, written elsewhere",
     "A sector that a cache does not have when it is requested. Compulsory: first access to it in this launch. "
     "Capacity: the cache evicted it before; reuse it sooner, or access less in between. Far L2 partition: the near "
     "partition of L2 did not have it, the far one did. In flight: an earlier miss on the same sector is pending. "
     "Bypass L1: an instruction that goes to L2 directly.",
     "cache line, over-fetch"},
    {"cold cache", "cold caches, cold, warm",
     "A cache that has nothing yet of what will be requested; a warm one has it from before. The model begins each "
     "launch with cold caches.",
     "cache, miss"},
    {"evict", "evicted", "To send away what a cache or a memory holds, as something else needs the room.",
     "miss, thrashing"},
    {"over-fetch", "unasked bytes, unrequested bytes",
     "Bytes that move although nobody requested them: sectors that DRAM sends along with their neighbors, and the rest "
     "of sectors of which a request needs a part.",
     "sector, coalescing"},
    {"wavefront", "",
     "One turn of a request at the banks of shared memory, or in L1, which has the same pipe. Lanes that need "
     "different "
     "words of one bank take turns, each a wavefront.",
     "bank, bank conflict"},
    {"bank", "",
     "Shared memory has 32 banks of 4 bytes: bank = (address / 4) mod 32. Each gives one word per wavefront.",
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
     "An indivisible read-modify-write. One whose result is used counts as atomic, one whose result is not used as "
     "reduction.",
     "reduction"},
    {"reduction", "", "An atomic whose result is not used: it is sent to the L2 cache and not waited for.", "atomic"},
    {"stride", "", "Distance between the elements that neighboring threads access. Stride 1 is contiguous.",
     "coalescing, bank conflict"},
    {"padding", "pad, padded",
     "Unused elements that move others to a better place: one more in each row of a tile puts the words of a column "
     "into different banks.",
     "bank conflict, tile"},
    {"array of structures", "structure of arrays",
     "Two ways to keep records. In an array of structures all members of one record lie together; in a structure of "
     "arrays one member of all records does, and neighboring threads that want that member find it side by side.",
     "coalescing, stride"},
    {"hit", "hits, hit rate",
     "A sector that a cache has when it is requested. The hit rate is hits over all that was requested.",
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
    {"L1", "", "The SM's own cache, in the same storage as shared memory. What it does not have is requested from L2.",
     "sector"},
    {"L2", "", "The cache between all SMs and DRAM, some tens of MiB. Each SM reads through its L1 from it.", "sector"},
    {"bandwidth", "", "Bytes per second that a level of memory can move.", "roofline"},
    {"effective bandwidth", "achieved bandwidth",
     "Bytes that a kernel's threads request from global memory over the time that it takes: of a copy of N floats 8 × "
     "N "
     "bytes. "
     "Where caches serve what is requested again, it is beyond what DRAM can do.",
     "bandwidth, requested"},
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
};

}  // namespace

std::span<const Word> words_of_kernels() { return kWordsOfKernels; }

}  // namespace tilescope::report
