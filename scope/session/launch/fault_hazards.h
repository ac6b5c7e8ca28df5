// Faults of kernels as hazards, each place of the source once.
#pragma once

#include <vector>

#include "scope/machine/fault_log.h"
#include "scope/machine/program.h"
#include "scope/session/loaded_module.h"
#include "scope/session/session.h"

namespace tilescope {

// A fault of `kernel`, where its instruction stands.
Hazard fault_hazard(const machine::Program& program, const LoadedModule& module, const std::string& kernel,
                    const machine::Fault& fault);

// What a card takes it for, which decides the error that the program gets.
HazardKind kind_on_card(const machine::Fault& fault);

// The places of a run that went on after faults. Compilers copy a line's access into several branches: of one line it
// is one hazard with all their counts, and the first fault of the lowest block.
std::vector<Hazard> fault_hazards(const machine::Program& program, const LoadedModule& module,
                                  const std::string& kernel, const std::vector<machine::FaultPlace>& places);

}  // namespace tilescope
