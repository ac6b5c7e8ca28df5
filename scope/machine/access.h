// Access: one warp instruction's access to memory, as observers see it.
//
// Guarantees: announced after the access was found to be in bounds and before it happens, in program order of its
// warp; valid during the call. An observer sees accesses as written or as SASS (Observer::view). Both views have the
// lanes and the space of a generic address. Does not model: results of loads and atomics; loads that the assembler
// removes; kernel parameters that are read by name; arguments of device functions; barrier objects, which are events
// (events.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "scope/machine/op.h"
#include "scope/machine/order.h"

namespace tilescope::machine {

enum class Space : std::uint8_t { kGlobal, kShared, kLocal, kConstant, kTexture, kParam, kGeneric };
inline constexpr unsigned kSpaces = 7;
// Spaces as bits, for subscriptions.
inline constexpr std::uint32_t bit_of(Space space) { return 1u << static_cast<unsigned>(space); }
inline constexpr std::uint32_t kEverySpace = (1u << kSpaces) - 1;

enum class AccessKind : std::uint8_t {
    kLoad,
    kStore,
    kAtomic,          // returns the old value
    kReduction,       // does not, or nobody reads it
    kIncrement,       // on shared memory: a reduction that adds one to 32 bits, for which hardware has an instruction
    kCombined,        // a reduction whose lanes the assembler combines, as they share one address: one lane goes out
    kCombinedAtomic,  // the same of an atomic
    kSwapLoop,        // an update for which hardware has no instruction: it tries to swap until it could
    kMatrixLoad,      // rows of 16 bytes for lanes to share out: eight at a time, whatever others ask for
    kMatrixStore,
    kFactorLoad,      // a factor of a product that a group of warps makes: chunks of 16 bytes, which never conflict
    kAsyncCopyRead,   // the global side of cp.async
    kAsyncCopyWrite,  // the shared side of cp.async, announced first
};
// Of kinds as written: kIncrement, kCombined, kCombinedAtomic, kSwapLoop, kMatrixLoad and kMatrixStore are machine
// code's.
inline bool reads(AccessKind kind) { return kind != AccessKind::kStore && kind != AccessKind::kAsyncCopyWrite; }
inline bool writes(AccessKind kind) {
    return kind != AccessKind::kLoad && kind != AccessKind::kAsyncCopyRead && kind != AccessKind::kFactorLoad;
}

// The block in which something happens. It stays where it is until the block has ended.
struct BlockPlace {
    std::uint64_t number = 0;            // within the grid, x fastest
    std::uint32_t index[3] = {0, 0, 0};  // %ctaid
    std::uint32_t multiprocessor = 0;    // %smid
};

// What a warp's instructions have asked of an SM so far: slots of its scheduler, and the cycles that they take one
// after the other where each needs the one before; and how often the warp needed what it had asked of memory beyond
// shared memory. In 64ths. Whole basic blocks, the one that runs included.
struct WarpClock {
    std::uint64_t slots = 0, chain = 0;
    std::int64_t turns = 0;
};
inline constexpr double kClockTicks = 64;

struct Access {
    const BlockPlace* block = nullptr;
    const WarpClock* clock = nullptr;  // of the warp
    std::uint32_t op = 0;              // index into Program::ops
    std::uint32_t site = 0;            // Op::site
    Space space = Space::kGlobal;
    AccessKind kind = AccessKind::kLoad;
    std::uint8_t width = 0;     // bytes per lane
    bool same_pattern = false;  // mask, deltas, space and width are those of this site's previous access on this worker
    Order order = Order::kWeak;
    Scope scope = Scope::kNone;
    std::uint32_t mask = 0;    // lanes that take part; never 0
    std::uint32_t thread = 0;  // number within the block of the thread in lane 0; lane i runs thread + i
    // Address of the lowest lane in mask. Shared memory: offset within the block's. Local memory: offset within the
    // lane's own. Parameters: offset within the kernel's.
    std::uint64_t first = 0;
    // What the lowest lane brings as a policy for the second-level cache (cache_policy.h); 0: the instruction has none.
    std::uint64_t policy = 0;
    const std::int64_t* deltas =
        nullptr;  // 32 entries; address of lane i = first + deltas[i]; 0 for lanes outside mask
    // Of reads by a copy whose data goes past L1, as machine code makes them: where its lanes write in shared memory,
    // lane i at to_first + to_deltas[i]; else nullptr. If `same_pattern`, so are these, but for whole lines.
    std::uint64_t to_first = 0;
    const std::int64_t* to_deltas = nullptr;
    // As written only: 32 entries where lanes may touch less than the width, how much; else nullptr.
    const std::uint32_t* sizes = nullptr;
    // As written only, in shared and global memory: what lies at `first` now (lane i's at + deltas[i]); nullptr where
    // the lanes' bytes lie in several places. And of stores: what each lane stores, 32 values of `width` bytes.
    const std::byte* bytes_now = nullptr;
    const std::byte* stored = nullptr;

    std::uint64_t address(unsigned lane) const { return first + static_cast<std::uint64_t>(deltas[lane]); }
    std::uint64_t to(unsigned lane) const { return to_first + static_cast<std::uint64_t>(to_deltas[lane]); }
    unsigned bytes(unsigned lane) const { return sizes ? std::min<std::uint32_t>(sizes[lane], width) : width; }
    unsigned lanes() const { return static_cast<unsigned>(std::popcount(mask)); }
    unsigned warp() const { return thread / kWarpSize; }
};

}  // namespace tilescope::machine
