#include "scope/report/glossary.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace tilescope::report {
namespace {

constexpr WordKind kHazard = WordKind::kHazard;

constexpr Word kWords[] = {
    // ---- how kernels run
    {"kernel", "", "A function that the GPU runs once for every thread of a grid.", "launch, grid"},
    {"launch", "", "One call of a kernel with a grid and a block size. A report has one paragraph for each.",
     "grid, block"},
    {"grid", "", "All blocks of a launch.", "block, wave"},
    {"block", "thread block, cta",
     "Up to 1024 threads that run on one SM, share its shared memory and can wait for each other at a barrier.",
     "grid, sm, barrier"},
    {"warp", "",
     "32 threads of a block that execute one instruction together. All counts of instructions and requests are per "
     "warp.",
     "lane, divergence"},
    {"lane", "", "One of the 32 threads of a warp.", "warp, divergence"},
    {"sm", "streaming multiprocessor, multiprocessor",
     "The GPU's core: it holds several blocks at a time and has registers, shared memory and an L1 cache of its own.",
     "occupancy"},
    {"wave", "",
     "As many blocks as fit on all SMs at once. A grid runs as so many waves; in the last one, SMs without a block "
     "idle.",
     "tail, occupancy"},
    {"tail", "", "The last wave of a grid when it does not fill all SMs: its time is a whole wave's, its work is not.",
     "wave"},
    {"barrier", "__syncthreads", "A place where every thread of the block waits until all have come.",
     "divergent-barrier, race"},
    {"divergence", "divergent branch",
     "Lanes of a warp that take different ways at a branch run one way after the other, the rest idle meanwhile.",
     "lane, warp"},
    {"lane efficiency", "",
     "Active lanes of the 32 that an instruction could have, on average: 100 % without divergence and with full warps.",
     "divergence"},
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
    {"coalescing", "coalesced, uncoalesced",
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
    {"miss", "first touch, capacity, missed",
     "A sector that a cache does not have when it is asked for. First touch: nobody asked that cache for it before in "
     "this launch. "
     "Capacity: it was there and had to give way to others; asking for it again sooner, or for less in between, would "
     "find it.",
     "cache line, over-fetch"},
    {"over-fetch", "unasked bytes",
     "Bytes that move though nobody asks for them: sectors that device memory sends along with their neighbours, and "
     "the rest of sectors of which a request wants a part.",
     "sector, coalescing"},
    {"wavefront", "",
     "One turn of a shared-memory request through the banks. Lanes that need different words of one bank take turns, "
     "each a "
     "wavefront.",
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
     "one more.",
     "constant memory, broadcast"},
    {"atomic", "",
     "A read, change and write that nobody comes between. One whose result is used counts as atomic, one whose result "
     "nobody reads as "
     "reduction.",
     "reduction"},
    {"reduction", "", "An atomic whose result is not used: it is sent to the L2 cache and not waited for.", "atomic"},
    // ---- kinds of memory
    {"register", "", "A thread's own 4 bytes on the SM. An SM has 65,536; many a thread leaves room for few threads.",
     "occupancy, spill"},
    {"shared memory", "shared",
     "Memory on the SM that the threads of a block have in common, as fast as L1. Worth it for what several threads "
     "read, or one thread "
     "writes and others read.",
     "tiling, bank"},
    {"local memory", "local",
     "A thread's own memory off the chip, through L1 and L2: arrays that are indexed at run time, and spills.",
     "spill"},
    {"spill", "", "A value for which no register was left, kept in local memory.", "register, local memory"},
    {"constant memory", "constant",
     "64 KB that kernels only read, cached on the SM; fast where all lanes read one address, one pass for each "
     "otherwise.",
     "pass, broadcast"},
    {"constant cache", "",
     "What an SM keeps of constant memory that is indexed: 2 KB on an H200, each distinct address of a request a "
     "lookup. "
     "Behind it is one of 64 KB that the SMs of a GPC share; what is in neither comes from L2.",
     "constant memory, pass, l2"},
    {"global memory", "global, dram", "The card's memory, which all threads and the host's copies reach.",
     "sector, bandwidth"},
    {"l1", "", "The SM's own cache, in the same storage as shared memory.", "sector"},
    {"l2", "", "The cache between all SMs and DRAM.", "sector"},
    {"bandwidth", "", "Bytes a second that a level of memory can move.", "roofline"},
    {"managed memory", "unified memory", "Memory that host and kernels use at one address; pages move on first touch.",
     ""},
    // ---- conclusions
    {"intensity", "arithmetic intensity",
     "Floating-point operations for each byte asked of global memory. A fused multiply-add counts as two operations.",
     "ridge, roofline, asked for"},
    {"flop", "flops", "Floating-point operations; a fused multiply-add is two.", "intensity"},
    {"roofline", "",
     "The most that a kernel of some intensity can reach: bandwidth × intensity up to the ridge, the arithmetic's peak "
     "beyond it.",
     "intensity, ridge"},
    {"ridge", "ridge point, needs",
     "The intensity at which a device turns from memory-bound to compute-bound: its peak rate over its bandwidth.",
     "roofline, intensity"},
    {"time", "modelled time",
     "How long a launch takes on the modelled device, with cold caches: worked out from its counts, its occupancy and "
     "the "
     "device's rates and latencies, not measured (docs/TIME.md). The report says what most of it is spent on, and how "
     "long it would "
     "take without that.",
     "occupancy, roofline, latency"},
    {"latency", "waiting",
     "Cycles from asking for something until it is there. What other warps do meanwhile covers it; the part that "
     "nothing "
     "covers shows in the time.",
     "time, occupancy"},
    {"tiling", "tiling potential, potential, tile",
     "Loading what a block needs once into shared memory and reading it there. The potential is bytes asked for over "
     "distinct bytes, block "
     "by block: how many times less could be loaded.",
     "shared memory, asked for"},
    {"occupancy", "",
     "Warps that an SM holds at a time, of those it could hold. More warps hide more latency, up to a point.",
     "limiter, wave"},
    {"limiter", "limited by",
     "The resource that keeps the next block out of an SM: threads, blocks, registers, shared memory or barriers.",
     "occupancy"},
    {"hot line", "hot lines",
     "A source line with a large share of the bytes that a launch moved, or of its instructions where it moved none.",
     ""},
    {"advice", "",
     "What counts say could be done better. Bytes saved and speedups are upper bounds: caches may catch part of them "
     "already.",
     ""},
    {"speedup", "at most",
     "How many times faster a launch could become, as a bound: its least time on the modelled device over that without "
     "what would be "
     "saved.",
     "advice"},
    {"sampled", "sample", "Only some blocks ran (--sample); counts are scaled to the whole grid and so estimates.", ""},
    {"modelled on", "modelled",
     "Counts do not depend on a device; occupancy, rooflines and advice are those of the one named.", ""},
    // ---- hazards
    {"race", "", "Two threads access a byte, one of them writes, and nothing orders them.", "barrier", kHazard},
    {"out-of-bounds", "oob", "An access that no allocation holds.", "use-after-free", kHazard},
    {"misaligned", "", "An access of n bytes whose address is no multiple of n.", "", kHazard},
    {"uninitialized", "", "A read of memory that nobody wrote.", "", kHazard},
    {"divergent-barrier", "", "A barrier that some threads of the block reach and others do not.", "barrier", kHazard},
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

std::string plain(std::string_view text) {
    std::string result;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        result += letter == '-' || letter == '_' ? ' ' : static_cast<char>(std::tolower(byte));
    }
    return result;
}

bool is_one_of(std::string_view wanted, std::string_view list) {
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (plain(list.substr(0, comma)) == wanted) return true;
        list.remove_prefix(std::min(comma + 2, list.size()));  // ", "
    }
    return false;
}

const Word* find_exactly(std::string_view wanted) {
    for (const Word& word : kWords)
        if (plain(word.name) == wanted) return &word;
    for (const Word& word : kWords)
        if (is_one_of(wanted, word.also)) return &word;
    return nullptr;
}

}  // namespace

std::span<const Word> glossary() { return kWords; }

const Word* find_word(std::string_view name) {
    std::string wanted = plain(name);
    if (const Word* word = find_exactly(wanted)) return word;
    if (wanted.size() > 1 && wanted.back() == 's') wanted.pop_back();
    return find_exactly(wanted);
}

}  // namespace tilescope::report
