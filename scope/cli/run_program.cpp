#include "scope/cli/run_program.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "scope/base/files.h"
#include "scope/cli/child.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/host_lines.h"
#include "scope/cli/program.h"
#include "scope/cli/program_end.h"
#include "scope/cli/version.h"
#include "scope/image/compile.h"
#include "scope/image/executable.h"
#include "scope/models/advice_program.h"
#include "scope/report/journal.h"
#include "scope/views/words/speak.h"

namespace tilescope::cli {
namespace {

// A kernel that the time limit stops ends the program by itself; what still runs so long afterwards is ended for it.
constexpr auto kGrace = std::chrono::seconds(1);

// An empty file that is removed with its owner.
class TemporaryFile {
public:
    static Result<TemporaryFile> create() {
        std::error_code failed;
        const auto folder = std::filesystem::temp_directory_path(failed);
        std::string name = (failed ? std::filesystem::path("/tmp") : folder) / "tilescope-journal-XXXXXX";
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

std::string before_all(const std::vector<std::string>& libraries) {
    std::string all;
    for (const std::string& library : libraries) all += (all.empty() ? "" : ":") + library;
    const char* others = std::getenv("LD_PRELOAD");
    return others == nullptr || *others == '\0' ? all : all + ":" + others;
}

// Without this library --check streams would see less: nothing of what the C library does for the program.
Status can_load_before(const std::string& library) {
    if (access(library.c_str(), R_OK) != 0)
        return error("cli-runtime", {library}, "--check streams needs this library, which is not there",
                     "build the target tilescope_tools or install tilescope anew; other checks do without");
    // The loader takes its variable apart at spaces and colons.
    if (library.find_first_of(" :") != std::string::npos)
        return error("cli-runtime", {library},
                     "--check streams needs this library loaded first, and the loader takes no path with a space or a "
                     "colon",
                     "install tilescope in another folder; other checks do without");
    return Success{};
}

// What the loader takes before the program's own libraries.
Result<std::vector<std::string>> libraries_before(const std::string& folder, const RunPlan& plan, bool follows,
                                                  const std::string& static_runtime) {
    std::vector<std::string> before;
    if ((plan.session.checks & bit_of(Check::kStreams)) != 0 && !plan.session.checks_are_auto) {
        before.push_back(folder + "/libtilescope-host-calls.so");
        if (const Status usable = can_load_before(before.back()); !usable) return usable.errors();
    }
    // By their names alone, which the loader looks for in this folder.
    if (follows) {
        before.emplace_back("libtilescope-follow.so");
        const std::string whole = folder + "/" + before.back();
        if (access(whole.c_str(), R_OK) != 0)
            return error("cli-runtime", {whole}, "programs that start others need this library, which is not there",
                         "build the target tilescope_tools or install tilescope anew");
    }
    if (!static_runtime.empty()) before.push_back(static_runtime);
    return before;
}

void say_what_is_left(std::size_t processes) {
    complain(
        Diagnostic{Severity::kNote,
                   "cli-left-behind",
                   {},
                   "the program ended, and " + std::to_string(processes) +
                       (processes == 1 ? " process that it started runs on" : " processes that it started run on") +
                       ": waiting for the end of all (--time-limit ends them)",
                   {}});
}

// The program never began a journal, so there is nothing to report.
int without_journal(const std::string& program, bool follows, const ChildEnd& end, const RunPlan& plan) {
    if (end.timed_out)
        return give_up(plan,
                       {error("cli-time-limit", {program},
                              "the time limit was reached before the program loaded the CUDA runtime")},
                       kLimit, "time limit");
    if (end.signal != 0)
        return give_up(plan,
                       {error("cli-killed", {program},
                              std::string("the program was ended by signal ") + std::to_string(end.signal) + " (" +
                                  strsignal(end.signal) + ") before it loaded the CUDA runtime")},
                       status_of(end), "signal " + std::to_string(end.signal));
    if (follows)
        return give_up(
            plan,
            {error("cli-no-profile", {program},
                   "neither the program nor any that it started loaded tilescope's CUDA runtime or driver",
                   "a program that clears LD_LIBRARY_PATH, LD_PRELOAD or all of its environment hides what it "
                   "starts")},
            end.status != 0 ? end.status : static_cast<int>(kUsage), "exit " + std::to_string(end.status));
    return give_up(
        plan,
        {error("cli-no-profile", {program}, "the program did not load tilescope's CUDA runtime",
               "link it with the shared runtime (nvcc -cudart shared; CMake: CUDA_RUNTIME_LIBRARY Shared), and "
               "without an rpath to another one")},
        end.status != 0 ? end.status : static_cast<int>(kUsage), "exit " + std::to_string(end.status));
}

// A program that used nothing of the device leaves a journal without a head.
void fill_head(const RunPlan& plan, Profile& profile) {
    if (!profile.tilescope_version.empty()) return;
    profile.tilescope_version = kVersion;
    profile.device = plan.device.name;
    profile.program = plan.session.program;
    profile.compiler = plan.session.compiler;
    profile.diagnostics.push_back({Severity::kWarning,
                                   "cli-no-launch",
                                   {profile.program},
                                   "the program made no call of CUDA that needs the device",
                                   {}});
}

Result<ProgramRun> read_run(const std::string& journal, const ChildEnd& end, const RunPlan& plan,
                            const std::string& name) {
    auto profile = report::read_journal(journal, name);
    if (!profile) return profile.errors();
    fill_head(plan, *profile);
    note_end(end, plan.session.time_limit, *profile);
    find_host_lines(profile->failed_calls);
    find_host_lines(profile->transfers);
    profile->advice = models::advise_program(*profile, plan.device);
    views::speak(*profile);
    return ProgramRun{std::move(*profile), status_of(end)};
}

std::string absolute(const std::filesystem::path& path) {
    std::error_code failed;
    const auto whole = std::filesystem::absolute(path, failed);
    return failed ? path.string() : whole.string();
}

// Relative paths must hold where the program may go, too.
void fix_paths(const std::vector<std::string>& programs, const RunOptions& options, RunPlan& plan) {
    for (const std::string& program : programs)
        plan.view.source_directories.push_back(std::filesystem::path(program).parent_path().string());
    plan.view.source_directories.emplace_back(".");
    if (std::error_code failed; std::filesystem::exists(plan.session.device, failed))
        if (options.device.find('/') != std::string::npos || options.device.ends_with(".json"))
            plan.session.device = absolute(plan.session.device);
    if (plan.session.trace)
        for (const std::string& directory : plan.view.source_directories)
            plan.session.trace->source_directories.push_back(absolute(directory.empty() ? "." : directory));
}

}  // namespace

std::optional<ProgramRun> run_program(const std::vector<std::string>& programs, const RunOptions& options,
                                      RunPlan& plan, const Invocation& invocation, int& status) {
    const auto give_up = [&](const Diagnostics& errors, int why = kUsage) {
        status = cli::give_up(plan, errors, why);
        return std::nullopt;
    };
    // A program that starts others is not looked at beforehand.
    const bool follows = programs.empty();
    const std::vector<std::string>& words = follows ? invocation.program_arguments : programs;
    // What the program itself takes for its name.
    const std::string& program = words.front();
    for (const std::string& each : words) plan.session.program += (&each == &program ? "" : " ") + each;
    if (const Status claimed = claim_outputs(plan); !claimed) return give_up(claimed.errors());
    const auto prepared =
        follows ? prepare_any(program) : prepare(programs, options.compiler, options.source, plan.device);
    if (!prepared) return give_up(prepared.errors(), image::is_unsupported(prepared.errors()) ? kFault : kUsage);
    if (!plan.quiet && !prepared->messages.empty()) std::cerr << prepared->messages;
    const auto folder = runtime_folder();
    if (!folder) return give_up(folder.errors());
    const auto file = TemporaryFile::create();
    if (!file) return give_up(file.errors());
    plan.session.compiler = prepared->compiler;
    fix_paths(programs, options, plan);

    std::vector<std::string> arguments = invocation.program_arguments;
    if (!follows) arguments.insert(arguments.begin(), program);
    set_deadline(plan.session);
    ChildRequest request{prepared->executable, arguments, {}, {}, {file->name()}};
    std::optional<TemporaryFile> memory_file;
    if (plan.session.memory_limit != 0) {
        auto made = TemporaryFile::create();
        if (!made) return give_up(made.errors());
        plan.session.memory_file = memory_file.emplace(std::move(made).value()).name();
        request.scratch.push_back(memory_file->name());
    }
    if (!plan.quiet) request.left_behind = say_what_is_left;
    request.variables = {{kJournalVariable, file->name()},
                         {"LD_LIBRARY_PATH", library_path(*folder)},
                         {kOptionsVariable, encode(plan.session)},
                         {kCompilerVariable, options.compiler}};
    // What tilescope compiles itself has no library with a runtime of its own; another program may have, or open one.
    const bool may_open = follows || (programs.size() == 1 && !image::is_source(program));
    const auto before = libraries_before(*folder, plan, may_open, prepared->static_runtime);
    if (!before) return give_up(before.errors());
    if (!prepared->static_runtime.empty()) request.variables.emplace_back(kStaticRuntimeVariable, "1");
    if (!before->empty()) request.variables.emplace_back("LD_PRELOAD", before_all(*before));
    if (plan.session.deadline != 0)
        request.deadline =
            std::chrono::steady_clock::time_point(std::chrono::nanoseconds(plan.session.deadline)) + kGrace;
    const auto end = run_child(request);
    if (!end) return give_up(end.errors());

    const std::string journal = read_whole_file(file->name()).value_or(std::string());
    if (journal.empty()) {
        status = without_journal(program, follows, *end, plan);
        return std::nullopt;
    }
    auto run = read_run(journal, *end, plan, file->name());
    if (!run) return give_up(run.errors());
    return std::move(*run);
}

}  // namespace tilescope::cli
