// `tilescope run`: a whole program, its host code untouched, under our CUDA runtime.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "scope/cli/child.h"
#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/program.h"
#include "scope/cli/run_options.h"
#include "scope/report/json.h"

namespace tilescope::cli {
namespace {

struct RunCommand {
    RunOptions options;
    std::string program;
};

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

std::string read_all(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return std::move(text).str();
}

std::string library_path(const std::string& folder) {
    const char* before = std::getenv("LD_LIBRARY_PATH");
    return before == nullptr || *before == '\0' ? folder : folder + ":" + before;
}

// The program ended without leaving a profile.
int without_profile(const std::string& program, const ChildEnd& end) {
    constexpr int kSignalBase = 128;  // as shells tell it
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

int run(const RunCommand& command, const Invocation& invocation) {
    auto plan = cli::plan(command.options);
    if (!plan) return complain(plan.errors()), kUsage;
    const auto program = prepare(command.program, command.options.compiler, plan->device);
    if (!program) return complain(program.errors()), kUsage;
    if (!plan->quiet && !program->messages.empty()) std::cerr << program->messages;
    const auto folder = runtime_folder();
    if (!folder) return complain(folder.errors()), kUsage;
    const auto file = TemporaryFile::create();
    if (!file) return complain(file.errors()), kUsage;

    plan->session.program = command.program;
    plan->session.compiler = program->compiler;
    plan->view.source_directories = {std::filesystem::path(command.program).parent_path().string(), "."};
    // A relative path to a device file must hold where the program may go, too.
    if (std::error_code failed; std::filesystem::exists(plan->session.device, failed))
        if (command.options.device.find('/') != std::string::npos || command.options.device.ends_with(".json"))
            plan->session.device = std::filesystem::absolute(plan->session.device).string();

    std::vector<std::string> arguments = {command.program};
    arguments.insert(arguments.end(), invocation.program_arguments.begin(), invocation.program_arguments.end());
    const auto end = run_child(program->executable, arguments,
                               {{"LD_LIBRARY_PATH", library_path(*folder)},
                                {kOptionsVariable, encode(plan->session)},
                                {kProfileVariable, file->name()}});
    if (!end) return complain(end.errors()), kUsage;

    const std::string text = read_all(file->name());
    if (text.empty()) return without_profile(command.program, *end);
    auto profile = report::from_json(text, file->name());
    if (!profile) return complain(profile.errors()), kUsage;
    int own = end->status;
    if (end->signal != 0) {
        constexpr int kSignalBase = 128;
        own = kSignalBase + end->signal;
        complain(error("cli-killed", {command.program},
                       std::string("the program was ended by a signal (") + strsignal(end->signal) + ")"));
    }
    return finish(*plan, *profile, own);
}

}  // namespace

Action add_run(CLI::App& app) {
    auto command = std::make_shared<RunCommand>();
    app.add_option("PROGRAM", command->program,
                   "a .cu file, which is compiled first, or an executable; its arguments follow --")
        ->required();
    add_run_options(app, command->options, KernelFilter::kPresent);
    app.footer("Example: tilescope run --budget 'tiled*: global_load_sectors_per_request <= 4' matmul.cu -- 1024");
    return [command](const Invocation& invocation) { return run(*command, invocation); };
}

}  // namespace tilescope::cli
