// The slow half of checking an access: which allocation, and what to say when there is none. One copy for all targets.
#pragma once

#include <cstdint>

#include "scope/machine/worker.h"

namespace tilescope::isa {

// Looks every active lane's address up; remembers the allocation in the memo when one holds them all. Raises a fault
// for the lowest lane that is misaligned or outside. `writes`: read-only allocations are outside.
void check_slowly(machine::Warp& warp, const machine::Op& op, machine::SiteMemo& memo, std::uint64_t first,
                  machine::Space space, bool writes);

}  // namespace tilescope::isa
