// Loads and stores of parameters that lie in slots rather than in memory.
//
// Lane code (target namespace).
#pragma once

#include "scope/isa/table/binding.h"

namespace tilescope::isa::TILESCOPE_TARGET {

// `slots` has one element for each of the value's; the access becomes a move between them.
machine::OpFn bind_slots(Binding& binding, const BoundOperand& value, const BoundOperand& slots, bool store);

}  // namespace tilescope::isa::TILESCOPE_TARGET
