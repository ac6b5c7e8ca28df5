// What the caches of the session's device are for one launch.
#pragma once

#include <optional>

#include "scope/machine/grid.h"
#include "scope/models/device.h"
#include "scope/observers/caches/figures.h"

namespace tilescope {

// Nothing where the device's description lacks sizes, or they are beyond any device's. `preferred`: the bytes of an SM
// that are set up as shared memory, where the program says which share it wants; else the driver chooses.
std::optional<observers::CacheFigures> cache_figures(const models::Device& device, const machine::LaunchShape& shape,
                                                     std::uint64_t blocks_per_sm,
                                                     std::optional<std::uint64_t> preferred);

}  // namespace tilescope
