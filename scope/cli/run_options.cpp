#include "scope/cli/run_options.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include "scope/base/files.h"
#include "scope/cli/help.h"
#include "scope/cli/open_page.h"
#include "scope/cli/values.h"
#include "scope/cli/version.h"

namespace tilescope::cli {
namespace {

constexpr const char* kRunGroup = "What runs";
constexpr const char* kCountGroup = "What is counted";

void add_what_runs(CLI::App& app, RunOptions& options) {
    app.add_option("--device", options.device, "GPU to model: a name that `tilescope devices` lists, or a JSON file")
        ->check(not_empty())
        ->type_name("NAME")
        ->capture_default_str()
        ->group(kRunGroup);
    app.add_option("--compiler", options.compiler,
                   "compiler for .cu files; auto uses nvcc if it is installed, else the newest clang")
        ->check(not_empty())
        ->type_name("auto|clang|nvcc|clang-16|PATH")
        ->group(kRunGroup);
    app.add_option("--jobs", options.jobs, "worker threads (default: one per core)")
        ->check(CLI::Range(1U, 4096U).description(""))
        ->type_name("N")
        ->group(kRunGroup);
    app.add_option("--max-instructions", options.max_instructions,
                   "stop with status 6 after N warp instructions (suffixes k, M, G, T: powers of 1000)")
        ->type_name("N")
        ->group(kRunGroup);
    app.add_option("--memory-limit", options.memory_limit,
                   "stop with status 6 when the run needs more memory for allocations, stacks and bookkeeping "
                   "(suffixes k, M, G, T: powers of 1024)")
        ->type_name("BYTES")
        ->group(kRunGroup);
    app.add_option("--device-memory", options.device_memory,
                   "memory of the GPU; cudaMalloc fails beyond it (suffixes k, M, G, T: powers of 1024)")
        ->type_name("BYTES")
        ->group(kRunGroup);
    app.add_option("--time-limit", options.time_limit,
                   "stop with status 6 after this time; the report has the launches that finished")
        ->type_name("SECONDS")
        ->group(kRunGroup);
    app.add_option(
           "--on-fault", options.on_fault,
           "on a bad access end the launch, or continue: loads return 0, stores do nothing; status 3 either way")
        ->check(one_of({"stop", "continue"}))
        ->type_name("stop|continue")
        ->capture_default_str()
        ->group(kRunGroup);
}

void add_what_is_counted(CLI::App& app, RunOptions& options, KernelFilter filter) {
    if (filter == KernelFilter::kPresent)
        app.add_option("--kernel", options.kernels, "count only kernels whose name matches (repeat)")
            ->allow_extra_args(false)
            ->type_name("GLOB")
            ->group(kCountGroup);
    app.add_option("--launches", options.launches, "count only these launches, from 0")
        ->type_name("A..B")
        ->group(kCountGroup);
    app.add_option("--sample", options.sample,
                   "run this fraction of each grid's blocks and scale the counts; results are incomplete")
        ->type_name("FRACTION")
        ->group(kCountGroup);
    app.add_option(
           "--check", options.check,
           "hazards to look for: memory, leaks, races, barriers, init, streams, all or none; they set status 4. "
           "auto (default): what costs little, without a status")
        ->type_name("KIND,...")
        ->group(kCountGroup);
    app.add_flag("--strict", options.strict, "set status 4 for warnings too")->group(kCountGroup);
    app.add_option(
           "--suppress", options.suppress,
           "hide known hazards listed in FILE, one 'KIND [FILE [KERNEL [LINES]]]' per line; the report counts them")
        ->type_name("FILE")
        ->group(kCountGroup);
    app.add_option("--fill", options.fill,
                   "byte that fills new device and shared memory, 0 to 255 or 0x00 to 0xff (default: 0)")
        ->type_name("BYTE")
        ->group(kCountGroup);
    app.add_option(
           "--caches", options.caches,
           "simulate L1, L2 and DRAM and estimate the time. on (default) samples long, repetitive launches; full "
           "simulates every block")
        ->check(one_of({"on", "off", "full"}))
        ->type_name("on|off|full")
        ->group(kCountGroup);
    app.add_flag("--warm", options.warm,
                 "keep the contents of L2 between launches (default: each launch starts with an empty L2)")
        ->group(kCountGroup);
}

void add_what_comes_out(CLI::App& app, RunOptions& options) {
    app.add_option("--json", options.json, "write the profile to FILE, as JSON")
        ->type_name("FILE")
        ->group(kOutputGroup);
    app.add_option("--html", options.html, "write the report to FILE, as a page with charts for a browser")
        ->type_name("FILE")
        ->group(kOutputGroup);
    app.add_flag("--open", options.open, "open the page of --html when the run ends")->group(kOutputGroup);
    app.add_option("--markdown", options.markdown,
                   "write the report to FILE, for a comment on a pull request (at most 60 KB)")
        ->type_name("FILE")
        ->group(kOutputGroup);
    app.add_option("--sarif", options.sarif, "write hazards to FILE as SARIF, for code-scanning tools")
        ->type_name("FILE")
        ->group(kOutputGroup);
    app.add_option(
           "--budget", options.budgets,
           "limit 'KERNEL: EXPR'; status 5 if it is broken (repeat): 'tiled*: global_load_sectors_per_request <= 4'")
        ->type_name("BUDGET")
        ->allow_extra_args(false)
        ->group(kOutputGroup);
    app.add_option(
           "--status", options.status,
           "exit status: checked (default) puts faults, hazards and budgets first; program returns the program's own")
        ->check(one_of({"checked", "program"}))
        ->type_name("checked|program")
        ->group(kOutputGroup);
    app.add_flag("--fold", options.fold, "merge all launches of a kernel into one entry, also in the profile")
        ->group(kOutputGroup);
    auto* verbose = app.add_flag("-v,--verbose", options.verbose, "report every launch and print more warnings");
    app.add_flag("-q,--quiet", options.quiet, "print no report and no warnings; files are still written")
        ->excludes(verbose)
        ->group(kOutputGroup);
    verbose->group(kOutputGroup);
}

// What --check auto looks for. Leaks decide a status or are nobody's business, so they have to be named.
constexpr std::uint32_t kAutoChecks = bit_of(Check::kMemory) | bit_of(Check::kRaces) | bit_of(Check::kBarriers) |
                                      bit_of(Check::kInit) | bit_of(Check::kStreams);

// "races,barriers" as bits.
std::uint32_t parse_checks(const std::string& text, Diagnostics& errors) {
    std::uint32_t checks = 0;
    if (text == "auto") return kAutoChecks;
    std::istringstream stream(text);
    for (std::string kind; std::getline(stream, kind, ',');) {
        if (kind == "none") continue;
        if (kind == "auto") {
            errors.push_back(error("cli-value", {}, "--check: auto stands alone", "--check auto, or a list of kinds"));
            continue;
        }
        const auto check = report::by_name<Check>(kind);
        if (check) {
            checks |= bit_of(*check);
        } else if (kind == "all") {
            for (const auto& row : report::kNames<Check>) checks |= bit_of(row.value);
        } else {
            errors.push_back(error("cli-value", {}, "--check: there is no check \"" + kind + "\"",
                                   report::all_names<Check>("") + ", auto, all or none"));
        }
    }
    return checks;
}

// Whether somebody asked for leaks, rather than for all that there is.
bool names_leaks(const std::string& text) {
    std::istringstream stream(text);
    for (std::string kind; std::getline(stream, kind, ',');)
        if (kind == report::name_of(Check::kLeaks) || kind == report::name_of(Check::kMemory)) return true;
    return false;
}

// Whichever was written last would be all that is left.
void refuse_shared_outputs(const RunOptions& options, Diagnostics& errors) {
    const std::pair<const char*, const std::string&> outputs[] = {{"--json", options.json},
                                                                  {"--html", options.html},
                                                                  {"--markdown", options.markdown},
                                                                  {"--sarif", options.sarif}};
    std::map<std::string, const char*> taken;
    for (const auto& [name, file] : outputs) {
        if (file.empty()) continue;
        std::error_code unreadable;
        // Made absolute first: where no part of a relative path exists, nothing else resolves a leading "./".
        const std::filesystem::path path =
            file == "-" ? std::filesystem::path(file)
                        : std::filesystem::weakly_canonical(std::filesystem::absolute(file), unreadable);
        const auto [other, is_first] = taken.emplace(unreadable ? file : path.string(), name);
        if (!is_first)
            errors.push_back(error("cli-value", {},
                                   std::string(other->second) + " and " + name + " write to the same " +
                                       (file == "-" ? "standard output" : "file, " + file),
                                   "give each its own file"));
    }
}

void refuse_what_says_nothing(const RunOptions& options, Diagnostics& errors) {
    refuse_shared_outputs(options, errors);
    if (options.open && (options.html.empty() || options.html == "-")) errors.push_back(nothing_to_open());
    if (options.warm && options.caches == "off")
        errors.push_back(
            error("cli-value", {}, "--warm says what L2 keeps, and there is none", "leave out --caches off"));
}

}  // namespace

void add_shape_option(CLI::App& app, RunOptions& options) {
    app.add_option(
           "--shape", options.shapes,
           "shape of a buffer, so that --check memory reports accesses that leave a row (repeat): M=500x500, or "
           "M=500x500:512 for rows 512 elements apart")
        ->type_name("NAME=SHAPE")
        ->allow_extra_args(false)
        ->group(kCountGroup);
}

void add_check_options(CLI::App& app, RunOptions& options) {
    app.add_option(
           "--without-check", options.without_checks,
           "run as if the bounds check at this line always passed (repeat); `tilescope boundaries` lists the checks")
        ->check(not_empty())
        ->type_name("[FILE:]LINE")
        ->allow_extra_args(false)
        ->group(kRunGroup);
    app.add_flag("--tell-checks", options.tells_checks)->group("");  // what `boundaries` needs of a run
}

void add_color_option(CLI::App& app, std::string& color) {
    app.add_option("--color", color, "color the report; auto: on a terminal, unless NO_COLOR is set")
        ->check(one_of({"auto", "always", "never"}))
        ->type_name("auto|always|never")
        ->group(kOutputGroup);
}

void add_run_options(CLI::App& app, RunOptions& options, KernelFilter filter) {
    shorten_help(app);
    add_what_runs(app, options);
    add_source_options(app, options.source);
    add_what_is_counted(app, options, filter);
    add_what_comes_out(app, options);
    add_color_option(app, options.color);
}

bool wants_color(const std::string& choice, int descriptor) {
    if (choice != "auto") return choice == "always";
    const char* no_color = std::getenv("NO_COLOR");
    return isatty(descriptor) == 1 && (no_color == nullptr || *no_color == '\0');
}

Result<RunPlan> plan(const RunOptions& options) {
    RunPlan plan;
    Diagnostics errors;
    refuse_what_says_nothing(options, errors);
    take(models::load_device(options.device), plan.device, errors);
    SessionOptions& session = plan.session;
    session.checks = parse_checks(options.check, errors);
    session.checks_are_auto = options.check == "auto";
    session.mild_leaks = !names_leaks(options.check);
    for (const std::string& text : options.shapes) {
        take(parse_shape(text), session.shapes.emplace_back(), errors);
        if (!session.shapes.back().within.empty())
            errors.push_back(error("cli-value", {}, "--shape: \"" + text + "\" names a part of an array",
                                   "only `trace` knows parts; give the shape of a buffer"));
    }
    if (!options.shapes.empty() && (session.checks & bit_of(Check::kMemory)) == 0)
        errors.push_back(error("cli-value", {}, "--shape says what --check memory looks at, and it is not requested",
                               "add --check memory"));
    for (const std::string& text : options.without_checks)
        if (!parse_check_place(text))
            errors.push_back(error("cli-value", {}, "--without-check: cannot use \"" + text + "\"",
                                   "name a line of the source, such as 42 or matmul.cu:42"));
    session.without_checks = options.without_checks;
    session.tells_checks = options.tells_checks;
    if (!options.launches.empty()) take(parse_launches(options.launches), session.launches, errors);
    if (!options.max_instructions.empty())
        take(parse_amount(options.max_instructions, "--max-instructions", 1000), session.max_instructions, errors);
    if (!options.memory_limit.empty())
        take(parse_amount(options.memory_limit, "--memory-limit", 1024), session.memory_limit, errors);
    if (!options.device_memory.empty())
        take(parse_amount(options.device_memory, "--device-memory", 1024), session.device_memory, errors);
    if (!options.time_limit.empty())
        take(parse_quantity(options.time_limit, "--time-limit"), session.time_limit, errors);
    if (!options.fill.empty()) take(parse_byte(options.fill, "--fill"), session.fill, errors);
    if (!options.suppress.empty()) {
        constexpr std::uint64_t kMost = 16 << 20;
        std::string why;
        if (const auto text = read_input(options.suppress, kMost, why))
            take(report::parse_suppressions(*text, options.suppress), plan.suppressions, errors);
        else
            errors.push_back(error("cli-read", {options.suppress}, "cannot read this file of suppressions: " + why));
    }
    if (!(options.sample > 0 && options.sample <= 1))
        errors.push_back(error("cli-value", {}, "--sample is a fraction above 0 and up to 1"));
    for (const std::string& text : options.budgets) {
        auto budget = report::parse_budget(text);
        if (!budget) errors.insert(errors.end(), budget.errors().begin(), budget.errors().end());
        if (budget) plan.budgets.push_back(std::move(*budget));
    }
    if (!errors.empty()) return errors;

    session.device = options.device;
    session.jobs = options.jobs;
    session.sample = options.sample;
    session.ask_ptxas = !options.source.no_ptxas;
    session.on_after_faults = options.on_fault == "continue";
    session.caches = options.caches != "off";
    session.caches_in_full = options.caches == "full";
    session.warm = options.warm;
    session.kernel_globs = options.kernels;
    session.progress = !options.quiet && isatty(STDERR_FILENO) == 1;
    session.color = wants_color(options.color, STDERR_FILENO);
    session.verbosity = options.verbose ? 1 : options.quiet ? -1 : 0;
    plan.json = options.json;
    plan.html = options.html;
    plan.markdown = options.markdown;
    plan.open = options.open;
    plan.sarif = options.sarif;
    plan.strict = options.strict;
    plan.program_decides = options.status == "program";
    plan.quiet = options.quiet;
    plan.fold = options.fold;
    plan.only_hazards = options.only_hazards;
    plan.view.color = wants_color(options.color, STDOUT_FILENO);
    plan.view.verbose = options.verbose;
    plan.view.tool_version = kVersion;
    plan.view.device = std::make_shared<models::Device>(plan.device);
    set_ridges(plan.device, plan.view);
    plan.view.functions_assumed = !has_compared_functions(plan.device);
    return plan;
}

bool has_compared_functions(const models::Device& device) {
    return device.compute_major == 9 && device.compute_minor == 0;
}

void set_ridges(const models::Device& device, views::ViewOptions& options) {
    const models::PeakRates& peak = device.peak;
    options.ridge_fp32 = device.ridge_fp32();
    options.ridge_fp64 = device.ridge_fp64();
    options.tensor_ridges = {.fp16 = device.ridge_of(peak.fp16_tensor),
                             .bf16 = device.ridge_of(peak.bf16_tensor),
                             .tf32 = device.ridge_of(peak.tf32_tensor),
                             .fp8 = device.ridge_of(peak.fp8_tensor),
                             .fp64 = device.ridge_of(peak.fp64_tensor),
                             .halves = device.ridge_of(peak.fp16)};
}

}  // namespace tilescope::cli
