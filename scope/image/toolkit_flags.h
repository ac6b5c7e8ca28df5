// nvcc's flags that are about its own steps, or are spelled as nvcc alone spells them, as the compiler here takes them.
//
// Owns: the table of these flags. Guarantees: pure functions of text; a flag that has no effect here is dropped, with a
// note where the user might expect one. Does not model: flags that compile_flags.h translates, and those that compilers
// have in common.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scope/image/toolchain.h"

namespace tilescope::image {

struct ToolkitFlags {
    std::vector<std::string> flags;  // what is left for the compiler
    std::vector<std::string> notes;  // a sentence each
    std::string arch;                // as asked, with the suffix that a flag names for the same architecture
};

// `arch`: of the device ("sm_90"), whatever the flags name.
ToolkitFlags apply_toolkit_flags(const std::vector<std::string>& flags, Compiler compiler, const std::string& arch);

// How many words a flag of nvcc's takes, itself included; 0: it is none that nvcc users know.
std::size_t words_of_toolkit_flag(const std::string& flag, const std::string& next);

}  // namespace tilescope::image
