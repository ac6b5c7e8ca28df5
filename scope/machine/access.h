// One warp instruction's access to memory, as observers see it.
//
// Guarantees: announced after the access was found to be legal, in program order of its warp; valid during the call.
// Does not model: what the bytes are.
#pragma once

#include <bit>
#include <cstdint>

#include "scope/machine/op.h"

namespace tilescope::machine {

enum class Space : std::uint8_t { kGlobal, kShared, kLocal, kConstant, kTexture, kParam, kGeneric };
enum class AccessKind : std::uint8_t {
    kLoad,
    kStore,
    kAtomic,          // returns the old value
    kReduction,       // does not
    kIncrement,       // on shared memory: a reduction that adds one to 32 bits, for which hardware has an instruction
    kCombined,        // a reduction whose lanes the assembler combines, as they share one address: one lane goes out
    kCombinedAtomic,  // the same of an atomic
    kAsyncCopyRead,   // the global side of cp.async
    kAsyncCopyWrite,  // the shared side of cp.async
};

struct Access {
    std::uint32_t op = 0;    // index into Program::ops; Program::facts has its order and scope
    std::uint32_t site = 0;  // Op::site
    Space space = Space::kGlobal;
    AccessKind kind = AccessKind::kLoad;
    std::uint8_t width = 0;     // bytes per lane
    bool same_pattern = false;  // mask, deltas, space and width are those of this site's previous access on this worker
    std::uint32_t mask = 0;     // lanes that take part; never 0
    std::uint32_t thread = 0;   // number within the block of the thread in lane 0; lane i runs thread + i
    std::uint64_t first = 0;    // address of the lowest lane in mask; shared and local: offset within the space
    const std::int64_t* deltas =
        nullptr;  // 32 entries; address of lane i = first + deltas[i]; 0 for lanes outside mask

    std::uint64_t address(unsigned lane) const { return first + static_cast<std::uint64_t>(deltas[lane]); }
    unsigned lanes() const { return static_cast<unsigned>(std::popcount(mask)); }
};

}  // namespace tilescope::machine
