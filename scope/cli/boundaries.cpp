// `tilescope boundaries`: which checks of an index a program needs, and what tells that one is missing.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>

#include "scope/cli/boundaries_answer.h"
#include "scope/cli/boundaries_runs.h"
#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/help.h"
#include "scope/cli/run_options.h"
#include "scope/cli/source_options.h"
#include "scope/cli/values.h"

namespace tilescope::cli {
namespace {

constexpr std::size_t kMostSizes = 64;

struct BoundariesCommand {
    std::vector<std::string> programs, kernels;
    std::string sizes, device = "h200", compiler = "auto", json, color = "auto";
    std::string check = "all", time_limit = "60";
    SourceOptions source;
    unsigned jobs = 0;
    bool verbose = false, quiet = false;
};

// "15,16,17", "15..18", or both.
Result<std::vector<std::string>> parse_sizes(const std::string& text) {
    std::vector<std::string> sizes;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const auto range = parse_range(part, "--sizes", "size", 0);
        if (!range) return range.errors();
        if (range->second - range->first >= kMostSizes || sizes.size() + (range->second - range->first) >= kMostSizes)
            return error("cli-value", {},
                         "--sizes: \"" + text + "\" is more than " + std::to_string(kMostSizes) + " sizes");
        for (std::uint64_t size = range->first; size <= range->second; ++size) sizes.push_back(std::to_string(size));
    }
    return sizes;
}

// What goes to `tilescope run` as it is.
std::vector<std::string> run_words(const BoundariesCommand& command) {
    std::vector<std::string> words = {"--device", command.device, "--compiler",   command.compiler,
                                      "--check",  command.check,  "--time-limit", command.time_limit};
    if (command.jobs != 0) words.insert(words.end(), {"--jobs", std::to_string(command.jobs)});
    for (const std::string& kernel : command.kernels) words.insert(words.end(), {"--kernel", kernel});
    const SourceOptions& source = command.source;
    const auto add = [&](const char* option, const std::vector<std::string>& values) {
        for (const std::string& value : values) words.insert(words.end(), {option, value});
    };
    add("-I", source.include_folders);
    add("--cuda-include", source.cuda_folders);
    add("-D", source.definitions);
    add("-L", source.library_folders);
    add("-l", source.libraries);
    for (const std::string& flags : source.flags) words.push_back("--compile-flags=" + flags);
    if (!source.standard.empty()) words.push_back("--std=" + source.standard);
    if (source.extended_lambda) words.emplace_back("--extended-lambda");
    if (source.no_ptxas) words.emplace_back("--no-ptxas");
    return words;
}

void show_run(std::uint64_t number, const std::string& what) {
    std::fprintf(stderr, "\r\033[Krun %llu: %s", static_cast<unsigned long long>(number), what.c_str());
}

// What is wrong with the program as it is decides, as it does for `run`.
int status_of_sizes(const Boundaries& boundaries) {
    int status = kRan;
    for (const BoundarySize& size : boundaries.sizes)
        if (size.status == kFault || size.status == kLimit || (size.status == kHazard && !size.hazards.empty()))
            status = status == kFault ? static_cast<int>(kFault) : size.status;
    return status;
}

int run_boundaries_command(const BoundariesCommand& command, const Invocation& invocation) {
    BoundaryRequest request;
    request.programs = command.programs;
    request.arguments = invocation.program_arguments;
    request.options = run_words(command);
    if (command.verbose && command.quiet)
        return complain(error("cli-usage", {}, "-v and -q do not go together")), kUsage;
    if (!command.sizes.empty()) {
        auto sizes = parse_sizes(command.sizes);
        if (!sizes) return complain(sizes.errors()), kUsage;
        if (!has_size(request.arguments))
            return complain(error("cli-usage", {}, "--sizes: no argument of the program holds {n}",
                                  "say where the size goes: tilescope boundaries " + command.programs.front() +
                                      " --sizes 15,16,17 -- {n}")),
                   kUsage;
        request.sizes = std::move(*sizes);
    }
    const bool shows_progress = !command.quiet && isatty(STDERR_FILENO) == 1;
    if (shows_progress) request.progress = show_run;
    const auto boundaries = run_boundaries(request);
    if (shows_progress) std::fputs("\r\033[K", stderr);
    if (!boundaries) return complain(boundaries.errors()), kUsage;
    if (!command.json.empty())
        if (const Status written = write_text(command.json, boundaries_json(*boundaries)); !written)
            return complain(written.errors()), kUsage;
    if (!command.quiet && command.json != "-")
        std::cout << boundaries_text(*boundaries, {wants_color(command.color, STDOUT_FILENO), command.verbose})
                  << std::flush;
    return status_of_sizes(*boundaries);
}

}  // namespace

Action add_boundaries(CLI::App& app) {
    constexpr const char* kGroup = "What is tried";
    auto command = std::make_shared<BoundariesCommand>();
    app.add_option("PROGRAM", command->programs,
                   ".cu and C++ files, or an executable, as `run` takes them; its arguments follow --, and {n} in them "
                   "stands for the size")
        ->required();
    app.add_option("--sizes", command->sizes,
                   "what to put in place of {n}: 15,16,17 or 15..17 (one less than a block is wide, as many, one more, "
                   "and two blocks and one)")
        ->check(not_empty())
        ->type_name("N,...")
        ->group(kGroup);
    app.add_option("--kernel", command->kernels, "look at kernels whose name matches alone (repeat)")
        ->allow_extra_args(false)
        ->check(not_empty())
        ->type_name("GLOB")
        ->group(kGroup);
    app.add_option("--check", command->check, "what counts as found: the hazards that `run --check` looks for")
        ->check(not_empty())
        ->type_name("KIND,...")
        ->capture_default_str()
        ->group(kGroup);
    app.add_option("--time-limit", command->time_limit, "end each run after so long (60)")
        ->check(not_empty())
        ->type_name("SECONDS")
        ->group(kGroup);
    app.add_option("--device", command->device, "GPU to model: a name that `tilescope devices` lists, or a JSON file")
        ->check(not_empty())
        ->type_name("NAME")
        ->capture_default_str()
        ->group(kGroup);
    app.add_option("--compiler", command->compiler,
                   "compiler for .cu files; auto takes nvcc when it is there, else the newest clang")
        ->check(not_empty())
        ->type_name("auto|clang|nvcc|clang-16|PATH")
        ->group(kGroup);
    app.add_option("--jobs", command->jobs, "worker threads of each run (one for each core)")
        ->check(CLI::Range(1U, 4096U).description(""))
        ->type_name("N")
        ->group(kGroup);
    add_source_options(app, command->source);
    app.add_option("--json", command->json, "write what was found here; - for standard output")
        ->check(not_empty())
        ->type_name("FILE")
        ->group(kOutputGroup);
    app.add_flag("-v,--verbose", command->verbose, "hazards in their own words")->group(kOutputGroup);
    app.add_flag("-q,--quiet", command->quiet, "no report; files are still written")->group(kOutputGroup);
    add_color_option(app, command->color);
    app.footer(
        "Example: tilescope boundaries matmul.cu --sizes 15,16,17,33 -- {n}\n"
        "`tilescope run --without-check FILE:LINE` shows one of these runs by itself.\n"
        "Exit status: 0 the program as it is has no hazard; 3 it faulted at some size, 4 it has hazards;\n"
        "2 wrong usage or a program that cannot be run; 6 it did not end.");
    return [command](const Invocation& invocation) { return run_boundaries_command(*command, invocation); };
}

}  // namespace tilescope::cli
