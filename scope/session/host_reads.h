// What the host copied to itself and nobody defined (--check init), in words.
#pragma once

#include <vector>

#include "scope/report/profile.h"
#include "scope/session/session_state.h"

namespace tilescope {

// Those found since it was last asked.
std::vector<Hazard> host_reads(Recording& recording, const machine::Memory& device);

}  // namespace tilescope
