// Events of a block beside accesses: barriers, fences, groups of copies, barrier objects, prefetches, memory from the
// kernel's heap.
//
// Guarantees: an event is valid during the call that announces it. Events of a warp come in program order, among its
// accesses. Does not model: memory effects of fences and barriers. Memory is sequentially consistent here, and
// observers draw the conclusions.
#pragma once

#include <cstdint>

#include "scope/machine/access.h"
#include "scope/machine/cache_hints.h"
#include "scope/texture/footprint.h"

namespace tilescope::machine {

// The kinds of events, for subscriptions (Observer::events).
enum class Event : std::uint8_t {
    kBarrierArrival,
    kBarrierPassed,
    kWarpBarrier,
    kFence,
    kCopyGroup,
    kBarrierObject,
    kPrefetch,
    kWarpEnd,
    kHeapBlock,
    kGridDependency,
    kTexels,
    kProductGroup,
};
inline constexpr unsigned kEvents = 12;
inline constexpr std::uint32_t bit_of(Event event) { return 1u << static_cast<unsigned>(event); }
inline constexpr std::uint32_t kEveryEvent = (1u << kEvents) - 1;

// What one warp instruction does, and for which lanes.
struct WarpEvent {
    const BlockPlace* block = nullptr;
    const WarpClock* clock = nullptr;  // of the warp
    std::uint32_t op = 0;              // index into Program::ops
    std::uint32_t thread = 0;          // number within the block of the thread in lane 0
    std::uint32_t mask = 0;            // lanes that take part; never 0

    unsigned warp() const { return thread / kWarpSize; }
};

enum class BarrierKind : std::uint8_t {
    kSync,
    kArrive,  // these threads do not wait
    kReduce,  // they wait, and get what all bring
};

// Lanes arrive at one of the block's 16 barriers. Those that wait go on at the next BarrierPassed of its number.
struct BarrierArrival : WarpEvent {
    std::uint32_t barrier = 0;
    BarrierKind kind = BarrierKind::kSync;
    std::uint32_t expected = 0;  // threads: the count that is written, or all that live
    bool is_counted = false;     // there is a count
};

// Everybody has come. It is announced before anyone goes on.
struct BarrierPassed {
    const BlockPlace* block = nullptr;
    std::uint32_t barrier = 0;
    std::uint32_t arrived = 0;  // threads; of a counted barrier warps count whole
};

// Lanes of a warp meet, each naming the same members: bar.warp.sync, and the instructions whose lanes exchange values.
// The latter are weak: they order no memory.
struct WarpBarrier : WarpEvent {
    std::uint32_t members = 0;  // the mask that they name; may hold lanes that have ended
    Order order = Order::kWeak;
    Scope scope = Scope::kNone;
};

enum class FenceKind : std::uint8_t {
    kMemory,
    kProxy,        // between the ways to memory: generic, asynchronous, tensor maps
    kBarrierInit,  // of barrier objects alone
};

struct Fence : WarpEvent {
    FenceKind kind = FenceKind::kMemory;
    Order order = Order::kWeak;
    Scope scope = Scope::kNone;
};

enum class CopyGroupKind : std::uint8_t {
    kCommit,   // each lane's copies since its last commit are a group
    kWait,     // until no more than `pending` of the lane's latest groups are under way
    kWaitAll,  // until all its copies are done, committed or not
};

// The copies themselves are accesses: kAsyncCopyWrite and kAsyncCopyRead. They happen when issued; hardware may take
// until the wait.
struct CopyGroup : WarpEvent {
    CopyGroupKind kind = CopyGroupKind::kCommit;
    std::uint32_t pending = 0;
};

enum class ProductGroupKind : std::uint8_t {
    kProduct,  // one is issued; its accesses follow
    kFence,    // products behind it see what the warp's registers hold now
    kCommit,   // the warp's products since its last commit are a group
    kWait,     // until no more than `pending` of the warp's latest groups are under way
};

// wgmma. The products' reads of shared memory are accesses. Products happen when issued; hardware may take until the
// wait.
struct ProductGroup : WarpEvent {
    ProductGroupKind kind = ProductGroupKind::kFence;
    std::uint32_t pending = 0;
};

enum class BarrierObjectKind : std::uint8_t {
    kInit,          // values: arrivals of each phase
    kInvalidate,    //
    kArrive,        // values: how many arrivals; with expects_bytes: the bytes to wait for, and one arrival
    kExpectBytes,   // values
    kBytesArrive,   // values
    kCopiesArrive,  // the lane's copies so far arrive when they are done
    kWaitPassed,    // the lane asked for a phase that is over; asking in vain is no event
};

// Lanes use barrier objects in shared memory, which are 8 bytes each. They do so one by one, the lowest lane first.
struct BarrierObjectUse : WarpEvent {
    BarrierObjectKind kind = BarrierObjectKind::kInit;
    Order order = Order::kWeak;
    Scope scope = Scope::kNone;
    bool drops = false;                        // kArrive: later phases expect so many fewer
    bool expects_bytes = false;                // kArrive
    std::uint32_t completes = 0;               // lanes whose use ends the phase
    const std::uint64_t* addresses = nullptr;  // 32 entries: offsets within the block's shared memory
    const std::uint32_t* values = nullptr;     // 32 entries, see the kinds; nullptr: one each, or none is meant
};

// Lanes ask for what they may read soon. Their addresses are as written, and may lie anywhere: nothing is touched.
struct Prefetch : WarpEvent {
    Eviction eviction = Eviction::kNone;       // as the instruction says
    const std::uint64_t* addresses = nullptr;  // 32 entries; generic
};

// Lanes got blocks of the kernel's heap. What was done with the same bytes before was with another block.
struct HeapBlock : WarpEvent {
    const std::uint64_t* addresses = nullptr;  // 32 entries; 0: there was no room
    const std::uint64_t* bytes = nullptr;      // 32 entries
};

// griddepcontrol, between a grid and one that was let begin before its end.
struct GridDependency : WarpEvent {
    bool waits = false;  // for the end of the grid before; else this one lets the next begin
};

// Lanes fetch texels of a texture, or read or write those of a surface.
enum class TexelsKind : std::uint8_t { kFetch, kSurfaceRead, kSurfaceWrite };

// What the texture unit has to do for a lane.
struct TexelAccess {
    std::uint8_t bytes = 0;  // of a texel, or of what the lane reads or writes
    bool is_tiled = true;    // of an array
    bool is_pitched = false;
    bool is_volume = false;
    bool filters = false;       // between texels
    bool is_of_levels = false;  // and between levels, where there are some
    bool gathers = false;       // four texels for four results
    bool converts = false;      // what lanes get are not the texel's own bits
    bool is_inside = false;     // no lane's coordinates lie beyond the image; false: or nobody looked
};

struct Texels : WarpEvent {
    TexelsKind kind = TexelsKind::kFetch;
    TexelAccess access;                        // of the last lane
    const texture::Image* image = nullptr;     // likewise
    unsigned requests = 0;                     // of a few neighbouring lanes each
    unsigned parts = 0;                        // in which they ask for sectors: all of these, or some lanes at a time
    const std::uint8_t* counts = nullptr;      // of each part: its sectors
    const texture::Sector* sectors = nullptr;  // of all parts, one behind the other; where a card has them
    unsigned count = 0;
    // Of surfaces: 32 addresses, of the lanes in `touching`, and the bytes of each; others lie beyond the bounds.
    const std::uint64_t* addresses = nullptr;
    std::uint32_t touching = 0;
    std::uint8_t width = 0;
    bool is_atomic = false;
};

// The last lanes of a warp end, at `op`: the warp's clock comes no further.
struct WarpEnd : WarpEvent {};

}  // namespace tilescope::machine
