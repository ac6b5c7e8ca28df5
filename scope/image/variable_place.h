// Where a module's variable stands, for messages.
//
// Guarantees: a line of a file that has it. In PTX that somebody wrote that is the variable's own line. PTX that a
// compiler made of a source says nothing of variables: the line is the source's on which the variable's name stands
// beside its memory's (`__constant__`), or none.
// Does not model: macros, scopes; of two variables of one name the first is taken.
#pragma once

#include "scope/base/diagnostic.h"
#include "scope/ptx/module.h"

namespace tilescope::image {

SourceLocation place_of_variable(const ptx::Module& module, const ptx::Variable& variable);

}  // namespace tilescope::image
