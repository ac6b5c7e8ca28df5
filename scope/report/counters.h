// The counters of a launch: one row each, with the name that users see.
//
// Owns: the list of counters (TILESCOPE_COUNTERS), the enum made from it and CounterSet, a fixed array over the enum.
// Guarantees: names are those of the profile's JSON and never change meaning; every value is an exact integer count of
// warp-level or thread-level events, as the row says.
// Does not model: ratios (see ratios.h) and estimates (they have fields of their own in Profile).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tilescope {

// X(enumerator, name, unit, description)
#define TILESCOPE_COUNTERS(X)                                                                                          \
    X(kInstructions, "instructions", "warp instructions", "instructions executed, once per warp")                      \
    X(kThreadInstructions, "thread_instructions", "thread instructions", "instructions executed, per active thread")   \
    X(kIntegerInstructions, "integer_instructions", "warp instructions", "integer arithmetic and logic")               \
    X(kFloatInstructions, "float_instructions", "warp instructions", "floating-point arithmetic")                      \
    X(kConversionInstructions, "conversion_instructions", "warp instructions", "conversions between types")            \
    X(kMoveInstructions, "move_instructions", "warp instructions", "moves, selections and predicates")                 \
    X(kMemoryInstructions, "memory_instructions", "warp instructions", "loads, stores, atomics and async copies")      \
    X(kControlInstructions, "control_instructions", "warp instructions", "branches, calls, returns and exits")         \
    X(kSyncInstructions, "sync_instructions", "warp instructions", "barriers, fences, shuffles and votes")             \
    X(kBranches, "branches", "warp instructions", "branch instructions executed")                                      \
    X(kDivergentBranches, "divergent_branches", "warp instructions", "branches whose lanes went different ways")       \
    X(kBarriers, "barriers", "warp instructions", "block-wide barrier instructions executed")                          \
    X(kGlobalLoadInstructions, "global_load_instructions", "warp instructions", "loads from global memory")            \
    X(kGlobalLoadRequests, "global_load_requests", "requests", "global loads with an active lane")                     \
    X(kGlobalLoadSectors, "global_load_sectors", "32 B sectors", "distinct sectors of those requests")                 \
    X(kGlobalLoadBytesRequested, "global_load_bytes_requested", "bytes", "bytes that threads asked for")               \
    X(kGlobalLoadIdealSectors, "global_load_ideal_sectors", "32 B sectors", "fewest sectors that hold those bytes")    \
    X(kGlobalStoreInstructions, "global_store_instructions", "warp instructions", "stores to global memory")           \
    X(kGlobalStoreRequests, "global_store_requests", "requests", "global stores with an active lane")                  \
    X(kGlobalStoreSectors, "global_store_sectors", "32 B sectors", "distinct sectors of those requests")               \
    X(kGlobalStoreBytesRequested, "global_store_bytes_requested", "bytes", "bytes that threads wrote")                 \
    X(kGlobalStoreIdealSectors, "global_store_ideal_sectors", "32 B sectors", "fewest sectors that hold those bytes")  \
    X(kGlobalAtomicRequests, "global_atomic_requests", "requests", "global atomics that return a value")               \
    X(kGlobalAtomicSectors, "global_atomic_sectors", "32 B sectors", "their sectors")                                  \
    X(kGlobalReductionRequests, "global_reduction_requests", "requests", "global atomics without a result")            \
    X(kGlobalReductionSectors, "global_reduction_sectors", "32 B sectors", "their sectors")                            \
    X(kGlobalAtomicAddresses, "global_atomic_addresses", "addresses", "distinct addresses of each of those requests")  \
    X(kGlobalAtomicBlockAddresses, "global_atomic_block_addresses", "addresses",                                       \
      "distinct addresses that a block updates by one line, over all blocks")                                          \
    X(kGlobalAtomicThreadOperations, "global_atomic_thread_operations", "thread operations",                           \
      "atomics and reductions, per thread")                                                                            \
    X(kLocalLoadRequests, "local_load_requests", "requests", "loads from local memory")                                \
    X(kLocalLoadSectors, "local_load_sectors", "32 B sectors", "their sectors in the interleaved layout")              \
    X(kLocalLoadBytesRequested, "local_load_bytes_requested", "bytes", "bytes that threads asked for")                 \
    X(kLocalStoreRequests, "local_store_requests", "requests", "stores to local memory")                               \
    X(kLocalStoreSectors, "local_store_sectors", "32 B sectors", "their sectors in the interleaved layout")            \
    X(kLocalStoreBytesRequested, "local_store_bytes_requested", "bytes", "bytes that threads wrote")                   \
    X(kSharedLoadInstructions, "shared_load_instructions", "warp instructions", "loads from shared memory")            \
    X(kSharedLoadRequests, "shared_load_requests", "requests", "shared loads with an active lane")                     \
    X(kSharedLoadWavefronts, "shared_load_wavefronts", "wavefronts", "passes through the banks")                       \
    X(kSharedLoadBankConflicts, "shared_load_bank_conflicts", "wavefronts", "passes beyond the ideal")                 \
    X(kSharedLoadBytesRequested, "shared_load_bytes_requested", "bytes", "bytes that threads asked for")               \
    X(kSharedStoreInstructions, "shared_store_instructions", "warp instructions", "stores to shared memory")           \
    X(kSharedStoreRequests, "shared_store_requests", "requests", "shared stores with an active lane")                  \
    X(kSharedStoreWavefronts, "shared_store_wavefronts", "wavefronts", "passes through the banks")                     \
    X(kSharedStoreBankConflicts, "shared_store_bank_conflicts", "wavefronts", "passes beyond the ideal")               \
    X(kSharedStoreBytesRequested, "shared_store_bytes_requested", "bytes", "bytes that threads wrote")                 \
    X(kSharedConflictsIfPadded, "shared_bank_conflicts_if_padded", "wavefronts",                                       \
      "of the conflicts of loads and stores, left if an unused word followed every 32nd")                              \
    X(kSharedAtomicRequests, "shared_atomic_requests", "requests", "atomics on shared memory")                         \
    X(kSharedAtomicBankConflicts, "shared_atomic_bank_conflicts", "wavefronts", "passes beyond the ideal")             \
    X(kSharedAtomicAddresses, "shared_atomic_addresses", "addresses", "distinct addresses of each of those requests")  \
    X(kSharedAtomicThreadOperations, "shared_atomic_thread_operations", "thread operations", "per thread")             \
    X(kConstantRequests, "constant_requests", "requests", "loads from constant memory by the program")                 \
    X(kConstantPasses, "constant_passes", "passes", "distinct addresses of those requests")                            \
    X(kAsyncCopyInstructions, "async_copy_instructions", "warp instructions", "cp.async from global to shared")        \
    X(kFp16Operations, "fp16_operations", "thread operations", "half-precision FLOP, a fused multiply-add is two")     \
    X(kFp32Add, "fp32_add", "thread operations", "single-precision additions and subtractions")                        \
    X(kFp32Mul, "fp32_mul", "thread operations", "single-precision multiplications")                                   \
    X(kFp32Fma, "fp32_fma", "thread operations", "single-precision fused multiply-adds")                               \
    X(kFp32Special, "fp32_special", "thread operations", "divisions, roots and approximate functions")                 \
    X(kFp32ToFp64, "fp32_to_fp64_conversions", "thread operations", "single-precision values made double")             \
    X(kFp64ToFp32, "fp64_to_fp32_conversions", "thread operations", "double-precision values made single")             \
    X(kFp64Add, "fp64_add", "thread operations", "double-precision additions and subtractions")                        \
    X(kFp64Mul, "fp64_mul", "thread operations", "double-precision multiplications")                                   \
    X(kFp64Fma, "fp64_fma", "thread operations", "double-precision fused multiply-adds")                               \
    X(kFp64Special, "fp64_special", "thread operations", "divisions and roots")                                        \
    X(kGlobalLoadL1HitSectors, "global_load_l1_hit_sectors", "32 B sectors", "of global loads, found in L1")           \
    X(kLocalLoadL1HitSectors, "local_load_l1_hit_sectors", "32 B sectors", "of local loads, found in L1")              \
    X(kL2ReadSectors, "l2_read_sectors", "32 B sectors", "that SMs read of L2")                                        \
    X(kL2ReadHitSectors, "l2_read_hit_sectors", "32 B sectors", "of those, found in the part that is asked first")     \
    X(kL2WriteSectors, "l2_write_sectors", "32 B sectors", "that SMs write to L2")                                     \
    X(kL2FabricSectors, "l2_fabric_sectors", "32 B sectors", "looked up by one part of L2 in the other")               \
    X(kDramReadBytes, "dram_read_bytes", "bytes", "that L2 reads from device memory")                                  \
    X(kDramWriteBytes, "dram_write_bytes", "bytes", "that L2 writes to device memory while the kernel runs")           \
    X(kL1MissFirstTouch, "l1_miss_first_touch_sectors", "32 B sectors",                                                \
      "of loads, not found in L1: the SM had not had them in this launch")                                             \
    X(kL1MissCapacity, "l1_miss_capacity_sectors", "32 B sectors", "of loads, not found in L1: they had to give way")  \
    X(kL1MissPartWritten, "l1_miss_part_written_sectors", "32 B sectors",                                              \
      "of loads, not found in L1: a store of the SM left only some of their bytes")                                    \
    X(kL1MissFence, "l1_miss_fence_sectors", "32 B sectors", "of loads, not found in L1: a fence had emptied it")      \
    X(kL1MissAtomic, "l1_miss_atomic_sectors", "32 B sectors",                                                         \
      "of loads, not found in L1: an atomic of the SM had changed their line")                                         \
    X(kL1MissBypass, "l1_miss_bypass_sectors", "32 B sectors", "of loads that go past L1")                             \
    X(kL1MergedSectors, "l1_merged_sectors", "32 B sectors",                                                           \
      "of loads, not found in L1, that came along with another read of the SM's GPC")                                  \
    X(kL1UnaskedBytes, "l1_unasked_bytes", "bytes",                                                                    \
      "of loads' sectors not found in L1, that no lane of the request asked for")                                      \
    X(kL2MissFirstTouch, "l2_miss_first_touch_sectors", "32 B sectors",                                                \
      "read and not found: they had not been in L2 in this launch")                                                    \
    X(kL2MissCapacity, "l2_miss_capacity_sectors", "32 B sectors", "read and not found: they had to give way")         \
    X(kL2MissOtherPart, "l2_miss_other_part_sectors", "32 B sectors",                                                  \
      "read and not found in the part asked first: the other one had them")                                            \
    X(kL2MissOutdated, "l2_miss_outdated_sectors", "32 B sectors",                                                     \
      "the same, after a store from the other side or an atomic had made the copy old")                                \
    X(kL2MissPartWritten, "l2_miss_part_written_sectors", "32 B sectors",                                              \
      "read and found in part: the other bytes had to be fetched")                                                     \
    X(kDramUnaskedBytes, "dram_unasked_bytes", "bytes", "of dram_read_bytes, that nobody asked for while L2 had them") \
    X(kConstantL1Hits, "constant_l1_hits", "lookups",                                                                  \
      "distinct addresses of indexed constant loads, found in the SM's constant cache")                                \
    X(kConstantL1Misses, "constant_l1_misses", "lookups", "of these, not found there")                                 \
    X(kConstantSecondHits, "constant_second_hits", "lookups", "of constant_l1_misses, found in the GPC's cache")       \
    X(kConstantSecondMisses, "constant_second_misses", "lookups", "of constant_l1_misses, not found there either")     \
    X(kConstantL2Sectors, "constant_l2_sectors", "32 B sectors",                                                       \
      "that constant caches read of L2; not among l2_read_sectors")

enum class Counter : std::uint8_t {
#define TILESCOPE_COUNTER_ENUM(id, name, unit, text) id,
    TILESCOPE_COUNTERS(TILESCOPE_COUNTER_ENUM)
#undef TILESCOPE_COUNTER_ENUM
        kCount
};

inline constexpr std::size_t kCounterCount = static_cast<std::size_t>(Counter::kCount);

// What a model of the caches says; all others are exact.
inline constexpr bool is_modelled(Counter counter) {
    return counter >= Counter::kGlobalLoadL1HitSectors && counter < Counter::kCount;
}

// So much for one of the counters.
struct CounterAmount {
    Counter counter = Counter::kCount;  // kCount: none
    std::uint8_t amount = 1;
};
// What one execution of something adds up to; entries that are not needed come last.
using CounterAmounts = std::array<CounterAmount, 4>;

struct CounterInfo {
    std::string_view name, unit, description;
};

// Row of one counter.
const CounterInfo& info(Counter counter);
// By its JSON name; nothing when unknown.
std::optional<Counter> counter_by_name(std::string_view name);

struct CounterSet {
    std::array<std::uint64_t, kCounterCount> values{};
    bool modelled = false;  // whether those of is_modelled() were worked out

    std::uint64_t& operator[](Counter counter) { return values[static_cast<std::size_t>(counter)]; }
    std::uint64_t operator[](Counter counter) const { return values[static_cast<std::size_t>(counter)]; }
    CounterSet& operator+=(const CounterSet& other) {
        for (std::size_t i = 0; i < kCounterCount; ++i) values[i] += other.values[i];
        modelled |= other.modelled;
        return *this;
    }
    // `times` executions of what adds up to these amounts.
    void add(const CounterAmounts& amounts, std::uint64_t times) {
        for (const CounterAmount& part : amounts) {
            if (part.counter == Counter::kCount) break;
            (*this)[part.counter] += times * part.amount;
        }
    }
    bool empty() const {
        for (std::uint64_t value : values)
            if (value != 0) return false;
        return true;
    }
};

}  // namespace tilescope
