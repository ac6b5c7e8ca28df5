// Shuffles that read from lanes which take no part in them.
#pragma once

#include <cstdint>

#include "scope/machine/warp.h"

namespace tilescope::isa {

// Notes the lanes of warp.exec whose source, a lane number for each of 32, takes no part: what they get is undefined.
void note_absent_sources(const machine::Warp& warp, const machine::Op& op, std::uint32_t taking_part,
                         const std::uint32_t* sources);

}  // namespace tilescope::isa
