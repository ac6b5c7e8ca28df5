// Copies to and from the variables of modules.
#pragma once

#include <cstddef>

#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/modules/modules.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

struct VariableCopy {
    VariableName variable{};
    bool to_variable = true;  // from `other`; or the other way
    void* other = nullptr;
    std::size_t bytes = 0, offset = 0;  // within the variable
    Direction direction{};
};

// The same as a copy of one run of bytes, checked as check_volume() does.
Status volume_of(Runtime& runtime, const VariableCopy& copy, Copy& out);

// As calls ask for them: those that wait, and those of a stream, which may capture them.
Status copy_variable(Runtime& runtime, const VariableCopy& copy);
Status copy_variable(Runtime& runtime, const VariableCopy& copy, void* stream);

}  // namespace tilescope::runtime
