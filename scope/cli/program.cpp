#include "scope/cli/program.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "scope/image/compile.h"
#include "scope/image/executable.h"

namespace tilescope::cli {
namespace {

namespace fs = std::filesystem;

unsigned sm_of(const models::Device& device) { return 10 * device.compute_major + device.compute_minor; }

Result<image::CompileOptions> compile_options(const std::string& compiler, const models::Device& device) {
    const auto chosen = image::choose_compiler(compiler);
    if (!chosen) return chosen.errors();
    image::CompileOptions options;
    options.compiler = chosen->kind;
    options.compiler_path = chosen->program;
    options.arch = "sm_" + std::to_string(sm_of(device));
    return options;
}

std::optional<Diagnostic> unreadable(const std::string& path) {
    std::error_code failed;
    if (!fs::exists(path, failed)) return error("cli-unreadable", {path}, "there is no such file");
    if (!fs::is_regular_file(path, failed)) return error("cli-unreadable", {path}, "this is not a file");
    if (!std::ifstream(path)) return error("cli-unreadable", {path}, "cannot read this file");
    return std::nullopt;
}

// What was meant, if the first path is a program and the others are its arguments.
std::string command_with_arguments(const std::vector<std::string>& paths) {
    std::string command = "tilescope run " + paths.front() + " --";
    for (std::size_t i = 1; i < paths.size(); ++i) command += " " + paths[i];
    return command;
}

}  // namespace

Result<Program> prepare(const std::vector<std::string>& paths, const std::string& compiler, const SourceOptions& source,
                        const models::Device& device) {
    auto options = compile_options(compiler, device);
    if (!options) return options.errors();
    for (const std::string& path : paths) {
        if (const Status none = image::check_interpreter(path); !none) return none.errors();
        if (auto failure = unreadable(path)) return *failure;
        if (fs::path(path).extension() == ".ptx")
            return error("cli-program", {path}, "this is PTX, which has no host program",
                         "`tilescope launch` runs a kernel out of a .ptx file");
        if (image::is_source(path) || (paths.size() > 1 && image::is_object(path))) continue;
        if (paths.size() > 1)
            return error(
                "cli-program", {path}, "one program is made of sources, objects and libraries, and this is none",
                "an executable is run alone, and what it is given stands behind --: " + command_with_arguments(paths));
        if (const Status none = no_flags_for(path, source); !none) return none.errors();
        const auto executable = image::inspect_executable(path);
        if (!executable) return executable.errors();
        return Program{path, {}, {}, executable->has_static_runtime ? executable->cudart : std::string()};
    }
    options->extra_flags = compile_flags(source);
    const auto folder = runtime_folder();
    if (!folder) return folder.errors();
    options->runtime_lib_dir = *folder;
    auto compiled = image::compile_program({paths.begin(), paths.end()}, *options);
    if (!compiled) return compiled.errors();
    return Program{compiled->executable.string(), compiled->compiler_name, compiled->messages};
}

Result<Program> prepare_any(const std::string& name) {
    const auto runs = [](const fs::path& path) {
        std::error_code failed;
        return fs::is_regular_file(path, failed) && access(path.c_str(), X_OK) == 0;
    };
    if (name.find('/') != std::string::npos) {
        if (auto failure = unreadable(name)) return *failure;
        if (!runs(name))
            return error("cli-program", {name}, "this file cannot be run", "make it executable (chmod +x)");
        return Program{name, {}, {}};
    }
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const fs::path whole = fs::path(folder.empty() ? "." : folder) / name; runs(whole))
            return Program{whole.string(), {}, {}};
    return error("cli-unreadable", {name}, "there is no program of that name in PATH");
}

Result<Kernels> prepare_kernels(const std::string& path, const std::string& compiler, const SourceOptions& source,
                                const models::Device& device) {
    if (auto failure = unreadable(path)) return *failure;
    if (const Status none = no_flags_for(path, source); !image::is_cuda_source(path) && !none) return none.errors();
    auto options = compile_options(compiler, device);
    if (!options) return options.errors();
    options->extra_flags = compile_flags(source);
    auto loaded = image::load_image(path, *options, sm_of(device), /*ask_ptxas=*/false);
    if (!loaded) return loaded.errors();
    std::string found;
    for (const image::LoadedPtx& ptx : loaded->ptx) found += (found.empty() ? "sm_" : ", sm_") + std::to_string(ptx.sm);
    const Diagnostic nothing_runs = error(
        "cli-no-ptx", {path}, "no PTX in here runs on " + device.name + " (sm_" + std::to_string(sm_of(device)) + ")",
        "it is for " + found);
    return Kernels{std::move(loaded).value(), nothing_runs};
}

Result<std::string> runtime_folder() {
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    if (failed) return error("cli-runtime", {}, "cannot find out where tilescope itself is: " + failed.message());
    std::string tried;
    for (const char* place : {"../lib/tilescope", "../lib"}) {
        const fs::path folder = (self.parent_path() / place).lexically_normal();
        if (fs::exists(folder / "libcudart.so.12", failed)) return folder.string();
        tried += (tried.empty() ? "" : ", ") + folder.string();
    }
    return error("cli-runtime", {}, "tilescope's CUDA runtime (libcudart.so.12) is not where it should be",
                 "looked in " + tried + "; build or install tilescope anew");
}

}  // namespace tilescope::cli
