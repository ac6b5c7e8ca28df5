// Advice: a rule, a place, what it is worth, and the facts that it goes by.
//
// Owns: Advice and its facts. Guarantees: values only; the message follows from the facts alone
// (views/words/advice.h). Does not model: when a rule speaks (models/advice.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/report/enums.h"
#include "scope/report/figures.h"

namespace tilescope {

// What a rule tells apart, where it has more than one thing to say.
enum class AdviceVariant : std::uint8_t {
    kNone,
    kLoads,             // coalesce, pad: it is loads for the most part
    kStores,            // ... or stores
    kSplitByCompiler,   // alignment: the structure is aligned, and the compiler split its copy
    kWideLoads,         // in-flight: a load brings 16 bytes already
    kOneAddress,        // tile: all lanes of a warp want the same bytes
    kMeetInBlocks,      // atomics: threads of a block meet at an address
    kMeetInWarps,       // ... lanes of a warp do
    kMeetInShared,      // ... at an address of shared memory
    kMeetInLoops,       // ... that has no unit for it: each try is a loop
    kScattered,         // local: lanes ask for different elements at once
    kAsIfOnce,          // spills: counted as if each ran once
    kFewerRegisters,    // occupancy: what lets more warps in
    kFewerSharedBytes,  // ... bytes of a block
    kOtherBlockSize,    // ... threads of a block
    kHardlyAny,         // no-reuse: hardly any byte, rather than none
    kAlike,             // register: all threads keep the same elements
    kFromShared,        // register: it is shared memory that is asked for each product
    kLastWave,          // imbalance: all warps do the same work, and some SMs get a block more than others
    kPageable,          // copies: they go through a buffer of the driver's
    kRepeated,          // copies: they bring what is there already
    kPlainLoad,         // texture: a load does as well
    kIntoArray,         // texture: what lies in rows would better lie in tiles
    kFilteredByUnit,    // texture: four fetches that the unit would filter
    kAsTf32,            // tensor: of fp32, whose factors would keep 10 bits
    kAsF64,             // ... of fp64, as it is
    kAsHalves,          // ... of f16 or bf16, by arithmetic of 16 bits
    kAsF16,             // ... of f16 that is made float for each multiply-add
    kAsBf16,            // ... likewise of bf16
    kAsInt8,            // ... of bytes, four at a time (dp4a)
};

// What a rule counted. A new one is a value here and a row below.
enum class AdviceFigure : std::uint8_t {
    kActual,
    kIdeal,
    kTimes,
    kOperations,
    kTurns,
    kWidened,
    kNarrowed,
    kFlop,
    kRateRatio,
    kRowElements,
    kSpilledBytes,
    kWarps,
    kMaxWarps,
    kWarpsThen,
    kChange,
    kChangeOf,
    kActiveShare,
    kBranches,
    kThreads,
    kLanes,
    kWarpSize,
    kBlocks,
    kSms,
    kBarriers,
    kFullBlocks,
    kFullBytes,
    kFullMicroseconds,
    kStructureBytes,
    kSplitLoads,
    kSplitStores,
    kBytes,
    kWantedBytes,
    kMicroseconds,
    kLongest,
    kAverage,
    kLaunches,
    kShare,
    kRowBytes,
    kConflicts,
    kRowsToRepeat,
    kRows,
    kColumns,
    kDepth,
};
using AdviceFigures = FigureSet<AdviceFigure>;

// A buffer that a block asks for again and again.
struct AskedBuffer {
    std::optional<std::uint32_t> parameter;  // as of a BufferReuse
    std::string name;                        // likewise
    double times = 0;                        // that each byte of it is asked for
    bool operator==(const AskedBuffer&) const = default;
};

struct AdviceFacts {
    AdviceVariant variant = AdviceVariant::kNone;
    AdviceFigures figures;
    std::string variable;                // of the kernel; empty: none, or nobody knows which
    std::vector<std::uint64_t> extents;  // of that variable, as its source declares it
    // Those to name, the most rewarding first; none where all of the launch's are alike.
    std::vector<AskedBuffer> buffers;
    std::uint64_t more_buffers = 0;    // that are not named
    std::vector<std::uint32_t> lines;  // of the same file, beside the advice's own
    std::string kernel;                // that it is about, where that is not the launch's own
    std::vector<SmResource> limiters;  // of the blocks that an SM holds
    // A rule has figures always.
    bool empty() const { return figures.empty(); }
    bool operator==(const AdviceFacts&) const = default;
};

// A finding worth acting on, from counts alone.
struct Advice {
    AdviceKind rule = AdviceKind::kCoalesce;
    std::string file;
    std::uint32_t line = 0;  // 0: the kernel as a whole
    std::uint64_t saves_bytes =
        0;  // that would not move between SMs and L2; that lanes would not ask for, without caches
    // Of the whole launch, or program: its modelled time over what would be left of it; where no time is modelled, of
    // the least times at the device's peak rates.
    double speedup = 1;
    std::string message{};  // the facts in words, once they are spoken; kept of a profile that was read
    std::optional<double> saves_microseconds{};  // of that time: modelled
    AdviceFacts facts{};
    bool operator==(const Advice&) const = default;
};

}  // namespace tilescope

namespace tilescope::report {

template <>
inline constexpr NameTable<AdviceVariant, 30> kNames<AdviceVariant> = {
    {{AdviceVariant::kNone, ""},
     {AdviceVariant::kLoads, "loads"},
     {AdviceVariant::kStores, "stores"},
     {AdviceVariant::kSplitByCompiler, "split-by-compiler"},
     {AdviceVariant::kWideLoads, "wide-loads"},
     {AdviceVariant::kOneAddress, "one-address"},
     {AdviceVariant::kMeetInBlocks, "meet-in-blocks"},
     {AdviceVariant::kMeetInWarps, "meet-in-warps"},
     {AdviceVariant::kMeetInShared, "meet-in-shared"},
     {AdviceVariant::kMeetInLoops, "meet-in-loops"},
     {AdviceVariant::kScattered, "scattered"},
     {AdviceVariant::kAsIfOnce, "as-if-once"},
     {AdviceVariant::kFewerRegisters, "fewer-registers"},
     {AdviceVariant::kFewerSharedBytes, "fewer-shared-bytes"},
     {AdviceVariant::kOtherBlockSize, "other-block-size"},
     {AdviceVariant::kHardlyAny, "hardly-any"},
     {AdviceVariant::kAlike, "alike"},
     {AdviceVariant::kFromShared, "from-shared"},
     {AdviceVariant::kLastWave, "last-wave"},
     {AdviceVariant::kPageable, "pageable"},
     {AdviceVariant::kRepeated, "repeated"},
     {AdviceVariant::kPlainLoad, "plain-load"},
     {AdviceVariant::kIntoArray, "into-array"},
     {AdviceVariant::kFilteredByUnit, "filtered-by-unit"},
     {AdviceVariant::kAsTf32, "as-tf32"},
     {AdviceVariant::kAsF64, "as-f64"},
     {AdviceVariant::kAsHalves, "as-halves"},
     {AdviceVariant::kAsF16, "as-f16"},
     {AdviceVariant::kAsBf16, "as-bf16"},
     {AdviceVariant::kAsInt8, "as-int8"}}};

template <>
inline constexpr std::array<FigureRow<AdviceFigure>, 43> kFigureRows<AdviceFigure> = {{
    {AdviceFigure::kActual, "actual", "a request",
     "sectors, wavefronts, passes, turns or addresses that a request takes"},
    {AdviceFigure::kIdeal, "ideal", "a request", "of these, those that would do"},
    {AdviceFigure::kTimes, "times", "times", "that a byte or an element is asked for, or an address is added to"},
    {AdviceFigure::kOperations, "operations", "operations", "atomics, once for each thread"},
    {AdviceFigure::kTurns, "turns", "turns", "that these take at L2"},
    {AdviceFigure::kWidened, "widened", "floats", "that become double"},
    {AdviceFigure::kNarrowed, "narrowed", "doubles", "that become float again"},
    {AdviceFigure::kFlop, "flop", "FLOP", "of fp64 in between"},
    {AdviceFigure::kRateRatio, "rate_ratio", "times", "that the device computes one type as fast as the other"},
    {AdviceFigure::kRowElements, "row_elements", "elements", "of the variable in a row of banks"},
    {AdviceFigure::kSpilledBytes, "spilled_bytes", "bytes", "of each thread that the compiler spills"},
    {AdviceFigure::kWarps, "warps", "warps", "that an SM holds"},
    {AdviceFigure::kMaxWarps, "max_warps", "warps", "that an SM can hold"},
    {AdviceFigure::kWarpsThen, "warps_then", "warps", "that an SM would hold after the change"},
    {AdviceFigure::kChange, "change", "of the resource", "that lets more warps in; less where negative"},
    {AdviceFigure::kChangeOf, "change_of", "of the resource", "that there is now"},
    {AdviceFigure::kActiveShare, "active_share", "share", "of the lanes that are active"},
    {AdviceFigure::kBranches, "branches", "branches", "that sent lanes of a warp different ways"},
    {AdviceFigure::kThreads, "threads", "threads", "of a block"},
    {AdviceFigure::kLanes, "lanes", "lanes", "of a block's warps"},
    {AdviceFigure::kWarpSize, "warp_size", "threads", "of a warp"},
    {AdviceFigure::kBlocks, "blocks", "blocks", "of the grid"},
    {AdviceFigure::kSms, "sms", "SMs", "of the device"},
    {AdviceFigure::kBarriers, "barriers", "times", "that warps wait at a barrier"},
    {AdviceFigure::kFullBlocks, "full_blocks", "blocks",
     "that fill the device; there where the launch is too small to show the saving"},
    {AdviceFigure::kFullBytes, "full_bytes", "bytes", "that so many would save"},
    {AdviceFigure::kFullMicroseconds, "full_microseconds", "us", "modelled: likewise"},
    {AdviceFigure::kStructureBytes, "structure_bytes", "bytes", "of a structure whose parts are asked for one by one"},
    {AdviceFigure::kSplitLoads, "split_loads", "loads", "that the compiler made of one access; 0: it split none"},
    {AdviceFigure::kSplitStores, "split_stores", "stores", "likewise"},
    {AdviceFigure::kBytes, "bytes", "bytes", "that are under way on an SM, or that copies move"},
    {AdviceFigure::kWantedBytes, "wanted_bytes", "bytes", "that would keep DRAM busy"},
    {AdviceFigure::kMicroseconds, "microseconds", "us", "modelled: of the copies, or of the launches"},
    {AdviceFigure::kLongest, "longest", "us", "modelled: of the longest block or warp"},
    {AdviceFigure::kAverage, "average", "us", "modelled: of the average one"},
    {AdviceFigure::kLaunches, "launches", "launches", "one after the other"},
    {AdviceFigure::kShare, "share", "share", "of the program's time"},
    {AdviceFigure::kRowBytes, "row_bytes", "bytes", "from one row of a matrix to the next, in shared memory"},
    {AdviceFigure::kConflicts, "conflicts", "wavefronts", "beyond the ideal"},
    {AdviceFigure::kRowsToRepeat, "rows_to_repeat", "rows", "until one begins in the bank of the first"},
    {AdviceFigure::kRows, "rows", "rows", "of a product"},
    {AdviceFigure::kColumns, "columns", "columns", "of it"},
    {AdviceFigure::kDepth, "depth", "elements", "that are multiplied for each of its elements"},
}};

}  // namespace tilescope::report
