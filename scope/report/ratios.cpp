#include "scope/report/ratios.h"

#include <algorithm>

namespace tilescope::report {
namespace {

using C = Counter;

std::optional<double> divide(std::uint64_t above, std::uint64_t below) {
    if (below == 0) return std::nullopt;
    return static_cast<double>(above) / static_cast<double>(below);
}

template <Counter kAbove, Counter kBelow>
std::optional<double> quotient(const CounterSet& c) {
    return divide(c[kAbove], c[kBelow]);
}

// Bytes asked for over bytes moved in whole sectors.
template <Counter kBytes, Counter kSectors>
std::optional<double> efficiency(const CounterSet& c) {
    return divide(c[kBytes], 32 * c[kSectors]);
}

// Wavefronts and conflicts are those of ldmatrix and stmatrix, too.
std::uint64_t shared_loads(const CounterSet& c) { return c[C::kSharedLoadRequests] + c[C::kMatrixLoadRequests]; }
std::uint64_t shared_stores(const CounterSet& c) { return c[C::kSharedStoreRequests] + c[C::kMatrixStoreRequests]; }

template <Counter kTaken>
std::optional<double> of_shared_loads(const CounterSet& c) {
    return divide(c[kTaken], shared_loads(c));
}
template <Counter kTaken>
std::optional<double> of_shared_stores(const CounterSet& c) {
    return divide(c[kTaken], shared_stores(c));
}

std::optional<double> conflicts(const CounterSet& c) {
    return divide(c[C::kSharedLoadBankConflicts] + c[C::kSharedStoreBankConflicts] + c[C::kSharedAtomicBankConflicts],
                  shared_loads(c) + shared_stores(c) + c[C::kSharedAtomicRequests]);
}

std::optional<double> lanes(const CounterSet& c) { return divide(c[C::kThreadInstructions], 32 * c[C::kInstructions]); }

std::optional<double> intensity(const CounterSet& c) { return divide(flop(c), requested_bytes(c)); }
std::optional<double> l2_intensity(const CounterSet& c) { return divide(flop(c), l2_bytes(c).value_or(0)); }
std::optional<double> dram_intensity(const CounterSet& c) { return divide(flop(c), dram_bytes(c).value_or(0)); }

std::optional<double> l1_hit_rate(const CounterSet& c) {
    return c.modelled ? divide(c[C::kGlobalLoadL1HitSectors], c[C::kGlobalLoadSectors]) : std::nullopt;
}
std::optional<double> l2_hit_rate(const CounterSet& c) {
    return c.modelled ? divide(c[C::kL2ReadHitSectors], c[C::kL2ReadSectors]) : std::nullopt;
}

constexpr Ratio kRatios[] = {
    {"global_load_sectors_per_request", "sectors", "sectors of a global load request; 4 is a full coalesced one",
     quotient<C::kGlobalLoadSectors, C::kGlobalLoadRequests>, false},
    {"global_load_ideal_sectors_per_request", "sectors", "fewest sectors that could hold what a load requests",
     quotient<C::kGlobalLoadIdealSectors, C::kGlobalLoadRequests>, false},
    {"global_load_efficiency", "", "bytes that loads request, of the bytes that their sectors move",
     efficiency<C::kGlobalLoadBytesRequested, C::kGlobalLoadSectors>, false},
    {"global_store_sectors_per_request", "sectors", "sectors of a global store request",
     quotient<C::kGlobalStoreSectors, C::kGlobalStoreRequests>, false},
    {"global_store_ideal_sectors_per_request", "sectors", "fewest sectors that could hold what a store writes",
     quotient<C::kGlobalStoreIdealSectors, C::kGlobalStoreRequests>, false},
    {"global_store_efficiency", "", "bytes that stores write, of the bytes that their sectors move",
     efficiency<C::kGlobalStoreBytesRequested, C::kGlobalStoreSectors>, false},
    {"global_atomic_sectors_per_request", "sectors", "sectors of a global atomic that returns a value",
     quotient<C::kGlobalAtomicSectors, C::kGlobalAtomicRequests>, false},
    {"global_reduction_sectors_per_request", "sectors", "sectors of a global atomic without a result",
     quotient<C::kGlobalReductionSectors, C::kGlobalReductionRequests>, false},
    {"local_load_sectors_per_request", "sectors", "sectors of a local load request",
     quotient<C::kLocalLoadSectors, C::kLocalLoadRequests>, false},
    {"local_store_sectors_per_request", "sectors", "sectors of a local store request",
     quotient<C::kLocalStoreSectors, C::kLocalStoreRequests>, false},
    {"shared_load_wavefronts_per_request", "wavefronts", "turns at the banks of a shared load",
     of_shared_loads<C::kSharedLoadWavefronts>, false},
    {"shared_store_wavefronts_per_request", "wavefronts", "turns at the banks of a shared store",
     of_shared_stores<C::kSharedStoreWavefronts>, false},
    {"shared_load_bank_conflicts_per_request", "wavefronts", "wavefronts beyond the ideal of a shared load",
     of_shared_loads<C::kSharedLoadBankConflicts>, false},
    {"shared_store_bank_conflicts_per_request", "wavefronts", "wavefronts beyond the ideal of a shared store",
     of_shared_stores<C::kSharedStoreBankConflicts>, false},
    {"bank_conflicts_per_request", "wavefronts", "wavefronts beyond the ideal of a shared load, store or atomic",
     conflicts, false},
    {"constant_passes_per_request", "passes", "distinct addresses of a constant load; 1 is a broadcast",
     quotient<C::kConstantPasses, C::kConstantRequests>, false},
    {"lane_efficiency", "", "active lanes of the 32 of an instruction", lanes, false},
    {"divergent_branch_fraction", "", "branches whose lanes went different ways",
     quotient<C::kDivergentBranches, C::kBranches>, false},
    {"intensity", "FLOP/B", "floating-point operations for each byte requested from global memory", intensity, false},
    {"flop", "FLOP", "floating-point operations",
     [](const CounterSet& c) -> std::optional<double> { return static_cast<double>(flop(c)); }, false},
    {"requested_bytes", "bytes", "bytes that threads requested from global memory",
     [](const CounterSet& c) -> std::optional<double> { return static_cast<double>(requested_bytes(c)); }, false},
    {"l2_intensity", "FLOP/B", "floating-point operations for each byte moved from and to L2", l2_intensity, true},
    {"dram_intensity", "FLOP/B", "floating-point operations for each byte moved from and to DRAM", dram_intensity,
     true},
    {"l1_hit_rate", "", "sectors of global loads found in L1", l1_hit_rate, true},
    {"l2_hit_rate", "", "sectors read by the SMs found in L2", l2_hit_rate, true},
};

}  // namespace

std::span<const Ratio> ratios() { return kRatios; }

const Ratio* ratio_by_name(std::string_view name) {
    for (const Ratio& ratio : kRatios)
        if (ratio.name == name) return &ratio;
    return nullptr;
}

std::uint64_t flop(const CounterSet& c) {
    return c[C::kFp16Operations] + c[C::kFp32Add] + c[C::kFp32Mul] + 2 * c[C::kFp32Fma] + c[C::kFp64Add] +
           c[C::kFp64Mul] + 2 * c[C::kFp64Fma] + c[C::kTensorFp16Operations] + c[C::kTensorBf16Operations] +
           c[C::kTensorTf32Operations] + c[C::kTensorFp64Operations] + c[C::kTensorFp8Operations];
}

std::optional<double> useful_intensity(const LaunchProfile& launch) {
    const std::uint64_t padded = launch.padded_flop.all(), all = flop(launch.counters);
    return padded == 0 ? std::nullopt : divide(all - std::min(all, padded), requested_bytes(launch.counters));
}

std::uint64_t requested_bytes(const CounterSet& c) {
    return c[C::kGlobalLoadBytesRequested] + c[C::kGlobalStoreBytesRequested];
}

std::optional<std::uint64_t> l2_bytes(const CounterSet& c) {
    if (!c.modelled) return std::nullopt;
    return 32 * (c[C::kL2ReadSectors] + c[C::kL2WriteSectors]);
}

std::optional<std::uint64_t> dram_bytes(const CounterSet& c) {
    if (!c.modelled) return std::nullopt;
    return c[C::kDramReadBytes] + c[C::kDramWriteBytes];
}

std::uint64_t traffic_bytes(const CounterSet& c) {
    const std::uint64_t sectors = c[C::kGlobalLoadSectors] + c[C::kGlobalStoreSectors] + c[C::kGlobalAtomicSectors] +
                                  c[C::kGlobalReductionSectors] + c[C::kLocalLoadSectors] + c[C::kLocalStoreSectors];
    const std::uint64_t wavefronts = c[C::kSharedLoadWavefronts] + c[C::kSharedStoreWavefronts] +
                                     c[C::kFactorLoadWavefronts] + c[C::kSharedAtomicRequests] +
                                     c[C::kSharedAtomicBankConflicts];
    return 32 * sectors + 128 * wavefronts;
}

}  // namespace tilescope::report
