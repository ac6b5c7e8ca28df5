// Whether an executable can run here: which CUDA runtime it is linked with, and the device code it carries.
//
// Guarantees: reads the file only; hostile files end in an error.
// Does not model: device code in shared libraries that the executable loads, which register themselves when it runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/image/fatbinary.h"

namespace tilescope::image {

struct Executable {
    std::string cudart;         // "libcudart.so.12": the name it asks the loader for
    unsigned cudart_major = 0;  // 12
    std::vector<FatEntry> entries;
};

// Codes, each with a hint that says how to rebuild:
// "image-not-executable", "image-no-cuda", "image-static-runtime", "image-no-ptx", and those of parse_fatbinary.
Result<Executable> inspect_executable(const std::filesystem::path& path);

// The device code alone, whatever CUDA runtime the file uses and whether or not PTX is among it; of shared libraries,
// too. Codes: "image-not-executable", "image-no-cuda", and those of parse_fatbinary.
Result<std::vector<FatEntry>> embedded_code(const std::filesystem::path& path);

}  // namespace tilescope::image
