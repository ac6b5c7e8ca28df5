// Filling device memory with a value.
#pragma once

#include <cstddef>

#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

// Elements lie in rows, and these in slices.
struct Set {
    void* target = nullptr;
    std::size_t pitch = 0;  // bytes from row to row
    unsigned value = 0, element_bytes = 1;
    std::size_t width = 0, height = 0;  // elements, rows
    std::size_t slice = 0, slices = 1;  // bytes from one to the next, and how many
};

// Of bytes, in rows.
Set set_of(void* target, int value, std::size_t pitch, std::size_t width, std::size_t height);
// Of bytes, in a volume whose slices have `height` rows each. kInvalidValue where they do not fit.
Status set_of(void* target, std::size_t pitch, std::size_t height, int value, const Extent& extent, Set& set);

Status check_set(Runtime& runtime, const Set& set);
Status run_set(Runtime& runtime, const Set& set, const machine::Issue& issue);
// Whether a node of an executable graph that does the one may do the other.
bool may_become(const Set& now, const Set& next);

// As calls ask for them: those that wait, and those of a stream, which may capture them.
Status fill(Runtime& runtime, const Set& set);
Status fill(Runtime& runtime, const Set& set, void* stream);

}  // namespace tilescope::runtime
