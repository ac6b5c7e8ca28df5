#include "scope/cli/run_program.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "scope/base/files.h"
#include "scope/cli/child.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/program.h"
#include "scope/report/json.h"

namespace tilescope::cli {
namespace {

constexpr int kSignalBase = 128;  // as shells tell it

// An empty file that is removed with its owner.
class TemporaryFile {
public:
    static Result<TemporaryFile> create() {
        std::error_code failed;
        const auto folder = std::filesystem::temp_directory_path(failed);
        std::string name = (failed ? std::filesystem::path("/tmp") : folder) / "tilescope-profile-XXXXXX";
        const int descriptor = mkstemp(name.data());
        if (descriptor < 0) return error("cli-temporary", {name}, "cannot make a temporary file", "set TMPDIR");
        close(descriptor);
        return TemporaryFile(std::move(name));
    }
    ~TemporaryFile() {
        if (!name_.empty()) unlink(name_.c_str());
    }
    TemporaryFile(TemporaryFile&& other) noexcept : name_(std::exchange(other.name_, {})) {}
    TemporaryFile& operator=(TemporaryFile&&) = delete;

    const std::string& name() const { return name_; }

private:
    explicit TemporaryFile(std::string name) : name_(std::move(name)) {}
    std::string name_;
};

std::string library_path(const std::string& folder) {
    const char* before = std::getenv("LD_LIBRARY_PATH");
    return before == nullptr || *before == '\0' ? folder : folder + ":" + before;
}

// The program ended without leaving a profile.
int without_profile(const std::string& program, const ChildEnd& end) {
    if (end.signal != 0) {
        complain(
            error("cli-killed", {program},
                  std::string("the program was ended by a signal (") + strsignal(end.signal) + ") and left no profile",
                  "this happened in its host code; a debugger on the program itself may tell more"));
        return kSignalBase + end.signal;
    }
    complain(error("cli-no-profile", {program},
                   "the program made no use of the CUDA runtime, or left without its exit handlers",
                   "link it with the shared runtime (nvcc -cudart shared) and let it return from main or call exit"));
    return end.status != 0 ? end.status : static_cast<int>(kUsage);
}

std::string absolute(const std::filesystem::path& path) {
    std::error_code failed;
    const auto whole = std::filesystem::absolute(path, failed);
    return failed ? path.string() : whole.string();
}

// Relative paths must hold where the program may go, too.
void fix_paths(const std::string& program, const RunOptions& options, RunPlan& plan) {
    plan.view.source_directories = {std::filesystem::path(program).parent_path().string(), "."};
    if (std::error_code failed; std::filesystem::exists(plan.session.device, failed))
        if (options.device.find('/') != std::string::npos || options.device.ends_with(".json"))
            plan.session.device = absolute(plan.session.device);
    if (plan.session.trace)
        for (const std::string& directory : plan.view.source_directories)
            plan.session.trace->source_directories.push_back(absolute(directory.empty() ? "." : directory));
}

}  // namespace

std::optional<ProgramRun> run_program(const std::string& program, const RunOptions& options, RunPlan& plan,
                                      const Invocation& invocation, int& status) {
    const auto give_up = [&](const Diagnostics& errors) {
        complain(errors);
        status = kUsage;
        return std::nullopt;
    };
    const auto prepared = prepare(program, options.compiler, plan.device);
    if (!prepared) return give_up(prepared.errors());
    if (!plan.quiet && !prepared->messages.empty()) std::cerr << prepared->messages;
    const auto folder = runtime_folder();
    if (!folder) return give_up(folder.errors());
    const auto file = TemporaryFile::create();
    if (!file) return give_up(file.errors());
    plan.session.program = program;
    plan.session.compiler = prepared->compiler;
    fix_paths(program, options, plan);

    std::vector<std::string> arguments = {program};
    arguments.insert(arguments.end(), invocation.program_arguments.begin(), invocation.program_arguments.end());
    const auto end = run_child(prepared->executable, arguments,
                               {{"LD_LIBRARY_PATH", library_path(*folder)},
                                {kOptionsVariable, encode(plan.session)},
                                {kProfileVariable, file->name()}});
    if (!end) return give_up(end.errors());

    const std::string text = read_whole_file(file->name()).value_or(std::string());
    if (text.empty()) {
        status = without_profile(program, *end);
        return std::nullopt;
    }
    auto profile = report::from_json(text, file->name());
    if (!profile) return give_up(profile.errors());
    ProgramRun run{std::move(*profile), end->status};
    if (end->signal != 0) {
        run.status = kSignalBase + end->signal;
        complain(error("cli-killed", {program},
                       std::string("the program was ended by a signal (") + strsignal(end->signal) + ")"));
    }
    return run;
}

}  // namespace tilescope::cli
