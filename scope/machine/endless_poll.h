// A read, in an endless loop, of memory that others may write.
#pragma once

#include <cstdint>

#include "scope/machine/access.h"

namespace tilescope::machine {

struct EndlessPoll {
    std::uint32_t op = 0, warp = 0, lane = 0;  // the lowest lane that made it
    Space space = Space::kGlobal;
    std::uint64_t address = 0;  // shared: offset
    std::uint64_t value = 0;
    std::uint8_t bytes = 0;
    bool is_barrier = false;  // value: a BarrierObject
};

}  // namespace tilescope::machine
