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

// Which question a counter belongs to.
enum class CounterGroup : std::uint8_t {
    kExecution,
    kGlobal,
    kLocal,
    kShared,
    kConstant,
    kCopies,
    kArithmetic,
    kL1,
    kL2,
    kDram
};

// Where a counter's value comes from.
enum class CounterSource : std::uint8_t {
    kCounted,      // of the PTX, exactly
    kMachineCode,  // likewise, and where the program's machine code is there with what ptxas added or left out
    kModelled,     // by the model of the caches, where that ran (CounterSet::modelled)
};

// X(enumerator, name, unit, group, source, description)
#define TILESCOPE_COUNTERS(X)                                                                                          \
    X(kInstructions, "instructions", "warp instructions", kExecution, kCounted,                                        \
      "instructions executed, once per warp")                                                                          \
    X(kThreadInstructions, "thread_instructions", "thread instructions", kExecution, kCounted,                         \
      "instructions executed, per active thread")                                                                      \
    X(kIntegerInstructions, "integer_instructions", "warp instructions", kExecution, kCounted,                         \
      "integer arithmetic and logic")                                                                                  \
    X(kFloatInstructions, "float_instructions", "warp instructions", kExecution, kCounted,                             \
      "floating-point arithmetic")                                                                                     \
    X(kTensorInstructions, "tensor_instructions", "warp instructions", kExecution, kCounted,                           \
      "products of matrices on tensor cores")                                                                          \
    X(kConversionInstructions, "conversion_instructions", "warp instructions", kExecution, kCounted,                   \
      "conversions between types")                                                                                     \
    X(kMoveInstructions, "move_instructions", "warp instructions", kExecution, kCounted,                               \
      "moves, selections and predicates")                                                                              \
    X(kMemoryInstructions, "memory_instructions", "warp instructions", kExecution, kCounted,                           \
      "loads, stores, atomics and async copies")                                                                       \
    X(kControlInstructions, "control_instructions", "warp instructions", kExecution, kCounted,                         \
      "branches, calls, returns and exits")                                                                            \
    X(kSyncInstructions, "sync_instructions", "warp instructions", kExecution, kCounted,                               \
      "barriers, fences, shuffles and votes")                                                                          \
    X(kBranches, "branches", "warp instructions", kExecution, kCounted, "branch instructions executed")                \
    X(kDivergentBranches, "divergent_branches", "warp instructions", kExecution, kCounted,                             \
      "branches whose lanes went different ways")                                                                      \
    X(kBarriers, "barriers", "warp instructions", kExecution, kCounted, "block-wide barrier instructions executed")    \
    X(kGlobalLoadInstructions, "global_load_instructions", "warp instructions", kGlobal, kCounted,                     \
      "loads from global memory")                                                                                      \
    X(kGlobalLoadRequests, "global_load_requests", "requests", kGlobal, kCounted, "global loads with an active lane")  \
    X(kGlobalLoadSectors, "global_load_sectors", "32 B sectors", kGlobal, kCounted,                                    \
      "distinct sectors of those requests")                                                                            \
    X(kGlobalLoadBytesRequested, "global_load_bytes_requested", "bytes", kGlobal, kCounted,                            \
      "bytes that threads asked for")                                                                                  \
    X(kGlobalLoadIdealSectors, "global_load_ideal_sectors", "32 B sectors", kGlobal, kCounted,                         \
      "fewest sectors that hold those bytes")                                                                          \
    X(kGlobalLoadDataSectors, "global_load_data_sectors", "32 B sectors", kGlobal, kCounted,                           \
      "of requests whose index is data that the kernel loaded")                                                        \
    X(kGlobalLoadDataIdealSectors, "global_load_data_ideal_sectors", "32 B sectors", kGlobal, kCounted,                \
      "of these, the fewest that hold their bytes")                                                                    \
    X(kGlobalLoadPartRequests, "global_load_part_requests", "requests", kGlobal, kCounted,                             \
      "for the second and further parts of structures")                                                                \
    X(kGlobalLoadPartSectors, "global_load_part_sectors", "32 B sectors", kGlobal, kCounted,                           \
      "their sectors, which the first part's request has, too")                                                        \
    X(kGlobalStoreInstructions, "global_store_instructions", "warp instructions", kGlobal, kCounted,                   \
      "stores to global memory")                                                                                       \
    X(kGlobalStoreRequests, "global_store_requests", "requests", kGlobal, kCounted,                                    \
      "global stores with an active lane")                                                                             \
    X(kGlobalStoreSectors, "global_store_sectors", "32 B sectors", kGlobal, kCounted,                                  \
      "distinct sectors of those requests")                                                                            \
    X(kGlobalStoreBytesRequested, "global_store_bytes_requested", "bytes", kGlobal, kCounted,                          \
      "bytes that threads wrote")                                                                                      \
    X(kGlobalStoreIdealSectors, "global_store_ideal_sectors", "32 B sectors", kGlobal, kCounted,                       \
      "fewest sectors that hold those bytes")                                                                          \
    X(kGlobalStoreDataSectors, "global_store_data_sectors", "32 B sectors", kGlobal, kCounted,                         \
      "of requests whose index is data that the kernel loaded")                                                        \
    X(kGlobalStoreDataIdealSectors, "global_store_data_ideal_sectors", "32 B sectors", kGlobal, kCounted,              \
      "of these, the fewest that hold their bytes")                                                                    \
    X(kGlobalStorePartRequests, "global_store_part_requests", "requests", kGlobal, kCounted,                           \
      "for the second and further parts of structures")                                                                \
    X(kGlobalStorePartSectors, "global_store_part_sectors", "32 B sectors", kGlobal, kCounted,                         \
      "their sectors, which the first part's request has, too")                                                        \
    X(kGlobalAtomicRequests, "global_atomic_requests", "requests", kGlobal, kCounted,                                  \
      "global atomics that return a value")                                                                            \
    X(kGlobalAtomicSectors, "global_atomic_sectors", "32 B sectors", kGlobal, kCounted, "their sectors")               \
    X(kGlobalReductionRequests, "global_reduction_requests", "requests", kGlobal, kCounted,                            \
      "global atomics without a result")                                                                               \
    X(kGlobalReductionSectors, "global_reduction_sectors", "32 B sectors", kGlobal, kCounted, "their sectors")         \
    X(kGlobalAtomicAddresses, "global_atomic_addresses", "addresses", kGlobal, kCounted,                               \
      "distinct addresses of each of those requests")                                                                  \
    X(kGlobalAtomicBlockAddresses, "global_atomic_block_addresses", "addresses", kGlobal, kCounted,                    \
      "distinct addresses that a block updates by one line, over all blocks")                                          \
    X(kGlobalAtomicThreadOperations, "global_atomic_thread_operations", "thread operations", kGlobal, kCounted,        \
      "atomics and reductions, per thread")                                                                            \
    X(kLocalLoadRequests, "local_load_requests", "requests", kLocal, kMachineCode, "loads from local memory")          \
    X(kLocalLoadSectors, "local_load_sectors", "32 B sectors", kLocal, kMachineCode,                                   \
      "their sectors in the interleaved layout")                                                                       \
    X(kLocalLoadBytesRequested, "local_load_bytes_requested", "bytes", kLocal, kMachineCode,                           \
      "bytes that threads asked for")                                                                                  \
    X(kLocalStoreRequests, "local_store_requests", "requests", kLocal, kMachineCode, "stores to local memory")         \
    X(kLocalStoreSectors, "local_store_sectors", "32 B sectors", kLocal, kMachineCode,                                 \
      "their sectors in the interleaved layout")                                                                       \
    X(kLocalStoreBytesRequested, "local_store_bytes_requested", "bytes", kLocal, kMachineCode,                         \
      "bytes that threads wrote")                                                                                      \
    X(kSharedLoadInstructions, "shared_load_instructions", "warp instructions", kShared, kMachineCode,                 \
      "loads from shared memory")                                                                                      \
    X(kSharedLoadRequests, "shared_load_requests", "requests", kShared, kCounted, "shared loads with an active lane")  \
    X(kSharedLoadWavefronts, "shared_load_wavefronts", "wavefronts", kShared, kCounted, "turns at the banks")          \
    X(kSharedLoadBankConflicts, "shared_load_bank_conflicts", "wavefronts", kShared, kCounted,                         \
      "wavefronts beyond the ideal")                                                                                   \
    X(kSharedLoadBytesRequested, "shared_load_bytes_requested", "bytes", kShared, kCounted,                            \
      "bytes that threads asked for")                                                                                  \
    X(kSharedStoreInstructions, "shared_store_instructions", "warp instructions", kShared, kMachineCode,               \
      "stores to shared memory")                                                                                       \
    X(kSharedStoreRequests, "shared_store_requests", "requests", kShared, kCounted,                                    \
      "shared stores with an active lane")                                                                             \
    X(kSharedStoreWavefronts, "shared_store_wavefronts", "wavefronts", kShared, kCounted, "turns at the banks")        \
    X(kSharedStoreBankConflicts, "shared_store_bank_conflicts", "wavefronts", kShared, kCounted,                       \
      "wavefronts beyond the ideal")                                                                                   \
    X(kSharedStoreBytesRequested, "shared_store_bytes_requested", "bytes", kShared, kCounted,                          \
      "bytes that threads wrote")                                                                                      \
    X(kMatrixLoadRequests, "matrix_load_requests", "requests", kShared, kCounted,                                      \
      "loads of matrices (ldmatrix); their wavefronts, conflicts and bytes are among shared loads'")                   \
    X(kMatrixStoreRequests, "matrix_store_requests", "requests", kShared, kCounted,                                    \
      "stores of matrices (stmatrix); likewise")                                                                       \
    X(kFactorLoadWavefronts, "factor_load_wavefronts", "wavefronts", kShared, kCounted,                                \
      "turns at the banks for what wgmma multiplies, which are not among shared loads'")                               \
    X(kFactorLoadBytes, "factor_load_bytes", "bytes", kShared, kCounted, "of shared memory that wgmma multiplies")     \
    X(kSharedConflictsIfPadded, "shared_bank_conflicts_if_padded", "wavefronts", kShared, kCounted,                    \
      "of the conflicts of loads and stores, left if an unused word followed every 32nd")                              \
    X(kSharedAtomicRequests, "shared_atomic_requests", "requests", kShared, kCounted, "atomics on shared memory")      \
    X(kSharedAtomicBankConflicts, "shared_atomic_bank_conflicts", "wavefronts", kShared, kCounted,                     \
      "wavefronts beyond the ideal")                                                                                   \
    X(kSharedAtomicAddresses, "shared_atomic_addresses", "addresses", kShared, kCounted,                               \
      "distinct addresses of each of those requests")                                                                  \
    X(kSharedAtomicThreadOperations, "shared_atomic_thread_operations", "thread operations", kShared, kCounted,        \
      "per thread")                                                                                                    \
    X(kSharedSwapTries, "shared_swap_tries", "thread operations", kShared, kCounted,                                   \
      "of loops of compare and swap, for atomics without a unit")                                                      \
    X(kConstantRequests, "constant_requests", "requests", kConstant, kCounted,                                         \
      "loads from constant memory by the program")                                                                     \
    X(kConstantPasses, "constant_passes", "passes", kConstant, kCounted, "distinct addresses of those requests")       \
    X(kTextureRequests, "texture_requests", "requests", kL1, kCounted,                                                 \
      "fetches of textures, by four or eight neighbouring threads each")                                               \
    X(kTextureSectors, "texture_sectors", "32 B sectors", kL1, kCounted,                                               \
      "distinct sectors of those requests; an array's is 16 B wide and two rows high")                                 \
    X(kSurfaceLoadRequests, "surface_load_requests", "requests", kL1, kCounted,                                        \
      "reads of surfaces, by eight neighbouring threads each")                                                         \
    X(kSurfaceLoadSectors, "surface_load_sectors", "32 B sectors", kL1, kCounted, "their sectors")                     \
    X(kSurfaceStoreRequests, "surface_store_requests", "requests", kL1, kCounted,                                      \
      "writes and reductions of surfaces, by eight neighbouring threads each")                                         \
    X(kSurfaceStoreSectors, "surface_store_sectors", "32 B sectors", kL1, kCounted, "their sectors")                   \
    X(kAsyncCopyInstructions, "async_copy_instructions", "warp instructions", kCopies, kCounted,                       \
      "cp.async from global to shared")                                                                                \
    X(kFp16Operations, "fp16_operations", "thread operations", kArithmetic, kCounted,                                  \
      "half-precision FLOP, a fused multiply-add is two")                                                              \
    X(kFp32Add, "fp32_add", "thread operations", kArithmetic, kCounted, "single-precision additions and subtractions") \
    X(kFp32Mul, "fp32_mul", "thread operations", kArithmetic, kCounted, "single-precision multiplications")            \
    X(kFp32Fma, "fp32_fma", "thread operations", kArithmetic, kCounted, "single-precision fused multiply-adds")        \
    X(kFp32Special, "fp32_special", "thread operations", kArithmetic, kCounted,                                        \
      "divisions, roots and approximate functions")                                                                    \
    X(kFp32ToFp64, "fp32_to_fp64_conversions", "thread operations", kArithmetic, kCounted,                             \
      "single-precision values made double")                                                                           \
    X(kFp64ToFp32, "fp64_to_fp32_conversions", "thread operations", kArithmetic, kCounted,                             \
      "double-precision values made single")                                                                           \
    X(kFp16ToFp32, "fp16_to_fp32_conversions", "thread operations", kArithmetic, kCounted, "f16 values made single")   \
    X(kBf16ToFp32, "bf16_to_fp32_conversions", "thread operations", kArithmetic, kCounted,                             \
      "bf16 values made single, by an instruction for it (before sm_90 compilers shift bits)")                         \
    X(kFp64Add, "fp64_add", "thread operations", kArithmetic, kCounted, "double-precision additions and subtractions") \
    X(kFp64Mul, "fp64_mul", "thread operations", kArithmetic, kCounted, "double-precision multiplications")            \
    X(kFp64Fma, "fp64_fma", "thread operations", kArithmetic, kCounted, "double-precision fused multiply-adds")        \
    X(kFp64Special, "fp64_special", "thread operations", kArithmetic, kCounted, "divisions and roots")                 \
    X(kByteDotProducts, "byte_dot_products", "thread operations", kArithmetic, kCounted,                               \
      "sums of four products of bytes each (dp4a)")                                                                    \
    X(kTensorFp16Operations, "tensor_fp16_operations", "thread operations", kArithmetic, kCounted,                     \
      "multiplications and additions of tensor cores, of f16, mma.sync's of 8-bit floats among them")                  \
    X(kTensorFp8Operations, "tensor_fp8_operations", "thread operations", kArithmetic, kCounted,                       \
      "multiplications and additions of tensor cores, of 8-bit floats (wgmma)")                                        \
    X(kTensorBf16Operations, "tensor_bf16_operations", "thread operations", kArithmetic, kCounted,                     \
      "multiplications and additions of tensor cores, of bf16")                                                        \
    X(kTensorTf32Operations, "tensor_tf32_operations", "thread operations", kArithmetic, kCounted,                     \
      "multiplications and additions of tensor cores, of tf32")                                                        \
    X(kTensorFp64Operations, "tensor_fp64_operations", "thread operations", kArithmetic, kCounted,                     \
      "multiplications and additions of tensor cores, of doubles")                                                     \
    X(kTensorInt8Operations, "tensor_int8_operations", "thread operations", kArithmetic, kCounted,                     \
      "multiplications and additions of tensor cores, of 8-bit integers, 4-bit ones among them")                       \
    X(kTensorInt1Operations, "tensor_int1_operations", "thread operations", kArithmetic, kCounted,                     \
      "multiplications and additions of tensor cores, of single bits")                                                 \
    X(kGlobalLoadL1HitSectors, "global_load_l1_hit_sectors", "32 B sectors", kL1, kModelled,                           \
      "of global loads, found in L1")                                                                                  \
    X(kLocalLoadL1HitSectors, "local_load_l1_hit_sectors", "32 B sectors", kL1, kModelled,                             \
      "of local loads, found in L1")                                                                                   \
    X(kTextureHitSectors, "texture_hit_sectors", "32 B sectors", kL1, kModelled,                                       \
      "of texture_sectors, those that L1 answered")                                                                    \
    X(kSurfaceLoadHitSectors, "surface_load_hit_sectors", "32 B sectors", kL1, kModelled,                              \
      "of surface_load_sectors, those that L1 answered")                                                               \
    X(kGlobalLoadLines, "global_load_lines", "128 B lines", kL1, kModelled,                                            \
      "distinct lines of global loads' requests")                                                                      \
    X(kGlobalStoreLines, "global_store_lines", "128 B lines", kL1, kModelled,                                          \
      "distinct lines of global stores' requests")                                                                     \
    X(kL2ReadSectors, "l2_read_sectors", "32 B sectors", kL2, kModelled, "that SMs read of L2")                        \
    X(kL2ReadHitSectors, "l2_read_hit_sectors", "32 B sectors", kL2, kModelled,                                        \
      "of those, found in the part that is asked first")                                                               \
    X(kL2WriteSectors, "l2_write_sectors", "32 B sectors", kL2, kModelled, "that SMs write to L2")                     \
    X(kL2FabricSectors, "l2_fabric_sectors", "32 B sectors", kL2, kModelled,                                           \
      "looked up by one part of L2 in the other")                                                                      \
    X(kDramReadBytes, "dram_read_bytes", "bytes", kDram, kModelled, "that L2 reads from DRAM")                         \
    X(kDramWriteBytes, "dram_write_bytes", "bytes", kDram, kModelled, "that L2 writes to DRAM while the kernel runs")  \
    X(kL1MissFirstTouch, "l1_miss_first_touch_sectors", "32 B sectors", kL1, kModelled,                                \
      "of loads, not found in L1: the SM had not had them in this launch")                                             \
    X(kL1MissCapacity, "l1_miss_capacity_sectors", "32 B sectors", kL1, kModelled,                                     \
      "of loads, not found in L1: they had to give way")                                                               \
    X(kL1MissPartWritten, "l1_miss_part_written_sectors", "32 B sectors", kL1, kModelled,                              \
      "of loads, not found in L1: a store of the SM left only some of their bytes")                                    \
    X(kL1MissFence, "l1_miss_fence_sectors", "32 B sectors", kL1, kModelled,                                           \
      "of loads, not found in L1: a fence had emptied it")                                                             \
    X(kL1MissAtomic, "l1_miss_atomic_sectors", "32 B sectors", kL1, kModelled,                                         \
      "of loads, not found in L1: an atomic of the SM had changed their line")                                         \
    X(kL1MissBypass, "l1_miss_bypass_sectors", "32 B sectors", kL1, kModelled, "of loads that go past L1")             \
    X(kL1MergedSectors, "l1_merged_sectors", "32 B sectors", kL1, kModelled,                                           \
      "of loads, not found in L1, that came along with another read of the SM's GPC")                                  \
    X(kL1UnaskedBytes, "l1_unasked_bytes", "bytes", kL1, kModelled,                                                    \
      "of loads' sectors not found in L1, that no lane of the request asked for")                                      \
    X(kL2MissFirstTouch, "l2_miss_first_touch_sectors", "32 B sectors", kL2, kModelled,                                \
      "read and not found: they had not been in L2 in this launch")                                                    \
    X(kL2MissCapacity, "l2_miss_capacity_sectors", "32 B sectors", kL2, kModelled,                                     \
      "read and not found: they had to give way")                                                                      \
    X(kL2MissOtherPart, "l2_miss_other_part_sectors", "32 B sectors", kL2, kModelled,                                  \
      "read and not found in the part asked first: the other one had them")                                            \
    X(kL2MissOutdated, "l2_miss_outdated_sectors", "32 B sectors", kL2, kModelled,                                     \
      "the same, after a store from the other side or an atomic had made the copy old")                                \
    X(kL2MissPartWritten, "l2_miss_part_written_sectors", "32 B sectors", kL2, kModelled,                              \
      "read and found in part: the other bytes had to be fetched")                                                     \
    X(kDramUnaskedBytes, "dram_unasked_bytes", "bytes", kDram, kModelled,                                              \
      "of dram_read_bytes, that nobody asked for while L2 had them")                                                   \
    X(kConstantL1Hits, "constant_l1_hits", "lookups", kConstant, kModelled,                                            \
      "distinct addresses of indexed constant loads, found in the SM's constant cache")                                \
    X(kConstantL1Misses, "constant_l1_misses", "lookups", kConstant, kModelled, "of these, not found there")           \
    X(kConstantSecondHits, "constant_second_hits", "lookups", kConstant, kModelled,                                    \
      "of constant_l1_misses, found in the GPC's cache")                                                               \
    X(kConstantSecondMisses, "constant_second_misses", "lookups", kConstant, kModelled,                                \
      "of constant_l1_misses, not found there either")                                                                 \
    X(kConstantL2Sectors, "constant_l2_sectors", "32 B sectors", kConstant, kModelled,                                 \
      "that constant caches read of L2; not among l2_read_sectors")

enum class Counter : std::uint8_t {
#define TILESCOPE_COUNTER_ENUM(id, name, unit, group, source, text) id,
    TILESCOPE_COUNTERS(TILESCOPE_COUNTER_ENUM)
#undef TILESCOPE_COUNTER_ENUM
        kCount
};

inline constexpr std::size_t kCounterCount = static_cast<std::size_t>(Counter::kCount);

// Row of one counter.
struct CounterInfo {
    std::string_view name, unit, description;
    CounterGroup group;
    CounterSource source;
};
inline constexpr std::array<CounterInfo, kCounterCount> kCounterInfo = {{
#define TILESCOPE_COUNTER_INFO(id, name, unit, group, source, text) \
    {name, unit, text, CounterGroup::group, CounterSource::source},
    TILESCOPE_COUNTERS(TILESCOPE_COUNTER_INFO)
#undef TILESCOPE_COUNTER_INFO
}};
inline constexpr const CounterInfo& info(Counter counter) { return kCounterInfo[static_cast<std::size_t>(counter)]; }

inline constexpr bool is_modelled(Counter counter) { return info(counter).source == CounterSource::kModelled; }

// So much for one of the counters.
struct CounterAmount {
    Counter counter = Counter::kCount;  // kCount: none
    std::uint32_t amount = 1;
};
// What one execution of something adds up to; entries that are not needed come last.
using CounterAmounts = std::array<CounterAmount, 4>;

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
