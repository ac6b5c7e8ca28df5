#include "scope/cli/finish.h"

#include <fstream>
#include <iostream>
#include <set>

#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/report/budget.h"
#include "scope/report/json.h"
#include "scope/report/views/view.h"

namespace tilescope::cli {
namespace {

std::string place(const Dim3& at) {
    return "(" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " + std::to_string(at[2]) + ")";
}

Diagnostic explain(const Hazard& hazard) {
    std::string message = hazard.kind;
    if (!hazard.message.empty()) message += ": " + hazard.message;
    if (!hazard.kernel.empty())
        message += "; kernel " + hazard.kernel + ", block " + place(hazard.block) + ", thread " + place(hazard.thread);
    return error("fault-" + hazard.kind, {hazard.file, hazard.line}, message);
}

bool any_hazard(const Profile& profile) {
    if (!profile.hazards.empty()) return true;
    for (const LaunchProfile& launch : profile.launches)
        if (!launch.hazards.empty()) return true;
    return false;
}

}  // namespace

int status_of(const Profile& profile) {
    switch (profile.outcome) {
        case Outcome::kOk: return any_hazard(profile) ? kHazard : kRan;
        case Outcome::kFault:
        case Outcome::kUnsupported: return kFault;
        case Outcome::kLimit: return kLimit;
    }
    return kRan;
}

Diagnostics explain_outcome(const Profile& profile) {
    Diagnostics all;
    for (const LaunchProfile& launch : profile.launches)
        for (const Hazard& hazard : launch.hazards) all.push_back(explain(hazard));
    for (const Hazard& hazard : profile.hazards) all.push_back(explain(hazard));
    // A program that runs into the same limit a thousand times is told once.
    std::set<std::string> told;
    for (const Diagnostic& diagnostic : profile.diagnostics)
        if (told.insert(render(diagnostic)).second) all.push_back(diagnostic);
    return all;
}

Status write_text(const std::string& file, const std::string& text) {
    if (file == "-") {
        std::cout << text << std::flush;
        if (!std::cout) return error("cli-write", {}, "cannot write to standard output");
        return Success{};
    }
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) return error("cli-write", {file}, "cannot write this file");
    return Success{};
}

int finish(const RunPlan& plan, const Profile& profile, int program_status) {
    return finish(plan, profile, program_status, plan.quiet ? std::string() : report::text_view(profile, plan.view));
}

int finish(const RunPlan& plan, const Profile& profile, int program_status, const std::string& text) {
    int status = status_of(profile);
    if (!plan.quiet) {
        // Where the profile itself goes to standard output, nothing else does.
        if (plan.json != "-") std::cout << text << std::flush;
    }
    for (const Diagnostic& diagnostic : explain_outcome(profile))
        if (!plan.quiet || diagnostic.severity == Severity::kError) complain(diagnostic);
    if (!plan.json.empty())
        if (const Status written = write_text(plan.json, report::to_json(profile)); !written) {
            complain(written.errors());
            if (status == kRan) status = kUsage;
        }
    if (status == kFault || status == kLimit) return status;
    const report::BudgetOutcome budgets = report::check_budgets(plan.budgets, profile);
    complain(budgets.diagnostics);
    if (status != kRan) return status;
    if (budgets.broken) return kBroken;
    if (budgets.unmatched) return kUsage;
    return program_status;
}

}  // namespace tilescope::cli
