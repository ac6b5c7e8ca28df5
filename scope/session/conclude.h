// What follows from a finished launch: its variables, with what the source says of them, and advice.
//
// Guarantees: changes nothing but the profile that it fills in, and what the kernel remembers of its source. Called
// once per launch that was observed, when counters, lines and occupancy are there.
#pragma once

#include "scope/machine/program.h"
#include "scope/report/profile.h"
#include "scope/session/session_state.h"

namespace tilescope {

void conclude(const Session::Impl& state, Kernel& kernel, const machine::Program& program, LaunchProfile& launch);

}  // namespace tilescope
