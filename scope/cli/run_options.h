// The options that `run` and `launch` share, from the command line to SessionOptions.
#pragma once

#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/cli/source_options.h"
#include "scope/models/device.h"
#include "scope/report/budget.h"
#include "scope/report/suppressions.h"
#include "scope/session/options.h"
#include "scope/views/view.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}

namespace tilescope::cli {

inline constexpr const char* kOutputGroup = "What comes out";  // in --help

// As typed.
struct RunOptions {
    std::string device = "h200", compiler = "auto", caches = "on", color = "auto";
    std::string json, html, markdown, sarif, launches, max_instructions, memory_limit, time_limit, device_memory;
    std::string suppress, fill;
    std::string check = "auto", on_fault = "stop", status = "checked";
    std::vector<std::string> budgets, kernels, shapes, without_checks;
    SourceOptions source;
    double sample = 1;
    unsigned jobs = 0;
    bool warm = false, verbose = false, quiet = false, fold = false, open = false, strict = false;
    bool tells_checks = false;  // `boundaries` asks
    bool only_hazards = false;  // `check`: the report has nothing else
};

// `launch` has a --kernel of its own, which names the one that runs.
enum class KernelFilter : bool { kAbsent, kPresent };
void add_run_options(CLI::App& app, RunOptions& options, KernelFilter filter);
// What `trace` has a --shape of its own for.
void add_shape_option(CLI::App& app, RunOptions& options);
void add_check_options(CLI::App& app, RunOptions& options);
void add_color_option(CLI::App& app, std::string& color);

// Checked: everything that can be wrong with the options is found before anything runs.
struct RunPlan {
    SessionOptions session;
    models::Device device;
    std::vector<report::Budget> budgets;
    std::vector<report::Suppression> suppressions;
    std::string sarif;           // where to write hazards; "" for nowhere
    std::string json;            // where to write the profile; "" for nowhere
    std::string html, markdown;  // where to write the page, and the report for a comment
    bool open = false;           // the page, in a browser
    Diagnostics notes;           // on what was asked for
    bool quiet = false;
    bool strict = false;           // warnings of hazards decide the status as errors do
    bool program_decides = false;  // the exit status is the program's own, whatever was found
    bool only_hazards = false;     // the report on standard output has hazards alone
    bool fold = false;             // one entry for all launches of a kernel, in the report and in the profile
    views::ViewOptions view;
};

Result<RunPlan> plan(const RunOptions& options);

// Whether to colour what goes to this file descriptor: "always", "never", or "auto" for a terminal without NO_COLOR.
bool wants_color(const std::string& choice, int descriptor);

// Where each type of arithmetic turns from memory-bound to compute-bound on a device.
void set_ridges(const models::Device& device, views::ViewOptions& options);

// Whether approximate functions give the device's own bits: an H200's, with which they were compared.
bool has_compared_functions(const models::Device& device);

}  // namespace tilescope::cli
