// Where a kernel's automatic variables lie: scalars and arrays that are declared within it and are every thread's own.
//
// clang puts all of them into memory first and moves into registers what its optimizer can: what still has memory
// afterwards has an address that is only known at run time, and lies in local memory. Guarantees: any text is safe; a
// variable is only said to lie somewhere where the code leaves no doubt. Does not model: variables of functions that
// kernels call, and what the assembler does later (it keeps small arrays in registers all the same).
#pragma once

#include <string_view>

#include "scope/image/source_facts.h"

namespace tilescope::image {

// Adds the automatic variables of the kernels that `facts` has. described: LLVM code made with -g, not optimised;
// optimized: what came of it.
void add_automatic_variables(std::string_view described, std::string_view optimized, SourceFacts& facts);

}  // namespace tilescope::image
