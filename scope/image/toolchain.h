// The compilers on this machine that can turn a .cu file into a program.
//
// Guarantees: a Toolchain names a program that ran and told its version.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scope/base/result.h"

namespace tilescope::image {

// kAuto: nvcc where it is installed, else clang.
enum class Compiler { kAuto, kClang, kNvcc };

struct Toolchain {
    Compiler kind = Compiler::kClang;
    std::filesystem::path program;
    int major = 0;
    std::string name;                                  // "clang 19.1.7", "nvcc 13.0.88"
    std::vector<std::filesystem::path> configuration;  // files that this clang takes flags from
};

inline constexpr int kOldestClang = 14;
inline constexpr int kNewestClang = 19;

// nvcc: in PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda. clang: clang++-19 down to clang++-14, then clang++, in PATH.
// "image-no-compiler" with what to install.
Result<Toolchain> find_toolchain(Compiler wanted);

// What a user calls a compiler: "auto", "clang", "nvcc", a name with its release in PATH ("clang-16", "clang++-16",
// "nvcc-12.4", which is also looked for in /usr/local/cuda-12.4), or a path. `program` is empty where one is to be
// found.
struct CompilerChoice {
    Compiler kind = Compiler::kAuto;
    std::filesystem::path program;
};

// "image-no-compiler" for what is neither a word above nor a compiler that is installed; the hint says which are.
Result<CompilerChoice> choose_compiler(const std::string& name);

// One compiler by its path; kind is kClang or kNvcc. "image-no-compiler" if it is not that, or of an unsupported
// release.
Result<Toolchain> toolchain_at(Compiler kind, const std::filesystem::path& program);

// All that are installed and supported: nvcc, then clang, the newest first.
std::vector<Toolchain> installed_toolchains();

// ptxas, beside nvcc or in PATH; empty where it is not installed.
std::filesystem::path find_ptxas();

}  // namespace tilescope::image
