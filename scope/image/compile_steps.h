// The two ways through which compile.cpp compiles; private to this room.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scope/image/compile.h"

namespace tilescope::image {

// One compilation: where it works and what it has found out.
struct CompileJob {
    std::filesystem::path source;  // absolute
    Toolchain toolchain;
    const CompileOptions* options;
    unsigned sm;                    // of options->arch
    std::filesystem::path scratch;  // for files that are not kept
    std::filesystem::path output;   // for those that are
    std::string messages;           // the compilers' warnings
    std::vector<std::filesystem::path> dependencies;
};

// output/program or output/kernel.ptx.
Status compile_with_nvcc(CompileJob& job, bool ptx_only);
Status compile_with_clang(CompileJob& job, bool ptx_only);

// Whether this nvcc no longer compiles for an architecture so old.
bool nvcc_is_too_new(const Toolchain& toolchain, unsigned sm);

// Runs one compiler: its messages are kept, or become the Diagnostics of a failure.
Status run_compiler(CompileJob& job, const std::vector<std::string>& arguments);

// Adds what a dependency file lists, less the files under the system's and our own header folders.
void add_dependencies(CompileJob& job, const std::filesystem::path& rule_file);

// What a failed compiler wrote, one Diagnostic for each of its errors; `program` names it where it said nothing.
Diagnostics compiler_errors(const std::string& text, const std::string& program, const std::string& hint);

}  // namespace tilescope::image
