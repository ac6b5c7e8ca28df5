// CodePlace: an instruction of some program of the run, and the line that it has in its source.
#pragma once

#include <cstdint>
#include <string>

#include "scope/machine/program.h"

namespace tilescope::observers {

// A place in a program. The lines are only known once its launch is over.
struct CodePlace {
    static constexpr std::uint32_t kNowhere = ~0u;
    const machine::Program* program = nullptr;
    std::uint32_t op = kNowhere;
    std::string kernel, file;
    std::uint32_t line = 0;

    bool is_known() const { return op != kNowhere; }
};

}  // namespace tilescope::observers
