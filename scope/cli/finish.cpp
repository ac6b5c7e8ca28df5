#include "scope/cli/finish.h"

#include <algorithm>
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
#include "scope/report/budget.h"
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
    if (!hazard.kernel.empty())
        message += "; kernel " + hazard.kernel + ", block " + place(hazard.block) + ", thread " + place(hazard.thread);
    if (hazard.count > 1 && hazard.kind != HazardKind::kLeak)
        message += is_found ? ", the first of " + std::to_string(hazard.count)
                            : ", the first of " + std::to_string(hazard.count) + " such accesses";
    const std::string code = (is_found ? "hazard-" : "fault-") + kind;
    return {hazard.severity, code, {hazard.file, hazard.line}, message, hazard.hint};
}

bool any_hazard(const Profile& profile) {
    const auto tells = [](const Hazard& hazard) { return hazard.severity == Severity::kError; };
    if (std::any_of(profile.hazards.begin(), profile.hazards.end(), tells)) return true;
    return std::any_of(profile.launches.begin(), profile.launches.end(), [&](const LaunchProfile& launch) {
        return std::any_of(launch.hazards.begin(), launch.hazards.end(), tells);
    });
}

// Statuses that could be the program's as well as tilescope's.
bool is_one_of_ours(int status) { return status >= kUsage && status <= kLimit; }

}  // namespace

int status_of(const Profile& profile) {
    switch (profile.outcome) {
        case Outcome::kOk: return missed_a_failed_launch(profile) ? kFault : any_hazard(profile) ? kHazard : kRan;
        case Outcome::kFault:
        case Outcome::kUnsupported: return kFault;
        case Outcome::kLimit: return kLimit;
    }
    return kRan;
}

Diagnostics explain_outcome(const Profile& profile, bool verbose) {
    Diagnostics all;
    // A program that runs into the same limit a thousand times is told once.
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
    for (const Diagnostic& diagnostic : profile.diagnostics) tell(diagnostic);
    for (Diagnostic& diagnostic : explain_failed_calls(profile, verbose)) all.push_back(std::move(diagnostic));
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
    if (!profile.checks.empty()) {
        report::SourceText source(plan.view.source_directories);
        report::hide(plan.suppressions, source, profile);
    }
    const std::string text =
        plan.quiet ? std::string() : views::text_view(plan.fold ? report::fold(profile) : profile, plan.view);
    return finish(plan, profile, program_status, text);
}

int finish(const RunPlan& plan, const Profile& profile, int program_status, const std::string& text) {
    int status = status_of(profile);
    if (!plan.quiet) {
        complain(plan.notes);
        // Where the profile itself goes to standard output, nothing else does.
        if (plan.json != "-") std::cout << text << std::flush;
    }
    for (const Diagnostic& diagnostic : explain_outcome(profile, plan.view.verbose))
        if (!plan.quiet || diagnostic.severity == Severity::kError) complain(diagnostic);
    if (!plan.json.empty())
        if (const Status written = write_text(plan.json, report::to_json(plan.fold ? report::fold(profile) : profile));
            !written) {
            complain(written.errors());
            if (status == kRan) status = kUsage;
        }
    if (!plan.sarif.empty())
        if (const Status written = write_text(plan.sarif, views::sarif_view(profile, plan.view)); !written) {
            complain(written.errors());
            if (status == kRan) status = kUsage;
        }
    if (status == kFault || status == kLimit) return status;
    const report::BudgetOutcome budgets = report::check_budgets(plan.budgets, profile);
    complain(budgets.diagnostics);
    const Diagnostics unmatched = unmatched_kernels(plan.session.kernel_globs, profile);
    const bool is_unmatched = !unmatched.empty();
    complain(unmatched);
    if (status != kRan) return status;
    if (budgets.broken) return kBroken;
    if (budgets.unmatched || is_unmatched) return kUsage;
    if (is_one_of_ours(program_status) && !plan.quiet)
        complain(Diagnostic{Severity::kNote,
                            "cli-own-status",
                            {profile.program},
                            "the program itself returned " + std::to_string(program_status) +
                                "; tilescope found nothing that would give this status",
                            {}});
    return program_status;
}

}  // namespace tilescope::cli
