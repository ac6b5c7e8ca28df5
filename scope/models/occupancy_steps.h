// What the next step up in occupancy would take, and how far a kernel is from a step down.
//
// Owns: next_steps(), headroom(). Guarantees: pure functions; a step's changes are the smallest of their kind that let
// more warps stay on an SM, and yield exactly what it says. Does not model: whether the compiler can keep to fewer
// registers, or what else a change of the block's size does.
#pragma once

#include <vector>

#include "scope/models/occupancy.h"
#include "scope/report/profile.h"

namespace tilescope::models {

// What shared memory does when the block's size changes.
enum class SharedScaling : std::uint8_t { kPerBlock, kPerThread };

// The kernel in blocks of another size. kPerThread: shared bytes grow in proportion, rounded up.
KernelResources with_threads(const KernelResources& kernel, std::uint64_t threads, SharedScaling scaling);

// The smallest single changes (fewer registers, fewer shared bytes, fewer or more threads in whole warps, fewer
// barriers, a larger carve-out), each enough by itself; where none of registers, shared memory and barriers is enough
// alone, the one that changes several. Empty at full occupancy. For a block that does not fit at all: what makes it
// fit.
std::vector<OccupancyStep> next_steps(const Device& device, const KernelResources& kernel,
                                      SharedScaling scaling = SharedScaling::kPerBlock);

// How many more registers a thread, shared bytes a block and threads a block would lose no block. Empty when no block
// fits.
std::vector<OccupancyChange> headroom(const Device& device, const KernelResources& kernel);

}  // namespace tilescope::models
