// The finite sets of a hazard's facts, as enums.h has those of all else.
#pragma once

#include "scope/report/enums.h"

namespace tilescope {

// What was concluded. Each has its sentence in views/words.
enum class HazardCase : std::uint8_t {
    kNone,  // the message came as it is: of a fault, which the machine describes, and of a call that was refused
    kRace,
    kUndefinedUse,     // an undefined value decides something
    kLeavesVariable,   // an access leaves the variable or the allocation that its address counts from
    kLeavesRows,       // an access lies behind the last row of a buffer whose shape was given
    kBetweenRows,      // or in the padding between two rows
    kCrossesRow,       // or in the row beside that of the thread beside it
    kTwoBarriers,      // threads of a block wait at two barriers of one number
    kEndedBefore,      // a barrier passes without threads that have ended
    kCrowdedBarrier,   // more threads come to a barrier than it is for
    kUnnamedLane,      // a lane is not in its own member mask
    kMissingLanes,     // lanes of a member mask ended elsewhere
    kEndedLanes,       // lanes had ended before an instruction that wants the whole warp
    kNoProxyFence,     // wgmma multiplies what was written, and no fence between proxies was passed since
    kProductUnderWay,  // memory is written that wgmma may still read
    kUnfencedProduct,  // a warp's first wgmma has no wgmma.fence before it
    kPartialGroup,     // the warps of a warpgroup run wgmma at different places
    kEarlyRead,        // sums of wgmma are read before a wait
    kAbsentSource,     // a shuffle reads from a lane that takes no part
    kLuckyBarrier,     // a barrier in a condition that this size happens to make the same for all threads of a block
    kIndexWraps,       // a 32-bit index that this grid takes past 32 bits
    kExactFit,         // an access that nothing guards, of a grid that ends where the buffer does
    kStreamRace,
    kEarlyLaunch,   // a kernel that may begin before the end of the one before it does not wait
    kHostRace,      // the host touches what work that it has not waited for may still use
    kPageableCopy,  // an asynchronous copy that has to wait
    kHostReadsUnwritten,
    kHostReadsPartly,
    kHostReadsUndefined,
    kLeak,
    kHeapLeak,
    kStaleRead,        // a read by the read-only path of memory that the launch writes
    kDeadFrame,        // an access to the local memory of a function that has returned
    kNoAcquire,        // a plain read of what an atomic without a fence behind it announced
    kOverlappingCopy,  // source and target of a copy share bytes
    kSkippedField,     // the host reads a field that nearly every other thread wrote in its element
};

// What was done at one end of a hazard.
enum class Deed : std::uint8_t {
    kNone,
    kRead,
    kWrite,
    kAtomic,
    kStrongRead,   // volatile, relaxed, acquire
    kStrongWrite,  // volatile, relaxed, release
    kAsyncCopy,    // the write of cp.async
    kBarrier,
    // Uses of undefined values.
    kBranchOn,
    kAddressFrom,
    kGuardedBy,
    kMeetBy,
    kCallTo,
};

// Whose deed it is: a kernel's thread, or a whole piece of work on a stream, or the host.
enum class Doer : std::uint8_t { kThread, kKernel, kCopy, kSet, kAllocation, kRelease, kHost };

// How memory is named where it has a name.
enum class MemoryNaming : std::uint8_t {
    kNone,
    kVariable,     // of the kernel or its module, or the parameter that points there, by its name in the source
    kElement,      // one of an array that the compiler took apart
    kSomeElement,  // likewise, but which is not known
    kArgument,     // the buffer that an argument points into
    kAllocation,   // bytes of one
    kGlobal,       // of which nothing else is known
    kShared,       // likewise
    kLocal,        // of the thread
    kGridBarrier,  // what a cooperative launch keeps of its grid
    kAbsentLane,   // no memory: a lane that takes no part in a shuffle
};
enum class MemoryKind : std::uint8_t { kDevice, kManaged, kPinned, kRegistered };

// What mends it.
enum class Remedy : std::uint8_t {
    kNone,
    kBlockBarrier,    // __syncthreads() between the two
    kWarpBarrier,     // __syncwarp() is enough
    kCopyWait,        // the copy has to be waited for
    kCopyCommit,      // and committed before
    kFences,          // blocks: a flag or counter with fences
    kFlagNotBarrier,  // the same, where a barrier might be thought of
    kGridOwner,       // blocks: an atomic, or one owner for each element
    kAtomic,          // make both atomic
    kScope,           // a wider scope
    kUniform,         // have all threads come to one barrier
    kOneWriter,       // several threads write one element
    kUnconditional,   // take the barrier out of the condition
    kBarrierNumbers,  // one for each group of threads
    kCheckIndex,      // against the array's size
    kCheckColumn,     // against the elements of a row
    kWideIndex,       // compute it in 64 bits
    kDefine,          // write it before it is used
    kDefineForHost,   // before it is read, wherever it lies
    kDefineBuffer,    // by a kernel, a copy or a set: is it this buffer?
    kCopyLess,        // or reach all elements
    kLanesPresent,    // let all lanes of the mask take part
    kGraphEdge,       // between two nodes
    kEvent,           // that the second stream waits for
    kEventForCaller,  // that the stream waits for which calls the host's function
    kSynchronize,     // the host with the stream
    kGridDependency,  // wait in the kernel for the one before it
    kPinnedMemory,    // for the host's side of a copy
    kFree,            // each allocation
    kFreeInKernel,    // what kernels took
    kCooperative,     // launch
    kWholeWarp,       // keep all lanes until there
    kWholeGroup,      // have all four warps come
    kProxyFence,      // fence.proxy.async, behind the write and before the barrier
    kProductFence,    // wgmma.fence
    kProductWait,     // wgmma.wait_group before it
    kWarpHandOver,    // __syncwarp() between the lanes of a warp and the one of them that synchronizes with others
    kRelaxedRead,     // a relaxed or volatile access for a value that only decides
    kCoherentRead,    // a plain load, not one by the read-only path
    kOutlive,         // storage that lives as long as the pointer: the caller's
    kAcquireFence,    // between the atomic and the reads
    kCopyApart,       // through a buffer of its own
    kWriteField,      // in every element
};

// Where a barrier goes.
enum class RemedyPlace : std::uint8_t {
    kNone,
    kLines,         // anywhere between two lines, which all races that it mends share
    kCalls,         // between the calls of the functions of both ends
    kLoop,          // behind the earlier end, before the loop comes round to the later one
    kWithin,        // one line reads and writes: between the two
    kNextTime,      // behind the later end, before the other one comes again
    kBetween,       // from the earlier line to the later one
    kBetweenTurned  // the other way round, as the code has them
};

}  // namespace tilescope

namespace tilescope::report {

template <>
inline constexpr NameTable<HazardCase, 36> kNames<HazardCase> = {
    {{HazardCase::kNone, ""},
     {HazardCase::kRace, "race"},
     {HazardCase::kUndefinedUse, "undefined-use"},
     {HazardCase::kLeavesVariable, "leaves-variable"},
     {HazardCase::kLeavesRows, "leaves-rows"},
     {HazardCase::kBetweenRows, "between-rows"},
     {HazardCase::kCrossesRow, "crosses-row"},
     {HazardCase::kTwoBarriers, "two-barriers"},
     {HazardCase::kEndedBefore, "ended-before"},
     {HazardCase::kCrowdedBarrier, "crowded-barrier"},
     {HazardCase::kUnnamedLane, "unnamed-lane"},
     {HazardCase::kMissingLanes, "missing-lanes"},
     {HazardCase::kEndedLanes, "ended-lanes"},
     {HazardCase::kNoProxyFence, "no-proxy-fence"},
     {HazardCase::kProductUnderWay, "product-under-way"},
     {HazardCase::kUnfencedProduct, "unfenced-product"},
     {HazardCase::kPartialGroup, "partial-group"},
     {HazardCase::kEarlyRead, "early-read"},
     {HazardCase::kAbsentSource, "absent-source"},
     {HazardCase::kLuckyBarrier, "lucky-barrier"},
     {HazardCase::kIndexWraps, "index-wraps"},
     {HazardCase::kExactFit, "exact-fit"},
     {HazardCase::kStreamRace, "stream-race"},
     {HazardCase::kEarlyLaunch, "early-launch"},
     {HazardCase::kHostRace, "host-race"},
     {HazardCase::kPageableCopy, "pageable-copy"},
     {HazardCase::kHostReadsUnwritten, "host-reads-unwritten"},
     {HazardCase::kHostReadsPartly, "host-reads-partly"},
     {HazardCase::kHostReadsUndefined, "host-reads-undefined"},
     {HazardCase::kLeak, "leak"},
     {HazardCase::kHeapLeak, "heap-leak"},
     {HazardCase::kStaleRead, "stale-read"},
     {HazardCase::kDeadFrame, "dead-frame"},
     {HazardCase::kNoAcquire, "no-acquire"},
     {HazardCase::kOverlappingCopy, "overlapping-copy"},
     {HazardCase::kSkippedField, "skipped-field"}}};
template <>
inline constexpr NameTable<Deed, 13> kNames<Deed> = {{{Deed::kNone, ""},
                                                      {Deed::kRead, "read"},
                                                      {Deed::kWrite, "write"},
                                                      {Deed::kAtomic, "atomic"},
                                                      {Deed::kStrongRead, "strong-read"},
                                                      {Deed::kStrongWrite, "strong-write"},
                                                      {Deed::kAsyncCopy, "async-copy"},
                                                      {Deed::kBarrier, "barrier"},
                                                      {Deed::kBranchOn, "branch"},
                                                      {Deed::kAddressFrom, "address"},
                                                      {Deed::kGuardedBy, "guard"},
                                                      {Deed::kMeetBy, "meet"},
                                                      {Deed::kCallTo, "call"}}};
template <>
inline constexpr NameTable<Doer, 7> kNames<Doer> = {{{Doer::kThread, "thread"},
                                                     {Doer::kKernel, "kernel"},
                                                     {Doer::kCopy, "copy"},
                                                     {Doer::kSet, "set"},
                                                     {Doer::kAllocation, "allocation"},
                                                     {Doer::kRelease, "release"},
                                                     {Doer::kHost, "host"}}};
template <>
inline constexpr NameTable<MemoryNaming, 11> kNames<MemoryNaming> = {{{MemoryNaming::kNone, ""},
                                                                      {MemoryNaming::kVariable, "variable"},
                                                                      {MemoryNaming::kElement, "element"},
                                                                      {MemoryNaming::kSomeElement, "some-element"},
                                                                      {MemoryNaming::kArgument, "argument"},
                                                                      {MemoryNaming::kAllocation, "allocation"},
                                                                      {MemoryNaming::kGlobal, "global"},
                                                                      {MemoryNaming::kShared, "shared"},
                                                                      {MemoryNaming::kLocal, "local"},
                                                                      {MemoryNaming::kGridBarrier, "grid-barrier"},
                                                                      {MemoryNaming::kAbsentLane, "absent-lane"}}};
template <>
inline constexpr NameTable<MemoryKind, 4> kNames<MemoryKind> = {{{MemoryKind::kDevice, "device"},
                                                                 {MemoryKind::kManaged, "managed"},
                                                                 {MemoryKind::kPinned, "pinned"},
                                                                 {MemoryKind::kRegistered, "registered"}}};
template <>
inline constexpr NameTable<Remedy, 43> kNames<Remedy> = {{{Remedy::kNone, ""},
                                                          {Remedy::kBlockBarrier, "block-barrier"},
                                                          {Remedy::kWarpBarrier, "warp-barrier"},
                                                          {Remedy::kCopyWait, "copy-wait"},
                                                          {Remedy::kCopyCommit, "copy-commit"},
                                                          {Remedy::kFences, "flag"},
                                                          {Remedy::kFlagNotBarrier, "flag-not-barrier"},
                                                          {Remedy::kGridOwner, "grid-owner"},
                                                          {Remedy::kAtomic, "atomic"},
                                                          {Remedy::kScope, "scope"},
                                                          {Remedy::kUniform, "uniform-barrier"},
                                                          {Remedy::kOneWriter, "one-writer"},
                                                          {Remedy::kUnconditional, "unconditional-barrier"},
                                                          {Remedy::kBarrierNumbers, "barrier-numbers"},
                                                          {Remedy::kCheckIndex, "check-index"},
                                                          {Remedy::kCheckColumn, "check-column"},
                                                          {Remedy::kWideIndex, "wide-index"},
                                                          {Remedy::kDefine, "define"},
                                                          {Remedy::kDefineForHost, "define-for-host"},
                                                          {Remedy::kDefineBuffer, "define-buffer"},
                                                          {Remedy::kCopyLess, "copy-less"},
                                                          {Remedy::kLanesPresent, "lanes-present"},
                                                          {Remedy::kGraphEdge, "graph-edge"},
                                                          {Remedy::kEvent, "event"},
                                                          {Remedy::kEventForCaller, "event-for-caller"},
                                                          {Remedy::kSynchronize, "synchronize"},
                                                          {Remedy::kGridDependency, "grid-dependency"},
                                                          {Remedy::kPinnedMemory, "pinned-memory"},
                                                          {Remedy::kFree, "free"},
                                                          {Remedy::kFreeInKernel, "free-in-kernel"},
                                                          {Remedy::kCooperative, "cooperative-launch"},
                                                          {Remedy::kWholeWarp, "whole-warp"},
                                                          {Remedy::kWholeGroup, "whole-group"},
                                                          {Remedy::kProxyFence, "proxy-fence"},
                                                          {Remedy::kProductFence, "product-fence"},
                                                          {Remedy::kProductWait, "product-wait"},
                                                          {Remedy::kWarpHandOver, "warp-hand-over"},
                                                          {Remedy::kRelaxedRead, "relaxed-read"},
                                                          {Remedy::kCoherentRead, "coherent-read"},
                                                          {Remedy::kOutlive, "outlive"},
                                                          {Remedy::kAcquireFence, "acquire-fence"},
                                                          {Remedy::kCopyApart, "copy-apart"},
                                                          {Remedy::kWriteField, "write-field"}}};
template <>
inline constexpr NameTable<RemedyPlace, 8> kNames<RemedyPlace> = {{{RemedyPlace::kNone, ""},
                                                                   {RemedyPlace::kLines, "lines"},
                                                                   {RemedyPlace::kCalls, "calls"},
                                                                   {RemedyPlace::kLoop, "loop"},
                                                                   {RemedyPlace::kWithin, "within"},
                                                                   {RemedyPlace::kNextTime, "next-time"},
                                                                   {RemedyPlace::kBetween, "between"},
                                                                   {RemedyPlace::kBetweenTurned, "between-turned"}}};

}  // namespace tilescope::report
