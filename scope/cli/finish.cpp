#include "scope/cli/finish.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scope/base/files.h"
#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/failed_calls.h"
#include "scope/cli/kernel_choice.h"
#include "scope/cli/open_page.h"
#include "scope/cli/version.h"
#include "scope/report/budget.h"
#include "scope/report/caveats.h"
#include "scope/report/checked.h"
#include "scope/report/clean.h"
#include "scope/report/fold.h"
#include "scope/report/json.h"
#include "scope/report/suppressions.h"
#include "scope/views/view.h"

namespace tilescope::cli {
namespace {

std::string place(const Dim3& at) {
    return "(" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " + std::to_string(at[2]) + ")";
}

Diagnostic explain_hazard(const Hazard& hazard) {
    const std::string kind(report::name_of(hazard.kind));
    const bool is_found = report::is_finding(hazard);
    std::string message = kind;
    if (!hazard.message.empty()) message += ": " + hazard.message;
    if (!hazard.kernel.empty()) message += "; kernel " + hazard.kernel;
    if (!hazard.kernel.empty() && report::is_of_thread(hazard))
        message += ", block " + place(hazard.block) + ", thread " + place(hazard.thread);
    if (hazard.count > 1 && hazard.kind != HazardKind::kLeak)
        message += is_found ? ", the first of " + std::to_string(hazard.count)
                            : ", the first of " + std::to_string(hazard.count) + " such accesses";
    const std::string code = (is_found ? "hazard-" : "fault-") + kind;
    return {hazard.severity, code, {hazard.file, hazard.line}, message, hazard.hint};
}

// What --check auto finds never counts. Leaks that --check all finds by the way are warnings that never count.
bool any_hazard(const Profile& profile, bool is_strict) {
    const auto tells = [&](const Hazard& hazard) {
        const bool is_counted_warning =
            is_strict && hazard.severity == Severity::kWarning && hazard.kind != HazardKind::kLeak;
        return !hazard.by_auto && (hazard.severity == Severity::kError || is_counted_warning);
    };
    if (std::any_of(profile.hazards.begin(), profile.hazards.end(), tells)) return true;
    return std::any_of(profile.launches.begin(), profile.launches.end(), [&](const LaunchProfile& launch) {
        return std::any_of(launch.hazards.begin(), launch.hazards.end(), tells);
    });
}

// Statuses that could be the program's as well as tilescope's.
bool is_one_of_ours(int status) { return status >= kUsage && status <= kLimit; }

// Whether --status program lets the program's own status stand. Not where its result is none: it was ended by a limit,
// or a kernel of it could not run here.
bool is_forgiven(const RunPlan& plan, const Profile& profile, int status) {
    return plan.program_decides && status != kLimit && profile.outcome != Outcome::kUnsupported;
}

// A program that failed may have a fault that nobody looked for.
Diagnostics not_checked(const Profile& profile) {
    if (profile.launches.empty()) return {};
    std::string kinds;
    for (const Check check : {Check::kRaces, Check::kBarriers, Check::kInit, Check::kStreams})
        if (std::find(profile.checks.begin(), profile.checks.end(), check) == profile.checks.end())
            kinds += (kinds.empty() ? "" : ", ") + std::string(report::name_of(check));
    if (kinds.empty()) return {};
    return {{Severity::kNote, "cli-not-checked", {}, "not checked: " + kinds + " (--check all)", {}}};
}

// A program that was compiled elsewhere, of whose code nobody knows the lines.
Diagnostics no_lines(const Profile& profile) {
    if (!profile.compiler.empty() || profile.ended.empty()) return {};
    const auto ran_without = [](const LaunchProfile& launch) {
        const bool names_source = !launch.lines.empty() && launch.lines.back().from == LinesFrom::kSource;
        return launch.observed && launch.counters[Counter::kInstructions] != 0 && !names_source;
    };
    if (std::none_of(profile.launches.begin(), profile.launches.end(), ran_without)) return {};
    return {{Severity::kNote,
             "cli-no-lines",
             {profile.program},
             "built without -lineinfo: with it the report names the lines that move the most and --check the lines of "
             "what it finds",
             {}}};
}

struct OutputFiles {
    std::string json, sarif, html, markdown;  // "" for nowhere
};

OutputFiles files_of(const RunPlan& plan) { return {plan.json, plan.sarif, plan.html, plan.markdown}; }

bool is_one_terminal() { return isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1; }

// Whether what is written goes where the report would.
bool takes_output(const RunPlan& plan) { return plan.json == "-" || plan.html == "-" || plan.markdown == "-"; }

// Of very many launches it is more than there should be in memory at once.
Status write_json(const std::string& file, const Profile& profile) {
    const auto tell = [&](const FileSink& sink) { report::write_json(profile, /*with_times=*/false, sink); };
    if (file == "-") {
        tell([](std::string_view part) { std::cout << part; });
        std::cout << std::flush;
        if (!std::cout) return error("cli-write", {}, "cannot write to standard output");
        return Success{};
    }
    if (const auto failed = write_file_by(file, tell))
        return error("cli-write", {file}, "cannot write this file: " + failed.message());
    return Success{};
}

Status write_profile(const OutputFiles& files, const Profile& profile, const RunPlan& plan) {
    Diagnostics errors;
    const auto write = [&](const std::string& file, const std::string& text) {
        if (const Status written = write_text(file, text); !written)
            errors.insert(errors.end(), written.errors().begin(), written.errors().end());
    };
    const auto shown = [&] { return plan.fold ? report::fold(profile) : profile; };
    if (!files.json.empty())
        if (const Status written = write_json(files.json, shown()); !written) errors = written.errors();
    if (!files.html.empty()) write(files.html, views::html_view(shown(), plan.view));
    if (!files.markdown.empty()) write(files.markdown, views::markdown_view(shown(), plan.view));
    if (!files.sarif.empty()) write(files.sarif, views::sarif_view(profile, plan.view));
    if (!errors.empty()) return errors;
    return Success{};
}

// Of a run that came to nothing, so far.
Profile empty_profile(const std::string& program, const std::string& device) {
    Profile profile;
    profile.tilescope_version = kVersion;
    profile.device = device;
    profile.program = program;
    profile.outcome = Outcome::kNotRun;
    return profile;
}

// The status that tilescope ends with, apart from outputs that could not be written.
int settled_status(const RunPlan& plan, const Profile& profile, const report::BudgetOutcome& budgets, bool is_unmatched,
                   int program_status) {
    const int found = status_of(profile, plan.strict);
    if (found != kRan && !is_forgiven(plan, profile, found)) return found;
    if (budgets.broken) return kBroken;
    if (budgets.unmatched || is_unmatched) return kUsage;
    return program_status;
}

// The plan with how the run went, for what is written of it.
RunPlan ended_with(RunPlan plan, int status) {
    if (!plan.view.invocation) return plan;
    plan.view.invocation->exit_status = status;
    plan.view.invocation->end = std::chrono::system_clock::now();
    return plan;
}

}  // namespace

int status_of(const Profile& profile, bool is_strict) {
    switch (profile.outcome) {
        case Outcome::kOk:
            return missed_a_failed_launch(profile) ? kFault : any_hazard(profile, is_strict) ? kHazard : kRan;
        case Outcome::kFault:
        case Outcome::kUnsupported: return kFault;
        case Outcome::kLimit: return kLimit;
        case Outcome::kNotRun: return kUsage;
    }
    return kRan;
}

namespace {

Diagnostics explain_hazards(const Profile& profile) {
    Diagnostics all;
    std::set<std::string> told;
    const auto tell = [&](Diagnostic diagnostic) {
        if (told.insert(render(diagnostic)).second) all.push_back(std::move(diagnostic));
    };
    // What --check finds has an example of its own in every launch: once for each kernel and pair of lines, up to a
    // screenful. The report and the profile have them all.
    constexpr std::size_t kShownFindings = 20;
    std::set<std::tuple<std::string, HazardKind, RaceOrder, std::string, std::uint32_t, std::uint32_t>> found;
    // Races that one and the same barrier mends are told as one, with the lines of the others.
    std::map<std::pair<std::string, std::string>, std::size_t> by_hint;  // kernel and hint: which of `all`
    std::map<std::size_t, std::set<std::uint32_t>> also;
    for (const LaunchProfile& launch : profile.launches)
        for (const Hazard& hazard : launch.hazards) {
            const bool is_pair = hazard.other_line != 0;
            const bool is_new =
                !is_pair ||
                found.insert({hazard.kernel, hazard.kind, hazard.order, hazard.file, hazard.line, hazard.other_line})
                    .second;
            if (!is_new || found.size() > kShownFindings) continue;
            const std::size_t before = all.size();
            const std::pair<std::string, std::string> key{hazard.kernel, hazard.hint};
            if (const auto known = by_hint.find(key); known != by_hint.end() && hazard.kind == HazardKind::kRace &&
                                                      all[known->second].severity == hazard.severity) {
                also[known->second].insert(hazard.line);
                continue;
            }
            tell(explain_hazard(hazard));
            if (all.size() > before && hazard.kind == HazardKind::kRace && !hazard.hint.empty())
                by_hint.emplace(key, before);
        }
    for (const auto& [at, lines] : also)
        all[at].message +=
            fmt::format("; the same for {} {}", lines.size() == 1 ? "line" : "lines", fmt::join(lines, ", "));
    if (found.size() > kShownFindings)
        tell({Severity::kNote,
              "hazards-more",
              {},
              std::to_string(found.size() - kShownFindings) + " more pairs of lines with hazards",
              "--json FILE has them all"});
    for (const Hazard& hazard : profile.hazards) tell(explain_hazard(hazard));
    return all;
}

Diagnostics explain_trouble(const Profile& profile, bool verbose) {
    Diagnostics all;
    // A program that runs into the same limit a thousand times prints that once.
    std::set<std::string> told;
    for (const Diagnostic& diagnostic : profile.diagnostics)
        if (told.insert(render(diagnostic)).second) all.push_back(diagnostic);
    for (Diagnostic& diagnostic : explain_failed_calls(profile, verbose)) all.push_back(std::move(diagnostic));
    return all;
}

std::string hazard_report(const Profile& profile) {
    std::string text = render(explain_hazards(profile));
    std::uint64_t errors = 0, others = 0;
    const auto add = [&](const std::vector<Hazard>& hazards) {
        for (const Hazard& hazard : hazards) ++(hazard.severity == Severity::kError ? errors : others);
    };
    add(profile.hazards);
    for (std::size_t i = 0; i < profile.launches.size(); ++i) add(profile.launches[i].hazards);
    std::string kinds;
    for (const Check check : profile.checks) kinds += (kinds.empty() ? "" : ", ") + std::string(report::name_of(check));
    const std::uint64_t launches = profile.checked ? profile.checked->launches + profile.checked->in_part : 0;
    text += fmt::format("{} {}, {} {}: {} {} checked for {}\n", errors, errors == 1 ? "error" : "errors", others,
                        others == 1 ? "warning or note" : "warnings and notes", launches,
                        launches == 1 ? "launch" : "launches", kinds.empty() ? "nothing" : kinds);
    return text;
}

}  // namespace

Diagnostics explain_outcome(const Profile& profile, bool verbose) {
    Diagnostics all = explain_hazards(profile);
    for (Diagnostic& diagnostic : explain_trouble(profile, verbose)) all.push_back(std::move(diagnostic));
    return all;
}

Status write_text(const std::string& file, const std::string& text) {
    if (file == "-") {
        std::cout << text << std::flush;
        if (!std::cout) return error("cli-write", {}, "cannot write to standard output");
        return Success{};
    }
    if (const auto failed = write_whole_file(file, {text}))
        return error("cli-write", {file}, "cannot write this file: " + failed.message());
    return Success{};
}

int finish(const RunPlan& plan, Profile profile, int program_status) {
    profile.checked = report::checked_launches(profile);
    if (!profile.checks.empty()) {
        report::SourceText source(plan.view.source_directories);
        report::hide(plan.suppressions, source, profile);
    }
    if (plan.only_hazards) {
        const std::string hazards = plan.quiet ? std::string() : hazard_report(profile);
        return finish(plan, std::move(profile), program_status, hazards);
    }
    const std::string text =
        plan.quiet ? std::string() : views::text_view(plan.fold ? report::fold(profile) : profile, plan.view);
    return finish(plan, std::move(profile), program_status, text);
}

views::RunInvocation begun(const Invocation& invocation) {
    return {invocation.words, {}, std::chrono::system_clock::now(), {}};
}

int finish(const RunPlan& plan, Profile profile, int program_status, const std::string& text) {
    const int found = status_of(profile, plan.strict);
    const bool can_judge = found != kFault && found != kLimit;
    const report::BudgetOutcome budgets =
        can_judge ? report::check_budgets(plan.budgets, profile) : report::BudgetOutcome{};
    profile.budgets = budgets.results;
    if (!plan.quiet) {
        complain(plan.notes);
        // Where the profile or the page itself goes to standard output, nothing else does.
        if (!takes_output(plan)) std::cout << text << std::flush;
    }
    // Report and messages are one text on a terminal. In pipes and files each has its own reader.
    const bool has_told = !plan.quiet && !takes_output(plan) && (plan.only_hazards || is_one_terminal());
    for (const Diagnostic& diagnostic :
         has_told ? explain_trouble(profile, plan.view.verbose) : explain_outcome(profile, plan.view.verbose))
        if (!plan.quiet || diagnostic.severity == Severity::kError || report::is_never_quiet(diagnostic.code))
            complain(diagnostic);
    const Diagnostics unmatched = can_judge ? unmatched_kernels(plan.session.kernel_globs, profile) : Diagnostics{};
    const int settled = settled_status(plan, profile, budgets, !unmatched.empty(), program_status);
    const Status written = write_profile(files_of(plan), profile, ended_with(plan, settled));
    if (!written) complain(written.errors());
    if (written && plan.open) open_page(plan.html);
    complain(budgets.diagnostics);
    complain(unmatched);
    if (!plan.quiet) complain(no_lines(profile));
    if (program_status != 0 && !plan.quiet) complain(not_checked(profile));
    const bool is_settled = found != kRan && !is_forgiven(plan, profile, found);
    if (is_settled) return found;
    if (!written) return kUsage;
    if (budgets.broken || budgets.unmatched || !unmatched.empty()) return settled;
    if (found == kRan && is_one_of_ours(program_status) && !plan.quiet)
        complain(Diagnostic{Severity::kNote,
                            "cli-own-status",
                            {profile.program},
                            "the program itself returned " + std::to_string(program_status) +
                                "; tilescope found nothing that would give this status",
                            {}});
    return program_status;
}

Status claim_outputs(const RunPlan& plan) {
    Profile profile = empty_profile(plan.session.program, plan.device.name);
    profile.diagnostics.push_back(error("cli-unfinished", {plan.session.program},
                                        "this run has not ended: tilescope was stopped, or is still at work"));
    for (std::string OutputFiles::*const which :
         {&OutputFiles::json, &OutputFiles::sarif, &OutputFiles::html, &OutputFiles::markdown}) {
        OutputFiles one;
        const std::string file = one.*which = files_of(plan).*which;
        if (file.empty() || file == "-") continue;
        struct stat about {};
        const bool is_there = stat(file.c_str(), &about) == 0;
        // What a pipe is given cannot be taken back.
        if (is_there && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) continue;
        if (Status written = write_profile(one, profile, plan); !written) return written;
    }
    return Success{};
}

int give_up(const RunPlan& plan, const Diagnostics& errors, int status, const std::string& ended) {
    complain(errors);
    Profile profile = empty_profile(plan.session.program, plan.device.name);
    profile.compiler = plan.session.compiler;
    profile.ended = ended;
    profile.outcome = status == kFault ? Outcome::kUnsupported : status == kLimit ? Outcome::kLimit : Outcome::kNotRun;
    profile.diagnostics = errors;
    report::clean(profile);
    if (const Status written = write_profile(files_of(plan), profile, ended_with(plan, status)); !written) {
        // That a file cannot be written may be what it gave up for.
        Diagnostics more = written.errors();
        std::erase_if(more, [&](const Diagnostic& again) {
            return std::any_of(errors.begin(), errors.end(),
                               [&](const Diagnostic& told) { return render(told) == render(again); });
        });
        complain(more);
    }
    return status;
}

int give_up(const RunOptions& options, const std::string& program, const Diagnostics& errors) {
    RunPlan plan;
    plan.session.program = program;
    plan.device.name = options.device;
    plan.json = options.json;
    plan.sarif = options.sarif;
    plan.html = options.html;
    plan.markdown = options.markdown;
    plan.view.tool_version = kVersion;
    return give_up(plan, errors, kUsage);
}

}  // namespace tilescope::cli
