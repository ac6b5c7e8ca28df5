// What one PTX instruction is to an SM, as far as it can be told without what stands around it. Internal to the work
// pass (work.h).
#pragma once

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

// What a warp may have to wait for.
enum Wait : std::uint8_t { kGlobal, kLocal, kShared, kConstant, kAtomic, kWaits, kNoWait };
// What an instruction is to the SM.
struct Cost {
    float instructions = 1, fp32 = 0, integer = 0, fp64 = 0, special = 0, memory = 0;
    float movable = 0;  // of `integer`: that the multiply-add pipe can do as well
    float steps = 1;
    Wait wait = kNoWait;
    bool is_load = false, is_store = false;
    bool passes_stores = false;  // reads what nobody writes
    bool is_name = false;        // costs nothing, and its result is its source
};

// Whether it reads a special register.
bool reads_special(const Instruction& instruction);

Cost cost_of_access(const Instruction& instruction);
// The reciprocal of an integer divisor is worked out once.
Cost cost_of_division(const Instruction& instruction, bool divisor_known);
Cost cost_of_special(const Instruction& instruction);
Cost cost_of_conversion(const Instruction& instruction);

}  // namespace tilescope::isa
