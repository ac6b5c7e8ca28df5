// What clang's debug information says of a kernel's source: names of its parameters, types and shapes of its shared
// arrays; and LLVM code from which all of that is gone again, but for the lines.
//
// clang knows them while it compiles: asking for them costs one option of a step that is made anyway, and nothing
// later, because what follows is given the code with its lines alone. Guarantees: any text is safe; what is not
// understood is left out, or left as it is. Does not model: arrays whose size the launch gives (clang describes no
// declarations), and LLVM's text from release 20 on.
#pragma once

#include <string>
#include <string_view>

#include "scope/image/source_facts.h"

namespace tilescope::image {

// Of LLVM code made with -g. Kernels without debug information are not in it.
SourceFacts source_facts(std::string_view llvm_ir);

// The same code as made with -gline-tables-only: the PTX of both is the same.
std::string keep_line_tables(std::string_view llvm_ir);

}  // namespace tilescope::image
