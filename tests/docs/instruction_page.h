// docs/INSTRUCTIONS.md, made from the instruction table.
#pragma once

#include <string>

namespace tilescope::docs {

// The whole page.
std::string instruction_page();
// The table as text for scripts: a line for each row, with tabs between family, syntax, operands and spellings (at most
// `limit` of them, evenly spread, with spaces between).
std::string row_list(std::size_t limit);

}  // namespace tilescope::docs
