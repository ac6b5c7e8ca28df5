// Policies for the second-level cache and prefetches: what programs ask of caches by instructions of their own.
//
// Lane code (target namespace).
#pragma once

#include "scope/isa/table/binding.h"

namespace tilescope::isa::TILESCOPE_TARGET {

// createpolicy: of a part of the lines, of a range of addresses, and of what CUDA's headers call an access property.
machine::OpFn bind_fraction(Binding& binding);
machine::OpFn bind_range(Binding& binding);
machine::OpFn bind_property(Binding& binding);

machine::OpFn bind_prefetch(Binding& binding);

// Where the instruction's spelling has a policy, this operand is it, and the access brings it along (kHasPolicy).
void take_policy(Binding& binding, const BoundOperand& last);

}  // namespace tilescope::isa::TILESCOPE_TARGET
