// What the directives of functions ask for, and which of them this machine cannot do.
//
// Guarantees: every directive of a function that runs is in the table: read elsewhere, harmless by what it means, or
// refused; one that is not there is refused, too.
#pragma once

#include <optional>
#include <string>

#include "scope/ptx/module.h"

namespace tilescope::isa {

// Why a function with this directive cannot run; nothing where it can.
std::optional<std::string> refusal_of(const ptx::FunctionDirective& directive);

}  // namespace tilescope::isa
