// The finite sets of a profile: enumerations, each with the one table of its names in JSON.
//
// Guarantees: every value has one name and every name one value; tables are in the order of their values. A value that
// means "none" is named "" and stands first. Does not model: what is open, such as the names of variables, or the types
// of arithmetic that a roofline mixes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scope/base/diagnostic.h"
#include "scope/report/work.h"

namespace tilescope {

enum class RegistersFrom : std::uint8_t { kCubin, kPtxas, kEstimate };

// Whose lines a launch's lines are: the source's, or the PTX's where that names none of a source.
enum class LinesFrom : std::uint8_t { kSource, kPtx };

// How the run ended, beside the program's own status.
enum class Outcome : std::uint8_t {
    kOk,
    kFault,        // a kernel faulted: exit status 3
    kUnsupported,  // a kernel needed something that is not there: exit status 3
    kLimit,        // --max-instructions, --memory-limit or --time-limit: exit status 6
    kNotRun,       // wrong usage, unreadable input, an error of the compiler: exit status 2
};

// How a process of the program came to be.
enum class ProcessBegin : std::uint8_t {
    kStarted,
    kForked,    // it runs what its parent ran
    kReplaced,  // what the process before it in the list ran became this program (exec)
};

// What became of a budget.
enum class BudgetVerdict : std::uint8_t {
    kKept,
    kBroken,
    kNoValue,   // a launch lacks a value that decides it
    kNoLaunch,  // no launch that was counted is of its kernel
};

// What a kernel did wrong: findings of --check, and faults that ended it.
enum class HazardKind : std::uint8_t {
    kTrap,  // also what is no other of these
    kRace,
    kOutOfBounds,
    kMisaligned,
    kUninitialized,
    kDivergentBarrier,
    kUseAfterFree,
    kInvalidFree,
    kLeak,
    kStreamRace,
    kStackOverflow,
    kDeadlock,
    kIllegalInstruction,
    kAssert,
    kLimit,
    kStaleRead,        // by the read-only path, of memory that the same launch writes
    kOverlappingCopy,  // source and target of a copy share bytes
};
enum class HazardSpace : std::uint8_t { kNone, kGlobal, kShared, kLocal, kConstant, kParam };
// Of the two accesses of a race.
enum class RaceOrder : std::uint8_t {
    kNone,
    kReadAfterWrite,
    kWriteAfterRead,
    kWriteAfterWrite,
    kPlainAgainstAtomic,  // one of them is atomic, the other is not
    kScopeTooSmall,       // both are atomic or strong, but not for each other's threads
};
// What --check looks for. As a bit of SessionOptions::checks.
enum class Check : std::uint8_t { kMemory, kLeaks, kRaces, kBarriers, kInit, kStreams };
inline constexpr std::uint32_t bit_of(Check check) { return 1u << static_cast<unsigned>(check); }

// Where a variable of a kernel lies, who sees one version of it, and how long it is there.
enum class VariableSpace : std::uint8_t { kRegister, kLocal, kShared, kConstant, kGlobal, kManaged, kTexture };
enum class VariableScope : std::uint8_t { kThread, kBlock, kGrid };
enum class VariableLifetime : std::uint8_t { kGrid, kApplication };

// What an SM has only so much of, and what therefore bounds the blocks that it holds.
enum class SmResource : std::uint8_t {
    kThreads,
    kBlocks,
    kRegisters,
    kShared,
    kBarriers,
    kCarveout,  // bytes of shared memory that the SM sets aside
};

// What lines that caches moved belong to: an allocation or a variable, the threads' local memory, or what kernels took
// by malloc.
enum class BufferKind : std::uint8_t { kAllocation, kLocal, kHeap };

// Whether spills went through the model of the caches: not at all, about as often as they run, or exactly so.
enum class SpillsInCaches : std::uint8_t { kNone, kEstimate, kExact };

// Whose bytes a point of a roofline counts, and the slopes that there are. What threads ask for runs into DRAM's.
enum class TrafficLevel : std::uint8_t { kRequested, kL1, kL2, kDram, kShared };
enum class MemoryLevel : std::uint8_t { kDram, kL2, kL1, kShared };

// What a finding worth acting on is about; the rule that found it has its name.
enum class AdviceKind : std::uint8_t {
    kCoalesce,
    kAlignment,
    kHalfLines,
    kTile,
    kRegister,
    kPad,
    kAtomics,
    kSharedAtomics,
    kFp64,
    kLocal,
    kSpills,
    kConstant,
    kOccupancy,
    kDivergence,
    kPartialWarps,
    kGrid,
    kInFlight,
    kImbalance,
    kNoReuse,
    kBarriers,
    kTexture,
    kSwizzle,
    kTensor,
    kCopies,       // of the program
    kSmallLaunch,  // likewise
};

// Which way a copy goes, and what kind of memory its host side is.
enum class CopyDirection : std::uint8_t { kHtoD, kDtoH, kDtoD, kHtoH };
enum class HostMemory : std::uint8_t { kNone, kPageable, kPinned, kManaged };

// What a stretch of the time line is, and who was busy with it.
enum class SpanKind : std::uint8_t {
    kKernel,
    kCopy,
    kSet,       // cudaMemset
    kPrefetch,  // pages of managed memory, moved by cudaMemPrefetchAsync
    kWait,      // the host waits for the device
};
enum class SpanLane : std::uint8_t { kHost, kCompute, kToDevice, kToHost };

// What is wrong with how managed memory moves.
enum class PageTrouble : std::uint8_t {
    kNone,
    kFaults,    // it comes to the device by faults, which a prefetch would save
    kPingPong,  // host and kernels take it from each other
    kThrash,    // the device has no room for what is touched
};

// Of a phase table (phase_table.h).
enum class PhaseSpace : std::uint8_t { kGlobal, kShared, kConstant };
enum class StatementKind : std::uint8_t { kLoad, kCopy, kFill, kStore, kCompute, kAtomic, kOther };
// Of an access's requests, by what they take.
enum class PictureOf : std::uint8_t { kBest, kTypical, kWorst };
// Of a picture of texels: where they lie. Sectors of arrays are 16 bytes wide and two rows high, others 32 bytes long.
enum class TexelMemory : std::uint8_t { kNone, kArray, kSurface, kRows };
enum class ColumnKind : std::uint8_t { kLoad, kCompute, kStore, kAtomic, kOther };

}  // namespace tilescope

namespace tilescope::report {

template <class Enum>
struct Named {
    Enum value;
    std::string_view name;
};

template <class Enum, std::size_t kCount>
using NameTable = std::array<Named<Enum>, kCount>;

template <class Enum>
inline constexpr auto kNames = nullptr;
template <>
inline constexpr NameTable<RegistersFrom, 3> kNames<RegistersFrom> = {
    {{RegistersFrom::kCubin, "cubin"}, {RegistersFrom::kPtxas, "ptxas"}, {RegistersFrom::kEstimate, "estimate"}}};
template <>
inline constexpr NameTable<LinesFrom, 2> kNames<LinesFrom> = {
    {{LinesFrom::kSource, "source"}, {LinesFrom::kPtx, "ptx"}}};
template <>
inline constexpr NameTable<Outcome, 5> kNames<Outcome> = {{{Outcome::kOk, "ok"},
                                                           {Outcome::kFault, "fault"},
                                                           {Outcome::kUnsupported, "unsupported"},
                                                           {Outcome::kLimit, "limit"},
                                                           {Outcome::kNotRun, "not-run"}}};
template <>
inline constexpr NameTable<ProcessBegin, 3> kNames<ProcessBegin> = {
    {{ProcessBegin::kStarted, "started"}, {ProcessBegin::kForked, "forked"}, {ProcessBegin::kReplaced, "replaced"}}};
template <>
inline constexpr NameTable<BudgetVerdict, 4> kNames<BudgetVerdict> = {{{BudgetVerdict::kKept, "kept"},
                                                                       {BudgetVerdict::kBroken, "broken"},
                                                                       {BudgetVerdict::kNoValue, "no-value"},
                                                                       {BudgetVerdict::kNoLaunch, "no-launch"}}};
template <>
inline constexpr NameTable<Severity, 3> kNames<Severity> = {
    {{Severity::kNote, "note"}, {Severity::kWarning, "warning"}, {Severity::kError, "error"}}};
template <>
inline constexpr NameTable<HazardKind, 17> kNames<HazardKind> = {
    {{HazardKind::kTrap, "trap"},
     {HazardKind::kRace, "race"},
     {HazardKind::kOutOfBounds, "out-of-bounds"},
     {HazardKind::kMisaligned, "misaligned"},
     {HazardKind::kUninitialized, "uninitialized"},
     {HazardKind::kDivergentBarrier, "divergent-barrier"},
     {HazardKind::kUseAfterFree, "use-after-free"},
     {HazardKind::kInvalidFree, "invalid-free"},
     {HazardKind::kLeak, "leak"},
     {HazardKind::kStreamRace, "stream-race"},
     {HazardKind::kStackOverflow, "stack-overflow"},
     {HazardKind::kDeadlock, "deadlock"},
     {HazardKind::kIllegalInstruction, "illegal-instruction"},
     {HazardKind::kAssert, "assert"},
     {HazardKind::kLimit, "limit"},
     {HazardKind::kStaleRead, "stale-read"},
     {HazardKind::kOverlappingCopy, "overlapping-copy"}}};
template <>
inline constexpr NameTable<CopyDirection, 4> kNames<CopyDirection> = {{{CopyDirection::kHtoD, "HtoD"},
                                                                       {CopyDirection::kDtoH, "DtoH"},
                                                                       {CopyDirection::kDtoD, "DtoD"},
                                                                       {CopyDirection::kHtoH, "HtoH"}}};
template <>
inline constexpr NameTable<HostMemory, 4> kNames<HostMemory> = {{{HostMemory::kNone, ""},
                                                                 {HostMemory::kPageable, "pageable"},
                                                                 {HostMemory::kPinned, "pinned"},
                                                                 {HostMemory::kManaged, "managed"}}};
template <>
inline constexpr NameTable<PageTrouble, 4> kNames<PageTrouble> = {{{PageTrouble::kNone, ""},
                                                                   {PageTrouble::kFaults, "faults"},
                                                                   {PageTrouble::kPingPong, "ping-pong"},
                                                                   {PageTrouble::kThrash, "thrash"}}};
template <>
inline constexpr NameTable<SpanKind, 5> kNames<SpanKind> = {{{SpanKind::kKernel, "kernel"},
                                                             {SpanKind::kCopy, "copy"},
                                                             {SpanKind::kSet, "set"},
                                                             {SpanKind::kPrefetch, "prefetch"},
                                                             {SpanKind::kWait, "wait"}}};
template <>
inline constexpr NameTable<SpanLane, 4> kNames<SpanLane> = {{{SpanLane::kHost, "host"},
                                                             {SpanLane::kCompute, "compute"},
                                                             {SpanLane::kToDevice, "HtoD"},
                                                             {SpanLane::kToHost, "DtoH"}}};
template <>
inline constexpr NameTable<HazardSpace, 6> kNames<HazardSpace> = {{{HazardSpace::kNone, ""},
                                                                   {HazardSpace::kGlobal, "global"},
                                                                   {HazardSpace::kShared, "shared"},
                                                                   {HazardSpace::kLocal, "local"},
                                                                   {HazardSpace::kConstant, "constant"},
                                                                   {HazardSpace::kParam, "param"}}};
template <>
inline constexpr NameTable<RaceOrder, 6> kNames<RaceOrder> = {{{RaceOrder::kNone, ""},
                                                               {RaceOrder::kReadAfterWrite, "read-after-write"},
                                                               {RaceOrder::kWriteAfterRead, "write-after-read"},
                                                               {RaceOrder::kWriteAfterWrite, "write-after-write"},
                                                               {RaceOrder::kPlainAgainstAtomic, "plain-against-atomic"},
                                                               {RaceOrder::kScopeTooSmall, "scope-too-small"}}};
template <>
inline constexpr NameTable<Check, 6> kNames<Check> = {{{Check::kMemory, "memory"},
                                                       {Check::kLeaks, "leaks"},
                                                       {Check::kRaces, "races"},
                                                       {Check::kBarriers, "barriers"},
                                                       {Check::kInit, "init"},
                                                       {Check::kStreams, "streams"}}};
template <>
inline constexpr NameTable<VariableSpace, 7> kNames<VariableSpace> = {{{VariableSpace::kRegister, "register"},
                                                                       {VariableSpace::kLocal, "local"},
                                                                       {VariableSpace::kShared, "shared"},
                                                                       {VariableSpace::kConstant, "constant"},
                                                                       {VariableSpace::kGlobal, "global"},
                                                                       {VariableSpace::kManaged, "managed"},
                                                                       {VariableSpace::kTexture, "texture"}}};
template <>
inline constexpr NameTable<VariableScope, 3> kNames<VariableScope> = {
    {{VariableScope::kThread, "thread"}, {VariableScope::kBlock, "block"}, {VariableScope::kGrid, "grid"}}};
template <>
inline constexpr NameTable<VariableLifetime, 2> kNames<VariableLifetime> = {
    {{VariableLifetime::kGrid, "grid"}, {VariableLifetime::kApplication, "application"}}};
template <>
inline constexpr NameTable<SmResource, 6> kNames<SmResource> = {{{SmResource::kThreads, "threads"},
                                                                 {SmResource::kBlocks, "blocks"},
                                                                 {SmResource::kRegisters, "registers"},
                                                                 {SmResource::kShared, "shared"},
                                                                 {SmResource::kBarriers, "barriers"},
                                                                 {SmResource::kCarveout, "carveout"}}};
template <>
inline constexpr NameTable<SpillsInCaches, 3> kNames<SpillsInCaches> = {
    {{SpillsInCaches::kNone, "none"}, {SpillsInCaches::kEstimate, "estimate"}, {SpillsInCaches::kExact, "exact"}}};
template <>
inline constexpr NameTable<BufferKind, 3> kNames<BufferKind> = {
    {{BufferKind::kAllocation, "allocation"}, {BufferKind::kLocal, "local"}, {BufferKind::kHeap, "heap"}}};
template <>
inline constexpr NameTable<PhaseSpace, 3> kNames<PhaseSpace> = {
    {{PhaseSpace::kGlobal, "global"}, {PhaseSpace::kShared, "shared"}, {PhaseSpace::kConstant, "constant"}}};
template <>
inline constexpr NameTable<StatementKind, 7> kNames<StatementKind> = {{{StatementKind::kLoad, "load"},
                                                                       {StatementKind::kCopy, "copy"},
                                                                       {StatementKind::kFill, "fill"},
                                                                       {StatementKind::kStore, "store"},
                                                                       {StatementKind::kCompute, "compute"},
                                                                       {StatementKind::kAtomic, "atomic"},
                                                                       {StatementKind::kOther, "other"}}};
template <>
inline constexpr NameTable<PictureOf, 3> kNames<PictureOf> = {
    {{PictureOf::kBest, "best"}, {PictureOf::kTypical, "typical"}, {PictureOf::kWorst, "worst"}}};
template <>
inline constexpr NameTable<ColumnKind, 5> kNames<ColumnKind> = {{{ColumnKind::kLoad, "load"},
                                                                 {ColumnKind::kCompute, "compute"},
                                                                 {ColumnKind::kStore, "store"},
                                                                 {ColumnKind::kAtomic, "atomic"},
                                                                 {ColumnKind::kOther, "other"}}};

template <>
inline constexpr NameTable<TrafficLevel, 5> kNames<TrafficLevel> = {{{TrafficLevel::kRequested, "requested"},
                                                                     {TrafficLevel::kL1, "l1"},
                                                                     {TrafficLevel::kL2, "l2"},
                                                                     {TrafficLevel::kDram, "dram"},
                                                                     {TrafficLevel::kShared, "shared"}}};
template <>
inline constexpr NameTable<MemoryLevel, 4> kNames<MemoryLevel> = {{{MemoryLevel::kDram, "dram"},
                                                                   {MemoryLevel::kL2, "l2"},
                                                                   {MemoryLevel::kL1, "l1"},
                                                                   {MemoryLevel::kShared, "shared"}}};
template <>
inline constexpr NameTable<TimeBound, kTimeBounds> kNames<TimeBound> = [] {
    NameTable<TimeBound, kTimeBounds> names{};
    for (std::size_t i = 0; i < kTimeBounds; ++i) names[i] = {kTimeRows[i].bound, kTimeRows[i].name};
    return names;
}();
template <>
inline constexpr NameTable<BoundKind, 5> kNames<BoundKind> = {{{BoundKind::kMemory, "memory"},
                                                               {BoundKind::kCompute, "compute"},
                                                               {BoundKind::kLatency, "latency"},
                                                               {BoundKind::kLaunch, "launch"},
                                                               {BoundKind::kImbalance, "imbalance"}}};
template <>
inline constexpr NameTable<AdviceKind, 25> kNames<AdviceKind> = {{{AdviceKind::kCoalesce, "coalesce"},
                                                                  {AdviceKind::kAlignment, "alignment"},
                                                                  {AdviceKind::kHalfLines, "half-lines"},
                                                                  {AdviceKind::kTile, "tile"},
                                                                  {AdviceKind::kRegister, "register"},
                                                                  {AdviceKind::kPad, "pad"},
                                                                  {AdviceKind::kAtomics, "atomics"},
                                                                  {AdviceKind::kSharedAtomics, "shared-atomics"},
                                                                  {AdviceKind::kFp64, "fp64"},
                                                                  {AdviceKind::kLocal, "local"},
                                                                  {AdviceKind::kSpills, "spills"},
                                                                  {AdviceKind::kConstant, "constant"},
                                                                  {AdviceKind::kOccupancy, "occupancy"},
                                                                  {AdviceKind::kDivergence, "divergence"},
                                                                  {AdviceKind::kPartialWarps, "partial-warps"},
                                                                  {AdviceKind::kGrid, "grid"},
                                                                  {AdviceKind::kInFlight, "in-flight"},
                                                                  {AdviceKind::kImbalance, "imbalance"},
                                                                  {AdviceKind::kNoReuse, "no-reuse"},
                                                                  {AdviceKind::kBarriers, "barriers"},
                                                                  {AdviceKind::kTexture, "texture"},
                                                                  {AdviceKind::kSwizzle, "swizzle"},
                                                                  {AdviceKind::kTensor, "tensor"},
                                                                  {AdviceKind::kCopies, "copies"},
                                                                  {AdviceKind::kSmallLaunch, "small-launch"}}};

template <>
inline constexpr NameTable<TexelMemory, 4> kNames<TexelMemory> = {{{TexelMemory::kNone, ""},
                                                                   {TexelMemory::kArray, "array"},
                                                                   {TexelMemory::kSurface, "surface"},
                                                                   {TexelMemory::kRows, "rows"}}};

// The first name for a value that has none.
template <class Enum>
constexpr std::string_view name_of(Enum value) {
    for (const auto& row : kNames<Enum>)
        if (row.value == value) return row.name;
    return kNames<Enum>[0].name;
}

template <class Enum>
constexpr std::optional<Enum> by_name(std::string_view name) {
    for (const auto& row : kNames<Enum>)
        if (row.name == name) return row.value;
    return std::nullopt;
}

// All names, each between a pair of `quote`, with a comma between them: "a", "b"; no name is the word "empty".
template <class Enum>
std::string all_names(const char* quote) {
    std::string names;
    for (const auto& row : kNames<Enum>)
        names += (names.empty() ? "" : ", ") +
                 (row.name.empty() ? std::string("empty") : quote + std::string(row.name) + quote);
    return names;
}

}  // namespace tilescope::report
