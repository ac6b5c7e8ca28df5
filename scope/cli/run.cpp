// `tilescope run`: a whole program, its host code untouched, under our CUDA runtime.
#include <CLI/CLI.hpp>
#include <memory>

#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/run_options.h"
#include "scope/cli/run_program.h"

namespace tilescope::cli {
namespace {

struct RunCommand {
    RunOptions options;
    std::vector<std::string> programs;
};

// What is run: what stands before --, or else, behind it, a program that starts others.
int run_command(const RunCommand& command, const Invocation& invocation) {
    if (command.programs.empty() && invocation.program_arguments.empty())
        return give_up(command.options, {},
                       {error("cli-usage", {}, "PROGRAM is required",
                              "see `tilescope run --help`; `tilescope run -- PROGRAM ARG...` follows all processes of "
                              "a program that starts others")});
    const std::string& first =
        command.programs.empty() ? invocation.program_arguments.front() : command.programs.front();
    auto plan = cli::plan(command.options);
    if (!plan) return give_up(command.options, first, plan.errors());
    plan->view.invocation = begun(invocation);
    int status = kRan;
    const auto ran = run_program(command.programs, command.options, *plan, invocation, status);
    return ran ? finish(*plan, ran->profile, ran->status) : status;
}

// `run` and `check` differ in what they look for and report unless told otherwise.
Action add_program(CLI::App& app, const std::shared_ptr<RunCommand>& command) {
    app.add_option("PROGRAM", command->programs,
                   ".cu and C++ files, which are compiled and linked first, or an executable; its arguments follow "
                   "--. Without it: any program behind --, whose processes are followed");
    add_run_options(app, command->options, KernelFilter::kPresent);
    add_shape_option(app, command->options);
    add_check_options(app, command->options);
    return [command](const Invocation& invocation) { return run_command(*command, invocation); };
}

}  // namespace

Action add_run(CLI::App& app) {
    app.footer("Example: tilescope run --budget 'tiled*: global_load_sectors_per_request <= 4' matmul.cu -- 1024");
    return add_program(app, std::make_shared<RunCommand>());
}

Action add_check(CLI::App& app) {
    auto command = std::make_shared<RunCommand>();
    command->options.check = "all";
    command->options.caches = "off";
    command->options.only_hazards = true;
    app.footer("Example: tilescope check --check races,barriers matmul.cu -- 1024");
    return add_program(app, command);
}

}  // namespace tilescope::cli
