// What a kernel's parameter takes, as far as its PTX and its mangled name tell.
#pragma once

#include <string_view>

#include "scope/ptx/module.h"
#include "scope/session/session.h"

namespace tilescope {

// `type`: as in the demangled name, "" when that is not known. PTX has the last word on numbers that it names; where it
// says bits only (.b32, .b64), the name decides.
ParameterKind parameter_kind(const ptx::Variable& parameter, std::string_view type);
// Whether a type, as in the demangled name, is a pointer to a class or structure, CUDA's vectors included.
bool points_to_structure(std::string_view type);

}  // namespace tilescope
