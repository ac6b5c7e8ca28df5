// Whether two modules say the same.
#pragma once

#include "scope/ptx/module.h"

namespace tilescope::ptx {

// Everything but where it was written: positions and the module's file name do not count.
bool equal(const Module& left, const Module& right);
bool equal(const Instruction& left, const Instruction& right);

}  // namespace tilescope::ptx
