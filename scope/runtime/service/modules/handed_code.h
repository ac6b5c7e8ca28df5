// Code that a program hands over while it runs, by either face: read, chosen for the device and loaded.
//
// Guarantees: why code is not taken is in failure().reason; code that is refused by name has been told.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "scope/runtime/service/modules/modules.h"

namespace tilescope::runtime {

// code: as image/code_in_memory.h takes it. `name`: for messages.
Status load_handed_code(Runtime& runtime, const void* code, std::optional<std::size_t> bytes, const std::string& name,
                        Module*& made);
// The same of a file; kFileNotFound where there is none.
Status load_code_file(Runtime& runtime, const std::string& path, Module*& made);

}  // namespace tilescope::runtime
