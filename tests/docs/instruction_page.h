// docs/reference/instructions.md, made from the instruction table.
#pragma once

#include <string>

namespace tilescope::docs {

// The whole page.
std::string instruction_page();

}  // namespace tilescope::docs
