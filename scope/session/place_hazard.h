// Where an instruction stands, for hazards: in the source, or in the PTX when the source is not known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "scope/machine/program.h"
#include "scope/session/loaded_module.h"

namespace tilescope {

inline void place_op(const machine::Program& program, const LoadedModule& module, std::uint32_t op, std::string& file,
                     std::uint32_t& line) {
    const machine::OpFacts& facts = program.facts[std::min<std::size_t>(op, program.facts.size() - 1)];
    if (facts.place.line != 0) {
        file = program.files[facts.place.file];
        line = facts.place.line;
    } else {
        file = module.text().name;
        line = facts.text_line;
    }
}

}  // namespace tilescope
