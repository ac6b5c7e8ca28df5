// BoundsCheck: a condition that keeps threads from accesses to memory, with its source line.
//
// Owns: BoundsCheck. Guarantees: made while lowering, on request only (isa::LowerRequest::lists_checks). Does not
// model: the meaning of the condition.
#pragma once

#include <cstdint>
#include <string>

namespace tilescope::machine {

enum class BoundsCheckKind : std::uint8_t {
    kGuards,     // without it its accesses happen for all threads that come by
    kEndsLoop,   // a loop ends by it and by nothing else, so that it cannot be taken out
    kEitherWay,  // both ways lead to accesses of global memory: it chooses, and keeps nobody out
};

struct BoundsCheck {
    std::string file;  // of the source, or the name of the PTX where that names none
    std::uint32_t line = 0;
    BoundsCheckKind kind = BoundsCheckKind::kGuards;
    std::uint32_t accesses = 0;  // places in the code that it guards; a called function counts as one
    bool is_out = false;         // the program runs without it
};

}  // namespace tilescope::machine
