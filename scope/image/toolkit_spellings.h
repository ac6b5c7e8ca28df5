// Spellings that nvcc takes and clang does not, and the same source as clang takes it.
//
// Owns: memory words before an alignment (`__shared__ alignas(16) int s[4]`), and registers with one percent sign in
// assembly that has operands (`"mov.u32 %0, %laneid;"`). Guarantees: lines stay where they are; text without such
// spellings comes back as it was; safe on any text. Does not model: macros that hide one half of a spelling.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scope/base/diagnostic.h"

namespace tilescope::image {

std::string for_clang(std::string_view text);

// The files in which clang found such a spelling, by what it said of them; each once.
std::vector<std::string> files_with_toolkit_spellings(const Diagnostics& errors);

}  // namespace tilescope::image
