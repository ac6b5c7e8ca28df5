// The textbook's occupancy, plain division, and why the hardware's answer is another.
//
// Owns: textbook_occupancy(), occupancy_reasons(), full_shared_per_thread(). Guarantees: pure functions; the textbook
// never admits fewer blocks than the hardware; each reason names a rule that changed the number, with its figures. Does
// not model: the hardware itself (occupancy.h).
#pragma once

#include <vector>

#include "scope/models/occupancy.h"
#include "scope/report/profile.h"

namespace tilescope::models {

// Divides the SM's threads, registers and shared bytes by what one block asks for, and keeps whole blocks. Barriers,
// carve-outs, allocation units, sub-partitions and the driver's share are unknown to it. 0 blocks when the block has
// more threads than any may have.
OccupancyTextbook textbook_occupancy(const Device& device, const KernelResources& kernel);

// Which rules of the hardware leave room for fewer blocks than the textbook's division. Empty when the two agree.
std::vector<OccupancyReason> occupancy_reasons(const Device& device, const KernelResources& kernel);

// Bytes of shared memory per thread beyond which not all threads of the SM can be resident.
double full_shared_per_thread(const Device& device);
// The same for blocks of this size, as the hardware allocates: whole blocks, units, the driver's share. Where the
// block's size itself keeps the SM from filling up, the bytes beyond which shared memory lowers the occupancy further.
// 0 when such blocks do not fit at all.
double full_shared_per_thread(const Device& device, const KernelResources& kernel);
// Registers per thread beyond which they lower the occupancy of blocks of this size.
std::uint32_t full_registers_per_thread(const Device& device, const KernelResources& kernel);

}  // namespace tilescope::models
