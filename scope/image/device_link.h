// Files whose device code is one program (-rdc=true), through clang: what has them registered with that one module, and
// what clang's code needs before a linker (link.h) can make one of the files' PTX.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::image {

// Of one unit: clang gives a static variable that the host copies to or from a name that no other file has, and what it
// saw of the kernels before that copy still asks for the old one. Here all ask for the new one.
std::string with_static_names(std::string_view llvm_ir);

// The function that a file's host half calls to have its kernels and variables registered; empty where there is none.
std::string registering_function(std::string_view host_ir);

// C source that defines these functions: they register with the module in the container, a file.
std::string registration_source(const std::vector<std::string>& functions, const std::filesystem::path& container);

}  // namespace tilescope::image
