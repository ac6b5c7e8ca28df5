// What NVIDIA's assembler would decide about the kernels of a PTX text, where it is installed.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"
#include "scope/image/cubin.h"

namespace tilescope::image {

// Assembles `ptx` for sm_`sm` (at least its .target) and reads the result; kept in the cache by content.
// "image-no-ptxas" where it is not installed, "image-ptxas" with its own words where it refuses the text,
// "image-ptxas-limit" where it was stopped because it would take too much time or memory. PTX with
// undefined functions (libdevice's, from clang) is refused: what it would say of code that calls them is not what
// holds for code they are inlined into. `fuses`: whether products and sums may become multiply-adds. What is not done
// by the deadline is stopped.
Result<std::vector<KernelResources>> assemble(std::string_view ptx, unsigned sm,
                                              const std::filesystem::path& cache_dir = {}, bool fuses = true,
                                              std::optional<std::chrono::steady_clock::time_point> deadline = {});

// Whether an assembler that is told this (FatEntry::options, assembler_options()) makes multiply-adds of products and
// sums that name no rounding: not with --fmad=false, and not where it does not optimise.
bool contracts(std::string_view options);

// Of the reasons why assemble() failed those that a user should read, as notes: a limit, not a dialect of PTX.
Diagnostics worth_a_word(const Diagnostics& reasons);

}  // namespace tilescope::image
