// Which release of the CUDA runtime is linked into an executable or a library (nvcc's default, -cudart static).
//
// Guarantees: goes by the names of functions alone, so that what was stripped of its symbols has none. A program's own
// functions of these names, which stand in for the runtime, are none: NVIDIA's are hidden, so that they are local where
// they are linked in, or have others beside them that only its library has.
#pragma once

#include <string_view>
#include <vector>

#include "scope/image/elf_view.h"

namespace tilescope::image {

// 11, 12 or 13; 0: there is none whose functions can be found. Releases are told apart by functions that the next one
// left out: cudaBindTexture is not in 12, cudaThreadExit and cudaLaunchCooperativeKernelMultiDevice are not in 13.
unsigned static_runtime_release(const std::vector<ElfSymbol>& symbols);

// Whether that is the name of a function which programs call: cudaMalloc, __cudaRegisterFatBinary.
inline bool is_name_of_runtime(std::string_view name) { return name.starts_with("cuda") || name.starts_with("__cuda"); }

}  // namespace tilescope::image
