// `tilescope --version -v`: what this program is, and what it found on this machine.
#pragma once

#include <string>

namespace tilescope::cli {

// A line for each: what built it, instruction sets, devices, compilers, ptxas, the folders of its own files. Asks each
// compiler for its release.
std::string about();

}  // namespace tilescope::cli
