// Device code that is linked over files (-rdc=true), through clang: the LLVM code of all of them becomes one, which is
// optimised and made PTX of as that of one file is, and what registers the files' kernels and variables registers them
// all with that one module.
//
// Guarantees: a name that two files define is an error with both files. Does not model: what the toolkit's linker
// leaves as calls, a function of another file, may be inlined here, as with its -dlto; a name that no file defines is
// left to whoever runs the code, who knows which kernel asks for it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scope/image/compile_steps.h"

namespace tilescope::image {

// One file's device half, not optimised yet.
struct DeviceUnit {
    std::filesystem::path source;
    std::filesystem::path code;  // LLVM code as text
};

// Of one unit: clang gives a static variable that the host copies to or from a name that no other file has, and what it
// saw of the kernels before that copy still asks for the old one. Here all ask for the new one.
std::string with_static_names(std::string_view llvm_ir);

// All units' LLVM code as one text. `compiler`: clang and its flags, for LLVM code as input. Codes:
// "image-device-link", and the compiler's.
Result<std::string> link_device_code(CompileJob& job, const std::vector<DeviceUnit>& units,
                                     const std::vector<std::string>& compiler);

// The function that a file's host half calls to have its kernels and variables registered; empty where there is none.
std::string registering_function(std::string_view host_ir);

// C source that defines these functions: they register with the module in the container, a file.
std::string registration_source(const std::vector<std::string>& functions, const std::filesystem::path& container);

}  // namespace tilescope::image
