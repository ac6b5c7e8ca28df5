// Where an instruction stands, for hazards: in the source, or in the PTX when the source is not known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "scope/machine/program.h"
#include "scope/session/launch/code_order.h"
#include "scope/session/loaded_module.h"

namespace tilescope {

// Of an op that has no line of its own, as it came of several: the nearest one before it in its function, else behind
// it.
inline machine::SourcePlace near_place(const machine::Program& program, std::uint32_t op) {
    const auto [begin, end] = ops_of_function(program, op);
    for (std::uint32_t i = op; i-- > begin;)
        if (program.facts[i].place.line != 0) return program.facts[i].place;
    for (std::uint32_t i = op + 1; i < end; ++i)
        if (program.facts[i].place.line != 0) return program.facts[i].place;
    return {};
}

inline void place_op(const machine::Program& program, const LoadedModule& module, std::uint32_t op, std::string& file,
                     std::uint32_t& line) {
    op = static_cast<std::uint32_t>(std::min<std::size_t>(op, program.facts.size() - 1));
    const machine::OpFacts& facts = program.facts[op];
    const machine::SourcePlace place = facts.place.line != 0 ? facts.place : near_place(program, op);
    if (place.line != 0) {
        file = program.files[place.file];
        line = place.line;
    } else {
        file = module.text().name;
        line = facts.text_line;
    }
}

}  // namespace tilescope
