// In which order the first blocks of a launch go to SMs.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/observers/caches/figures.h"

namespace tilescope::observers {

// Places of blocks: a place is an SM and how many blocks it has before, as SM + that * figures.sms. Each SM gets
// `per_sm`. Groups of SMs have their turns as an H200's were seen to (bench/hardware/groups.cu, November 2026).
std::vector<std::uint32_t> first_places(const CacheFigures& figures, std::uint64_t per_sm);

}  // namespace tilescope::observers
