// CUDA's headers as clang has read them once: a precompiled header for each half and set of flags, kept in the cache of
// compiled programs.
//
// Most of what clang does with a small source is reading these headers. They are precompiled when the same flags come a
// second time, for that takes longer than reading them; macros that none of them names do not count.
//
// Guarantees: as those of the cache: what one was made from is unchanged, flags, environment and compiler included. A
// caller for whom clang fails with one tries again without. Does not model: sources whose device code is linked, and
// flags that are not known to leave headers alone.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scope/image/compile_steps.h"

namespace tilescope::image {

// For a half with these flags beside cuda_flags(); nothing where there is none, or none yet.
std::optional<std::filesystem::path> precompiled_headers(const CompileJob& job, const std::vector<std::string>& half);

}  // namespace tilescope::image
