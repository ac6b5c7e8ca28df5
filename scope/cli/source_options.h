// How source files are compiled: the options that people know from nvcc, for the compiler that is used here.
//
// Owns: SourceOptions. Guarantees: what is given goes to the compiler, or is refused where nothing is compiled.
// Does not model: what the flags mean; scope/image/compile_flags.h knows what clang calls otherwise.
#pragma once

#include <string>
#include <vector>

#include "scope/base/result.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}

namespace tilescope::cli {

// As typed.
struct SourceOptions {
    std::vector<std::string> include_folders, cuda_folders, definitions, library_folders, libraries;
    std::string standard;
    bool extended_lambda = false;
    std::vector<std::string> flags;  // each a line of words
    bool no_ptxas = false;
};

void add_source_options(CLI::App& app, SourceOptions& options);

// As the compiler is given them.
std::vector<std::string> compile_flags(const SourceOptions& options);

// The error for a file that is not compiled, or success when there are no flags.
Status no_flags_for(const std::string& file, const SourceOptions& options);

// nvcc's flags among our own options as values of --compile-flags, for the commands that compile.
std::vector<std::string> with_toolkit_flags(std::vector<std::string> arguments);

// "-std=c++20" as our options are spelled, "--std=c++20": short names have one letter.
std::vector<std::string> with_long_standard(std::vector<std::string> arguments);

}  // namespace tilescope::cli
