// A table of a document as lines of text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scope/views/document/document.h"

namespace tilescope::views {

// A heading where the table has columns, and a line for each of its rows, cut to `width`; what a row says beside its
// figures goes below it.
std::vector<std::string> table_lines(const Row& table, std::size_t width);

}  // namespace tilescope::views
