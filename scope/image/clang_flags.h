// What clang is told: the flags of both halves of a CUDA source, and of LLVM code on its way to PTX.
//
// Owns: what ours are and what of the user's each half is given. Guarantees: pure functions of a job. Does not model:
// which steps there are (compile_clang.cpp).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "scope/image/compile_steps.h"

namespace tilescope::image {

// What a release of clang can be asked for: the newest architecture up to the wanted one, and the PTX version that has
// its instructions.
struct DeviceTarget {
    unsigned sm;
    unsigned ptx;
};
DeviceTarget device_target(int clang_major, unsigned wanted);

inline constexpr int kOpaquePointers = 15;  // the release from which LLVM no longer says what a pointer points to

// "clang-16" is the C compiler, which is told to link as the C++ compiler does.
inline constexpr const char* kLinksCpp = "--driver-mode=g++";

// "register" in C++17 is a warning, as it is to nvcc.
inline constexpr const char* kKeywordOfOld = "-Wno-error=register";

std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> parts);
// Those of the flags that start with one of these.
std::vector<std::string> starting_with(const std::vector<std::string>& all,
                                       std::initializer_list<std::string_view> starts);

// For both halves; `headers` is how they get CUDA's, before all others.
std::vector<std::string> cuda_flags(const CompileJob& job, const std::vector<std::string>& headers);
// The user's flags for one half, behind the defaults that they leave.
std::vector<std::string> host_flags(const CompileJob& job);
std::vector<std::string> user_device_flags(const CompileJob& job);
// The flags of all steps that make code of the device's half.
std::vector<std::string> device_flags(const CompileJob& job, const DeviceTarget& target);
// What the front end needs to know of how floats are computed; our headers ask for the names.
std::vector<std::string> arithmetic_flags(const CompileJob& job);
// clang as a compiler of device code alone; the same for LLVM code as input.
std::vector<std::string> device_compiler(const CompileJob& job, const DeviceTarget& target);
std::vector<std::string> llvm_flags(const CompileJob& job, const DeviceTarget& target);

}  // namespace tilescope::image
