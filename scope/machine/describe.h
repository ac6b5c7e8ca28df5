// Phrases for the messages of faults.
#pragma once

#include <cstdint>
#include <string>

#include "scope/machine/memory.h"
#include "scope/machine/program.h"

namespace tilescope::machine {

// "sum.cu:12", or "line 12 of the PTX" where the source is not known.
std::string place_text(const Program& program, std::uint32_t op);
// "allocated at a.cu:3", with "freed at a.cu:9" behind it; as much of it as is known.
std::string origin_text(const AllocationOrigin& origin);

}  // namespace tilescope::machine
