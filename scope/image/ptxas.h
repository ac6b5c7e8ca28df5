// What NVIDIA's assembler would decide about the kernels of a PTX text, where it is installed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"
#include "scope/image/cubin.h"

namespace tilescope::image {

// Assembles `ptx` for sm_`sm` (at least its .target) and reads the result; kept in the cache by content.
// "image-no-ptxas" where it is not installed, "image-ptxas" with its own words where it refuses the text. PTX with
// undefined functions (libdevice's, from clang) is refused: what it would say of code that calls them is not what
// holds for code they are inlined into.
Result<std::vector<KernelResources>> assemble(std::string_view ptx, unsigned sm,
                                              const std::filesystem::path& cache_dir = {});

}  // namespace tilescope::image
