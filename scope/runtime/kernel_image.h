// Which of a fat binary's forms runs: the PTX for the emulated device, and what the machine code beside it tells.
#pragma once

#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/session/session.h"

namespace tilescope::runtime {

struct KernelImage {
    std::string ptx;
    std::string name;                // for messages: the source file where it is known
    std::vector<KernelFacts> facts;  // empty: nobody told
    Diagnostics notes;               // why
};

// wrapper: what __cudaRegisterFatBinary was handed, in this process's own memory. capability: 90 for compute capability
// 9.0. "runtime-no-ptx" when no PTX in it can run there: the hint says how to rebuild `program`. ask_ptxas: where no
// machine code lies beside the PTX.
Result<KernelImage> read_image(const void* wrapper, unsigned capability, const std::string& program, bool ask_ptxas);

}  // namespace tilescope::runtime
