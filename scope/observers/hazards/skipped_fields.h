// Skipped fields: members of a structure that a few threads of a launch leave out while all others store them.
//
// Owns: SkippedField, one such place in device memory. Guarantees: two stores belong to one structure only if every
// thread that makes both has them at the same distance, closer than its neighbor's structure is. Does not model:
// threads that store the rest of the structure by another instruction than the others do.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/observers/hazards/code_place.h"

namespace tilescope::observers {

struct SkippedField {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    std::uint32_t parameter = 0;  // of the kernel, by offset, that points to the buffer
    CodePlace store;              // that the others made and this thread left out
    CodePlace beside;             // the thread's own store to the structure
    std::uint64_t block = 0, others = 0;
    std::uint32_t thread = 0;
    std::uint32_t grid[3] = {1, 1, 1}, threads[3] = {1, 1, 1};  // of the launch
};

}  // namespace tilescope::observers
