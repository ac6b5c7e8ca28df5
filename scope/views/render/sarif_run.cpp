// The run in SARIF: one invocation with its notifications.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>

#include "scope/report/enums.h"
#include "scope/report/format.h"
#include "scope/views/render/sarif_parts.h"

namespace tilescope::views {
namespace {

using namespace report;

// As a shell takes it.
std::string as_word(const std::string& text) {
    constexpr std::string_view kPlain = "-._~/+=,:@%";
    const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               kPlain.find(c) != std::string_view::npos;
    });
    if (is_plain) return text;
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::string utc(std::chrono::system_clock::time_point when) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(when);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

SarifJson notification(std::string_view level, const std::string& id, const std::string& text, const std::string& file,
                       std::uint32_t line) {
    SarifJson json = {{"descriptor", {{"id", id}}}, {"level", level}, {"message", {{"text", text}}}};
    if (!file.empty()) json["locations"] = SarifJson::array({{{"physicalLocation", sarif_place(file, line)}}});
    return json;
}

SarifJson notification(const Diagnostic& diagnostic) {
    const std::string hint = diagnostic.hint.empty() ? "" : ". " + diagnostic.hint;
    return notification(report::name_of(diagnostic.severity), diagnostic.code, diagnostic.message + hint,
                        diagnostic.location.file, diagnostic.location.line);
}

// A call of CUDA that failed: an error where the program went on without looking.
SarifJson notification(const FailedCall& failed) {
    const std::string what = failed.is_launch()
                                 ? (failed.kernel.empty() ? "a kernel" : failed.kernel) + " was not launched"
                                 : failed.call + " failed";
    const bool is_missed = failed.is_launch() && failed.unread != 0;
    const std::string times = failed.count > 1 ? ", " + thousands(failed.count) + " times" : "";
    return notification(is_missed ? "error" : "warning", failed.is_launch() ? "cuda-launch-failed" : "cuda-call-failed",
                        what + ": " + failed.reason + " (" + failed.error + ")" + times, failed.file, failed.line);
}

// A budget that nothing was held against is no result.
SarifJson notification(const BudgetResult& budget) {
    const std::string why = budget.verdict == BudgetVerdict::kNoLaunch
                                ? "no launch is of its kernel"
                                : "a launch does not have what it requests: " + budget.values;
    return notification("error", "budget-not-judged", "budget '" + budget.budget + "' was not judged: " + why, {}, 0);
}

SarifJson notifications_of(const Profile& profile) {
    SarifJson all = SarifJson::array();
    for (const Diagnostic& diagnostic : profile.diagnostics) all.push_back(notification(diagnostic));
    for (const FailedCall& failed : profile.failed_calls) all.push_back(notification(failed));
    for (const BudgetResult& budget : profile.budgets)
        if (budget.verdict == BudgetVerdict::kNoLaunch || budget.verdict == BudgetVerdict::kNoValue)
            all.push_back(notification(budget));
    return all;
}

void add_call(const RunInvocation& run, SarifJson& invocation) {
    std::string line = "tilescope";
    for (const std::string& argument : run.arguments) line += " " + as_word(argument);
    invocation["commandLine"] = line;
    invocation["arguments"] = run.arguments;
    if (run.begin) invocation["startTimeUtc"] = utc(*run.begin);
    if (run.end) invocation["endTimeUtc"] = utc(*run.end);
    if (run.exit_status) invocation["exitCode"] = *run.exit_status;
}

}  // namespace

SarifJson sarif_invocation(const Profile& profile, const std::optional<RunInvocation>& run) {
    // What a kernel does wrong is a result; the run itself only failed where it came to none.
    const bool is_done = profile.outcome == Outcome::kOk || profile.outcome == Outcome::kFault;
    SarifJson invocation = {{"executionSuccessful", is_done}};
    if (run) add_call(*run, invocation);
    SarifJson properties = {{"outcome", report::name_of(profile.outcome)}};
    if (!profile.program.empty()) properties["program"] = profile.program;
    if (!profile.ended.empty()) properties["programEnded"] = profile.ended;
    if (SarifJson told = notifications_of(profile); !told.empty())
        invocation["toolExecutionNotifications"] = std::move(told);
    invocation["properties"] = std::move(properties);
    return invocation;
}

}  // namespace tilescope::views
