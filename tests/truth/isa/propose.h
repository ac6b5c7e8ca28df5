// New lines for the table: a few spellings of a row, with values for each operand by its type.
#pragma once

#include <string>
#include <string_view>

#include "tests/truth/isa/table.h"

namespace tilescope::truth {

// Lines marked `ours`, without outputs, for the rows of this opcode (or function of the device library), those left out
// that the table has. A row whose operands are not all values (addresses, vectors, labels) gives a comment instead: it
// is for a case in tests/golden/isa. Tolerances are all `exact`; which inputs make sense is for a person to say.
std::string propose(const Table& table, std::string_view opcode);

}  // namespace tilescope::truth
