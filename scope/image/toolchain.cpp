#include "scope/image/toolchain.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <tuple>

#include "scope/image/process.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

// The digits and dots that follow `mark`.
std::string version_after(const std::string& text, const std::string& mark) {
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) return {};
    const std::size_t start = at + mark.size();
    return text.substr(start, std::min(text.find_first_not_of("0123456789.", start), text.size()) - start);
}

// What clang says of the files that it took flags from.
std::vector<fs::path> configuration_files(const std::string& said) {
    std::vector<fs::path> files;
    const std::string mark = "Configuration file: ";
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(mark)) files.emplace_back(line.substr(mark.size()));
    return files;
}

// A tool of the CUDA toolkit: in PATH, else where toolkits are installed.
std::optional<fs::path> find_cuda_tool(const std::string& name) {
    if (const auto found = find_program(name)) return found;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        const char* folder = std::getenv(variable);
        if (folder == nullptr) continue;
        const fs::path candidate = fs::path(folder) / "bin" / name;
        if (access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    const fs::path usual = fs::path("/usr/local/cuda/bin") / name;
    if (access(usual.c_str(), X_OK) == 0) return usual;
    return std::nullopt;
}

Result<Toolchain> find_clang() {
    std::optional<Diagnostic> refused;
    for (int major = kNewestClang; major >= kOldestClang - 1; --major) {
        const std::string name = major < kOldestClang ? "clang++" : "clang++-" + std::to_string(major);
        const auto program = find_program(name);
        if (!program) continue;
        auto found = toolchain_at(Compiler::kClang, *program);
        if (found) return found;
        if (!refused) refused = found.errors().front();
    }
    if (refused) return *refused;
    return error("image-no-compiler", {}, "no clang is installed",
                 "install clang, release 14 to 19: apt-get install clang-19, or the newest that there is");
}

Result<Toolchain> find_nvcc() {
    if (const auto program = find_cuda_tool("nvcc")) return toolchain_at(Compiler::kNvcc, *program);
    return error("image-no-compiler", {}, "nvcc is not installed",
                 "install the CUDA toolkit, set CUDA_HOME to it, or use --compiler clang");
}

// What a program answers to "--version", which takes a compiler some 20 ms: asked once for as long as it is the same
// file.
Result<ProcessOutput> said_version(const fs::path& program) {
    using File = std::tuple<std::string, dev_t, ino_t, off_t, time_t, long>;
    static std::mutex mutex;
    static std::map<File, ProcessOutput> known;
    struct stat what {};
    if (stat(program.c_str(), &what) != 0) return run_process({program.string(), "--version"});
    const File file{program.string(), what.st_dev,         what.st_ino,
                    what.st_size,     what.st_mtim.tv_sec, what.st_mtim.tv_nsec};
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(file); found != known.end()) return found->second;
    auto run = run_process({program.string(), "--version"});
    if (run && run->status == 0) known.emplace(file, *run);
    return run;
}

// What "--version" of either kind says; kAuto for anything else.
Compiler kind_of(const fs::path& program) {
    const auto run = said_version(program);
    if (!run || run->status != 0) return Compiler::kAuto;
    if (!version_after(run->output, "clang version ").empty()) return Compiler::kClang;
    return version_after(run->output, ", V").empty() ? Compiler::kAuto : Compiler::kNvcc;
}

// For hints: the compilers of this machine, and how to name one.
std::string what_can_be_chosen() {
    std::string names;
    for (const Toolchain& found : installed_toolchains())
        names += (names.empty() ? "" : ", ") + found.name + " (" + found.program.string() + ")";
    return (names.empty() ? "no compiler is installed" : "installed: " + names) +
           "; a compiler is auto, clang, nvcc, a name such as clang-16, or a path";
}

// The file that a name stands for: a path as it is, a name by PATH or, of the CUDA toolkit, where its releases lie.
std::optional<fs::path> find_named(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        std::error_code failure;
        if (!fs::is_regular_file(name, failure) || access(name.c_str(), X_OK) != 0) return std::nullopt;
        return fs::absolute(name);
    }
    if (const auto found = find_program(name)) return found;
    if (!name.starts_with("nvcc-")) return std::nullopt;
    const fs::path usual = fs::path("/usr/local/cuda-" + name.substr(5)) / "bin/nvcc";
    if (access(usual.c_str(), X_OK) == 0) return usual;
    return std::nullopt;
}

}  // namespace

Result<CompilerChoice> choose_compiler(const std::string& name) {
    if (name == "auto") return CompilerChoice{Compiler::kAuto, {}};
    if (name == "clang") return CompilerChoice{Compiler::kClang, {}};
    if (name == "nvcc") return CompilerChoice{Compiler::kNvcc, {}};
    const auto program = find_named(name);
    if (!program) return error("image-no-compiler", {}, "there is no compiler \"" + name + "\"", what_can_be_chosen());
    const Compiler kind = kind_of(*program);
    if (kind == Compiler::kAuto)
        return error("image-no-compiler", {program->string(), 0, 0}, "this is neither clang nor nvcc",
                     what_can_be_chosen());
    if (const auto toolchain = toolchain_at(kind, *program); !toolchain) return toolchain.errors();
    return CompilerChoice{kind, *program};
}

Result<Toolchain> toolchain_at(Compiler kind, const fs::path& program) {
    const auto run = said_version(program);
    if (!run) return run.errors();
    const bool nvcc = kind == Compiler::kNvcc;
    const std::string version = version_after(run->output, nvcc ? ", V" : "clang version ");
    if (run->status != 0 || version.empty())
        return error("image-no-compiler", {program.string(), 0, 0},
                     nvcc ? "this does not answer as nvcc does" : "this does not answer as clang does");
    const int major = std::atoi(version.c_str());
    if (!nvcc && (major < kOldestClang || major > kNewestClang))
        return error("image-no-compiler", {program.string(), 0, 0},
                     "clang " + version + " is not supported: " +
                         (major < kOldestClang ? "it lacks what tilescope's CUDA headers need"
                                               : "what it makes of CUDA programs has not been tried"),
                     "install clang, release 14 to 19: apt-get install clang-19");
    return Toolchain{kind, program, major, (nvcc ? "nvcc " : "clang ") + version,
                     nvcc ? std::vector<fs::path>() : configuration_files(run->output)};
}

Result<Toolchain> find_toolchain(Compiler wanted) {
    if (wanted == Compiler::kClang) return find_clang();
    auto nvcc = find_nvcc();
    if (wanted == Compiler::kNvcc || nvcc) return nvcc;
    auto clang = find_clang();
    if (clang) return clang;
    return error("image-no-compiler", {}, "no compiler for CUDA programs is installed: neither nvcc nor clang 14 to 19",
                 "apt-get install clang-19, or the newest that there is; with it no CUDA toolkit is needed");
}

std::vector<Toolchain> installed_toolchains() {
    std::vector<Toolchain> all;
    const auto add = [&](const Result<Toolchain>& found) {
        if (found) all.push_back(*found);
    };
    add(find_nvcc());
    const std::size_t others = all.size();
    for (int major = kNewestClang; major >= kOldestClang; --major)
        if (const auto program = find_program("clang++-" + std::to_string(major)))
            add(toolchain_at(Compiler::kClang, *program));
    if (all.size() == others) add(find_clang());
    return all;
}

fs::path find_ptxas() { return find_cuda_tool("ptxas").value_or(fs::path()); }

}  // namespace tilescope::image
