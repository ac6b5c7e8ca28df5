// PTX text to Module.
#pragma once

#include <string>
#include <string_view>

#include "scope/base/result.h"
#include "scope/ptx/module.h"

namespace tilescope::ptx {

// Parses all of PTX ISA 9.0's syntax. `name` is used in diagnostics. On failure every independent error found (at most
// 20) with line and column; recovery is at statement ends. Safe on any bytes: nesting and sizes are bounded.
Result<Module> parse(std::string_view text, std::string name);

}  // namespace tilescope::ptx
