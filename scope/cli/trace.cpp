// `tilescope trace`: the phase table of one block.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <memory>

#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/kernel_choice.h"
#include "scope/cli/run_options.h"
#include "scope/cli/run_program.h"
#include "scope/cli/values.h"
#include "scope/views/render/phase_view.h"

namespace tilescope::cli {
namespace {

struct TraceCommand {
    RunOptions options;
    std::string block, threads, phases, svg;
    std::vector<std::string> programs, shapes;
};

std::uint32_t narrow(std::uint64_t value) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

Result<TraceOptions> trace_options(const TraceCommand& command) {
    TraceOptions trace;
    Diagnostics errors;
    if (!command.block.empty()) take(parse_place(command.block, "--block"), trace.block, errors);
    Range threads{trace.first_thread, trace.last_thread}, phases{trace.first_phase, trace.last_phase};
    if (!command.threads.empty()) take(parse_range(command.threads, "--threads", "thread", 0), threads, errors);
    if (!command.phases.empty()) take(parse_range(command.phases, "--phases", "phase", 1), phases, errors);
    for (const std::string& text : command.shapes) take(parse_shape(text), trace.shapes.emplace_back(), errors);
    if (!errors.empty()) return errors;
    trace.first_thread = narrow(threads.first);
    trace.last_thread = narrow(threads.second);
    trace.first_phase = narrow(phases.first);
    trace.last_phase = narrow(phases.second);
    return trace;
}

// Nothing was recorded: an error said why, or no launch was chosen.
Diagnostics why_nothing(const Profile& profile) {
    for (const Diagnostic& diagnostic : profile.diagnostics)
        if (diagnostic.severity == Severity::kError) return {};
    if (profile.launches.empty()) return {error("trace-no-launch", {}, "the program launched no kernel")};
    std::string kernels;
    std::vector<std::string> seen;
    for (const LaunchProfile& launch : profile.launches) {
        if (std::find(seen.begin(), seen.end(), launch.kernel) != seen.end()) continue;
        seen.push_back(launch.kernel);
        kernels += (kernels.empty() ? "" : ", ") + launch.kernel;
    }
    return {error("trace-no-launch", {}, "no launch was chosen to be traced",
                  "--kernel and --launches leave out all " + std::to_string(profile.launches.size()) +
                      " that there were: " + kernels)};
}

int trace(const TraceCommand& command, const Invocation& invocation) {
    auto plan = cli::plan(command.options);
    auto options = trace_options(command);
    if (!plan || !options) {
        Diagnostics errors = plan.errors();
        errors.insert(errors.end(), options.errors().begin(), options.errors().end());
        return give_up(command.options, command.programs.front(), errors);
    }
    plan->view.invocation = begun(invocation);
    plan->session.trace = std::move(*options);
    int status = kRan;
    const auto ran = run_program(command.programs, command.options, *plan, invocation, status);
    if (!ran) return status;
    const auto& table = ran->profile.trace;
    const std::string text =
        table && !plan->quiet && command.svg != "-" ? views::phase_text_view(*table, plan->view) : std::string();
    status = finish(*plan, ran->profile, ran->status, text);
    if (!table) {
        if (unmatched_kernels(plan->session.kernel_globs, ran->profile).empty()) complain(why_nothing(ran->profile));
        return status == kRan || status == ran->status ? static_cast<int>(kUsage) : status;
    }
    if (command.svg.empty()) return status;
    const Status written = write_text(command.svg, views::phase_svg_view(*table, plan->view.verbose));
    if (written) return status;
    complain(written.errors());
    return status == kRan ? static_cast<int>(kUsage) : status;
}

}  // namespace

Action add_trace(CLI::App& app) {
    constexpr const char* kGroup = "What is traced";
    auto command = std::make_shared<TraceCommand>();
    app.add_option("PROGRAM", command->programs,
                   ".cu and C++ files to compile and link, or an executable; its arguments follow --")
        ->required();
    app.add_option("--shape", command->shapes,
                   "show elements of array M by row and column: M=4x4 (repeat); Nds=2x2@tiles+16 for part of an array")
        ->type_name("NAME=SHAPE")
        ->allow_extra_args(false)
        ->group(kGroup);
    app.add_option("--block", command->block, "block to trace, counted from 0 (0,0,0)")
        ->type_name("X[,Y[,Z]]")
        ->group(kGroup);
    app.add_option("--threads", command->threads,
                   "threads to show, by index in the block (0..15); other threads are only counted")
        ->type_name("A..B")
        ->group(kGroup);
    app.add_option("--phases", command->phases, "phases to show (1..4); other phases are only counted")
        ->type_name("A..B")
        ->group(kGroup);
    app.add_option("--svg", command->svg, "write the table as a picture (SVG) to FILE")
        ->type_name("FILE")
        ->group(kGroup);
    command->options.check = "none";  // it shows what one block did
    add_run_options(app, command->options, KernelFilter::kPresent);
    app.footer(
        "tilescope traces the first launch that --kernel and --launches select.\n"
        "Example: tilescope trace examples/phases.cu --shape M=4x4 --shape N=4x4 --shape P=4x4");
    return [command](const Invocation& invocation) { return trace(*command, invocation); };
}

}  // namespace tilescope::cli
