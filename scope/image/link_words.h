// What keeps parts from being one program, in the words of NVIDIA's linkers: programs and people look for them in logs.
//
// Guarantees: the words are the driver's of an H200 (tests/truth/driver_links_h200.txt); behind a part stands the place
// in the source as well, where the PTX tells it, in parentheses. Does not model: the order of names that two parts
// define; a variable that is declared and not used, which that driver wants to be defined, too.
#pragma once

#include <string>
#include <vector>

#include "scope/base/diagnostic.h"
#include "scope/image/link.h"
#include "scope/image/load.h"
#include "scope/ptx/module.h"

namespace tilescope::image {

// The names of parts that come one after the other.
class LinkNames {
public:
    // A line for each name of the part that those before it are in the way of; such a part is not kept. The part must
    // be PTX (check_ptx).
    std::vector<std::string> add(const LoadedPtx& part);

private:
    std::vector<ptx::Module> heads_;  // without what functions do
};

// A line for each name that a part uses and none defines, nor every device. None where the parts are in each other's
// way.
std::vector<std::string> lines_of_missing(const std::vector<LoadedPtx>& parts);

// The functions that a part by itself calls and does not define, nor every device; each where it is called.
std::vector<MissingName> unresolved_functions(const LoadedPtx& part);

// One text of lines, without an end of the last.
std::string joined_lines(const std::vector<std::string>& lines);

}  // namespace tilescope::image
