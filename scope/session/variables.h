// The variables of a kernel: how large one is, how many there are during a launch, who sees them and how long they
// live.
//
// Owns: list_variables(), source_name(). Guarantees: every shared, constant, global and managed variable that reachable
// code of the kernel refers to has a row, by its name in the source; two variables never share one. A function's name
// stands before a variable's only where needed to tell two apart; variables that even so are called the same (in
// blocks of one function) are numbered in the order of the text.
// Does not model: buffers behind pointers, which are the host's and no variables of the kernel; names of variables in
// registers and of local arrays, which do not survive in PTX (they have one row together); managed variables of clang,
// which has none and calls them global.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scope/machine/program.h"
#include "scope/report/profile.h"
#include "scope/session/loaded_module.h"

namespace tilescope {

// The head of `launch` (grid, block, registers, memory) must be filled in.
std::vector<Variable> list_variables(const machine::Program& program, const LoadedModule& module,
                                     const LaunchProfile& launch);

// A variable's name, from the outside in: alone, with its function in front, with the function's parameters, too.
// "_ZZ5tiledPKfS0_PfiE3Mds" is "Mds", "tiled::Mds" and "tiled(float const*, float const*, float*, int)::Mds".
struct SourceName {
    std::string plain, with_function, full;
};
SourceName source_name(std::string_view mangled);

// Names that differ for all of `mangled`, in the same order, each as short as that allows.
std::vector<std::string> source_names(const std::vector<std::string>& mangled);

}  // namespace tilescope
