// What the caches of the session's device are for one launch.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scope/machine/grid.h"
#include "scope/models/device.h"
#include "scope/observers/hierarchy/record/addresses.h"
#include "scope/observers/hierarchy/rules.h"
#include "scope/session/session.h"

namespace tilescope {

// Nothing where the device's description lacks sizes or how long L2 takes, or they are beyond any device's.
// `preferred`: the bytes of an SM that are set up as shared memory, where the program says which share it wants; else
// the driver chooses.
std::optional<observers::HierarchyRules> cache_figures(const models::Device& device, const machine::LaunchShape& shape,
                                                       std::uint64_t blocks_per_sm,
                                                       std::optional<std::uint64_t> preferred);

// Of a set of L2, how many lines give way last where a program has limited them to so many bytes.
unsigned last_ways(const models::Device& device, const observers::HierarchyRules& rules, std::uint64_t bytes);
// What a window of a stream or a launch asks for; nothing, if it asks for nothing.
std::vector<observers::AccessWindow> windows_of(const LaunchRequest::AccessWindow& window,
                                                const observers::CacheAddresses& addresses);

}  // namespace tilescope
