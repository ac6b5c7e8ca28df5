// The code that a program registered: what its fat binary holds, for the session to load.
#pragma once

#include <string>

#include "scope/base/result.h"
#include "scope/image/load.h"

namespace tilescope::runtime {

// wrapper: what __cudaRegisterFatBinary was handed, in this process's own memory. capability: 90 for compute capability
// 9.0. ask_ptxas: where no machine code lies beside the PTX. nothing_runs: "runtime-no-ptx", the error if no PTX in it
// can run there; the hint says how to rebuild `program`.
Result<image::LoadedImage> read_image(const void* wrapper, unsigned capability, const std::string& program,
                                      bool ask_ptxas, Diagnostic& nothing_runs);

}  // namespace tilescope::runtime
