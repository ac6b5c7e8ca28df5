// From what the reuse observer counted to the profile.
//
// Owns: nothing. Guarantees: buffers in an order that does not depend on where they lie: those that a kernel parameter
// points into by the parameter's number, then the others in the order in which they were allocated; the counts of a
// sampled run scaled as its counters are, without the figures that cannot be scaled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/machine/memory.h"
#include "scope/observers/counting.h"
#include "scope/report/profile.h"

namespace tilescope::observers {

struct TouchedBuffer {
    machine::Allocation allocation;
    Tiling tiling;
};

struct LineReuse {
    std::string file;
    std::uint32_t line = 0;
    Tiling tiling;
};

// The first parameter that points into the allocation.
std::optional<std::uint32_t> parameter_into(const LaunchContext& context, const machine::Allocation& allocation);

void store_reuse(const LaunchContext& context, const Tiling& whole, const std::vector<LineReuse>& lines,
                 const std::vector<TouchedBuffer>& buffers, LaunchProfile& launch);

}  // namespace tilescope::observers
