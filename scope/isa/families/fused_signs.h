// The signs of a multiply-add d = a * b + c that was made of a product and a sum or difference (lower/contract.cpp).
#pragma once

#include "scope/isa/table/binding.h"

namespace tilescope::isa {

inline bool negates_product(const Binding& b) { return b.operands[1].negated; }
inline bool negates_addend(const Binding& b) { return b.operands[3].negated; }

}  // namespace tilescope::isa
