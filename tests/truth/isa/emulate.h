// Lines of the table, run by the emulator.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "tests/truth/isa/table.h"

namespace tilescope::truth {

struct Answers {
    std::string problem;                                // of the first line that did not run; then the rest is missing
    std::map<std::size_t, std::vector<Lanes>> outputs;  // by the line's number, a list for each result
    std::string profile;                                // JSON of all launches
};

Answers emulate(std::span<const Line* const> lines, unsigned jobs);

}  // namespace tilescope::truth
