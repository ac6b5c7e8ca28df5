// Module to PTX text.
#pragma once

#include <string>

#include "scope/ptx/module.h"

namespace tilescope::ptx {

std::string print(const Module& module);
// One instruction without the final line feed: "@!%p1 add.s32 %r1, %r2, 5;".
std::string print(const Instruction& instruction);

}  // namespace tilescope::ptx
