#include "scope/cli/run_options.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <sstream>

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
    app.add_option("--device", options.device, "device to model: a name that `devices` lists, or a JSON file")
        ->check(not_empty())
        ->type_name("NAME")
        ->capture_default_str()
        ->group(kRunGroup);
    app.add_option("--compiler", options.compiler,
                   "compiler for .cu files; auto takes nvcc when it is there, else the newest clang")
        ->check(not_empty())
        ->type_name("auto|clang|nvcc|clang-16|PATH")
        ->group(kRunGroup);
    app.add_option("--jobs", options.jobs, "worker threads (one for each core)")
        ->check(CLI::Range(1U, 4096U).description(""))
        ->type_name("N")
        ->group(kRunGroup);
    app.add_option("--max-instructions", options.max_instructions,
                   "stop with status 6 after so many warp instructions (k, M, G, T: powers of 1000)")
        ->type_name("N")
        ->group(kRunGroup);
    app.add_option("--memory-limit", options.memory_limit,
                   "stop with status 6 when device, managed and pinned memory, variables, stacks and what is noted of "
                   "them pass so many bytes together (k, M, G, T: powers of 1024)")
        ->type_name("BYTES")
        ->group(kRunGroup);
    app.add_option("--device-memory", options.device_memory,
                   "memory of the device, beyond which cudaMalloc fails (k, M, G, T: powers of 1024)")
        ->type_name("BYTES")
        ->group(kRunGroup);
    app.add_option("--time-limit", options.time_limit,
                   "end the run after so long, with status 6; what finished by then is reported")
        ->type_name("SECONDS")
        ->group(kRunGroup);
    app.add_option("--on-fault", options.on_fault,
                   "a bad access ends its launch, or gives 0 and changes nothing while the kernel goes on, and each "
                   "place is listed with its count; status 3 in either case")
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
                   "run only this fraction of each grid's blocks and scale the counts; results are then incomplete")
        ->type_name("FRACTION")
        ->group(kCountGroup);
    app.add_option(
           "--check", options.check,
           "hazards to look for. auto (default): as many as keep the run within 1.5 times its time; they are shown and "
           "don't change the status. A list, or all, covers every launch and sets status 4: memory (1.2 times the time "
           "of counting), leaks (1.0), races (2 to 4), barriers (1.1), init (1.2 to 1.3), streams (up to 1.7), all "
           "(up to 6). none: none")
        ->type_name("KIND,...")
        ->group(kCountGroup);
    app.add_flag("--strict", options.strict, "hazards that are warnings set status 4, too; notes never do")
        ->group(kCountGroup);
    app.add_option("--suppress", options.suppress,
                   "hazards not to tell of, one 'KIND [FILE [KERNEL [LINES]]]' a line; how many it hid is told")
        ->type_name("FILE")
        ->group(kCountGroup);
    app.add_option("--fill", options.fill,
                   "fresh device and shared memory holds this byte, 0 to 255 or 0x00 to 0xff (default 0)")
        ->type_name("BYTE")
        ->group(kCountGroup);
    app.add_option(
           "--caches", options.caches,
           "model L1, L2, DRAM and time (default on: of long launches that repeat themselves a part; full: all of "
           "them)")
        ->check(one_of({"on", "off", "full"}))
        ->type_name("on|off|full")
        ->group(kCountGroup);
    app.add_flag("--warm", options.warm,
                 "L2 keeps what it has from one launch to the next (default: each begins empty)")
        ->group(kCountGroup);
}

void add_what_comes_out(CLI::App& app, RunOptions& options) {
    app.add_option("--json", options.json, "write the profile here")->type_name("FILE")->group(kOutputGroup);
    app.add_option("--html", options.html, "write one page with every chart here, for a browser")
        ->type_name("FILE")
        ->group(kOutputGroup);
    app.add_flag("--open", options.open, "open that page when the run has ended")->group(kOutputGroup);
    app.add_option("--markdown", options.markdown, "write the report here for a comment on a change, at most 60 KB")
        ->type_name("FILE")
        ->group(kOutputGroup);
    app.add_option("--sarif", options.sarif, "write hazards here as SARIF, for code-scanning tools")
        ->type_name("FILE")
        ->group(kOutputGroup);
    app.add_option(
           "--budget", options.budgets,
           "'KERNEL: EXPR' that must hold, or status 5 (repeat): 'tiled*: global_load_sectors_per_request <= 4'")
        ->type_name("BUDGET")
        ->allow_extra_args(false)
        ->group(kOutputGroup);
    app.add_option("--status", options.status,
                   "whose exit status: checked (default), what is found decides before the program's own; program, its "
                   "own stands whatever faults and hazards are found")
        ->check(one_of({"checked", "program"}))
        ->type_name("checked|program")
        ->group(kOutputGroup);
    app.add_flag("--fold", options.fold, "one entry for all launches of a kernel, in the profile, too")
        ->group(kOutputGroup);
    auto* verbose = app.add_flag("-v,--verbose", options.verbose, "report every launch, warn of more");
    app.add_flag("-q,--quiet", options.quiet, "no report and no warnings; files are still written")
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

void refuse_what_says_nothing(const RunOptions& options, Diagnostics& errors) {
    if (options.open && (options.html.empty() || options.html == "-")) errors.push_back(nothing_to_open());
    if (options.warm && options.caches == "off")
        errors.push_back(
            error("cli-value", {}, "--warm says what L2 keeps, and there is none", "leave out --caches off"));
}

}  // namespace

void add_shape_option(CLI::App& app, RunOptions& options) {
    app.add_option("--shape", options.shapes,
                   "M=500x500: --check memory finds what leaves a row of M (repeat); M=500x500:512: rows begin 512 "
                   "elements apart")
        ->type_name("NAME=SHAPE")
        ->allow_extra_args(false)
        ->group(kCountGroup);
}

void add_check_options(CLI::App& app, RunOptions& options) {
    app.add_option("--without-check", options.without_checks,
                   "kernels run as if the check of an index at this line always held (repeat); `boundaries` lists them")
        ->check(not_empty())
        ->type_name("[FILE:]LINE")
        ->allow_extra_args(false)
        ->group(kRunGroup);
    app.add_flag("--tell-checks", options.tells_checks)->group("");  // what `boundaries` needs of a run
}

void add_color_option(CLI::App& app, std::string& color) {
    app.add_option("--color", color, "colour the report; auto: on a terminal, unless NO_COLOR is set")
        ->check(one_of({"auto", "always", "never"}))
        ->type_name("auto|always|never")
        ->group(kOutputGroup);
}

void add_run_options(CLI::App& app, RunOptions& options, KernelFilter filter) {
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
        errors.push_back(error("cli-value", {}, "--shape says what --check memory looks at, and it is not asked for",
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
