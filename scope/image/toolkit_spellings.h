// Spellings that nvcc takes and clang does not, and the same source as clang takes it.
//
// Owns: alignments where clang takes none: behind a memory word (`__shared__ alignas(16) int s[4]`), behind an array
// (`int s[4] alignas(16)`), behind a type (`int alignas(16) s`, which nvcc ignores with a warning), and in macros that
// hold an alignment alone; attributes behind a memory word; registers with one percent sign in assembly that has
// operands
// (`"mov.u32 %0, %laneid;"`). Guarantees: lines stay where they are; text without such spellings comes back as it was;
// any text is safe. Does not model: macros that hide other halves of a spelling (`#define ALIGN alignas`).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scope/base/diagnostic.h"

namespace tilescope::image {

std::string for_clang(std::string_view text);

// The files in which clang found such a spelling, and those of the macros that hold it; each once.
std::vector<std::string> files_with_toolkit_spellings(const Diagnostics& errors);

}  // namespace tilescope::image
