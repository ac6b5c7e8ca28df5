// The fifth stage of a launch: what models make of what was measured: occupancy, its variables, with what the source
// says of them, time, advice, roofline.
//
// Guarantees: changes nothing but what was measured, and what the kernel remembers of its source and its last launch:
// one that was measured as that was is judged as that was.
#pragma once

#include "scope/session/launch/collect.h"

namespace tilescope {

void judge(const Prepared& launch, const Executed& executed, Measured& measured);

}  // namespace tilescope
