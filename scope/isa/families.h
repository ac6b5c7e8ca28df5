// The registry of instruction families: explicit, one line per family and target.
#pragma once

#include <span>
#include <string_view>

#include "scope/isa/table/row.h"

namespace tilescope::isa {

// All families, built for the best instruction set this processor has (or the one TILESCOPE_SIMD names).
std::span<const Family* const> families();
// The same for one of machine::runnable_targets(); empty when it is not runnable.
std::span<const Family* const> families(std::string_view target);

}  // namespace tilescope::isa
