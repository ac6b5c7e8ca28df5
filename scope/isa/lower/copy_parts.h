// Which .loc an access has that is a part of a copy (scope/base/copy_mark.h), where its own doesn't say so.
//
// Releases of clang before 15 give a vector that they merge the place of the instruction behind it. Guarantees: only
// vectors right beside a part of a copy, within what one access could move, off the same register. Does not model:
// merged accesses both of whose halves lost their place.
#pragma once

#include <cstdint>
#include <map>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

// Of such vectors of a block: the .loc of their neighbor.
std::map<const Instruction*, std::int32_t> places_of_vectors(const FunctionCode& code, std::uint32_t block);

}  // namespace tilescope::isa
