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
    std::string cudart;                  // "libcudart.so.12": the name it asks the loader for, or has in itself
    unsigned cudart_major = 0;           // 12
    bool uses_driver = false;            // and no runtime
    bool has_static_runtime = false;     // linked into it: functions by name, which ours take over
    std::vector<std::string> libraries;  // all that it asks for, by name
    std::vector<FatEntry> entries;
};

// Codes, each with a hint that says how to rebuild:
// "image-not-executable", "image-no-cuda", "image-static-runtime" (of one whose functions cannot be found),
// "image-no-ptx", and those of parse_fatbinary; and for what is not there at all (is_unsupported())
// "image-python".
Result<Executable> inspect_executable(const std::filesystem::path& path);

// Whether `path` names an interpreter or a script of Python: the error for it.
Status check_interpreter(const std::filesystem::path& path);

// Whether these errors say that a program needs something that is not there, rather than that it cannot be used as it
// is.
bool is_unsupported(const Diagnostics& errors);

// The device code alone, whatever CUDA runtime the file uses and whether or not PTX is among it; of shared libraries,
// too. Codes: "image-not-executable", "image-no-cuda", and those of parse_fatbinary.
Result<std::vector<FatEntry>> embedded_code(const std::filesystem::path& path);

}  // namespace tilescope::image
