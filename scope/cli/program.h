// What `run` is given, made ready to run: source files are compiled and linked, an executable is checked.
#pragma once

#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/cli/source_options.h"
#include "scope/image/load.h"
#include "scope/models/device.h"
#include "scope/session/session.h"

namespace tilescope::cli {

struct Program {
    std::string executable;
    std::string compiler;          // "clang 19.1.7"; "" for an executable
    std::string messages;          // the compiler's warnings
    std::string static_runtime{};  // "libcudart.so.13": what stands for the runtime that is linked into it
};

// paths: source files, which become one program, or an executable. compiler: as image::choose_compiler takes it.
Result<Program> prepare(const std::vector<std::string>& paths, const std::string& compiler, const SourceOptions& source,
                        const models::Device& device);

// A program that starts others, whatever it is itself: a path, or a name that PATH has. Its own name stays.
Result<Program> prepare_any(const std::string& name);

// What Session::load takes.
struct Kernels {
    image::LoadedImage image;
    Diagnostic nothing_runs;
};

// The kernels of a .ptx file, a .cu file or a fat binary. ptxas has not been asked about them
// (image::ask_for_resources).
Result<Kernels> prepare_kernels(const std::string& path, const std::string& compiler, const SourceOptions& source,
                                const models::Device& device);

// Folder that holds our libcudart: beside this program where it is installed, else where the build put it.
Result<std::string> runtime_folder();

}  // namespace tilescope::cli
