// What textbooks and NVIDIA's tools call the things of the glossary.
#include "scope/report/glossary.h"

namespace tilescope::report {
namespace {

constexpr OtherTerms kTerms[] = {
    {"block", "thread block, cooperative thread array", "block, CTA"},
    {"warp", "warp; a SIMD unit of 32 threads", "warp"},
    {"divergence", "control divergence, thread divergence", "branch efficiency, divergent branches"},
    {"barrier", "barrier synchronization", "the stall reason barrier; Compute Sanitizer's synccheck"},
    {"scope", "scope of a variable: thread, block, grid", ""},
    {"lifetime", "lifetime of a variable: thread, block, grid or application", ""},
    {"request", "an access of a warp", "request"},
    {"sector", "memory transaction; part of a DRAM burst", "sector"},
    {"coalescing", "coalesced access: a warp's addresses in one burst",
     "sectors per request; uncoalesced accesses of the source page"},
    {"wavefront", "serialized part of an access", "wavefront"},
    {"bank conflict", "n-way bank conflict", "shared bank conflicts"},
    {"register", "register, automatic scalar variable", "registers per thread"},
    {"shared memory", "scratchpad memory, shared memory",
     "shared memory, of which some is static, dynamic or the driver's"},
    {"local memory", "local memory: automatic arrays", "local memory, LDL and STL"},
    {"constant memory", "constant memory and its cache", "constant bank, immediate constant cache (IMC)"},
    {"global memory", "global memory", "device memory for what reaches DRAM, global for what is requested from L1"},
    {"DRAM", "off-chip memory, global memory", "DRAM, device memory"},
    {"bandwidth", "memory bandwidth", "memory throughput"},
    {"effective bandwidth", "effective bandwidth, achieved bandwidth", ""},
    {"intensity", "compute-to-global-memory-access ratio (CGMA), operational intensity",
     "arithmetic intensity, which counts the bytes of DRAM, L2 or L1 rather than those that threads request"},
    {"roofline", "roofline model", "GPU Speed Of Light Roofline Chart"},
    {"ridge", "ridge point, machine balance", "ridge point"},
    {"memory-bound", "memory-bound, bandwidth-limited", "high memory throughput beside low compute throughput"},
    {"compute-bound", "compute-bound", "high compute throughput beside low memory throughput"},
    {"utilization", "utilization", "Speed Of Light, a metric's pct_of_peak_sustained_elapsed"},
    {"latency", "latency of a long-latency operation", "the stall reasons long scoreboard, short scoreboard and wait"},
    {"occupancy", "occupancy: resident threads or warps over the most there can be",
     "theoretical occupancy; what warps reach is achieved occupancy"},
    {"tiling", "tiling, blocking", ""},
    {"coarsening", "thread coarsening, thread granularity", ""},
    {"thrashing", "thrashing, oversubscription where pages of managed memory do it", ""},
    {"overlap", "overlap of copies and computation, task parallelism", "rows of Nsight Systems' timeline"},
    {"race", "data race: read after write, write after read, write after write",
     "hazard, as Compute Sanitizer's racecheck calls it"},
    {"version", "version, or private copy, of a variable", ""},
    {"energy", "energy of an access, picojoules for each byte or word", ""},
};

}  // namespace

std::span<const OtherTerms> other_terms() { return kTerms; }

const OtherTerms* other_terms_of(std::string_view word) {
    for (const OtherTerms& terms : kTerms)
        if (terms.word == word) return &terms;
    return nullptr;
}

}  // namespace tilescope::report
