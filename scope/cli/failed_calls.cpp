#include "scope/cli/failed_calls.h"

#include <algorithm>

#include "scope/report/format.h"

namespace tilescope::cli {
namespace {

Diagnostic explain_failed_call(const FailedCall& failed) {
    const std::string what = failed.is_launch()
                                 ? (failed.kernel.empty() ? "a kernel" : failed.kernel) + " was not launched"
                                 : failed.call + " failed";
    std::string message = what + ": " + failed.reason + " (" + failed.error + ")";
    if (failed.count > 1) message += ", " + report::thousands(failed.count) + " times";
    const SourceLocation place{failed.file, failed.line, 0};
    if (!failed.is_launch()) return {Severity::kWarning, "cuda-call-failed", place, message, {}};
    if (failed.unread == 0) return {Severity::kWarning, "cuda-launch-failed", place, message, {}};
    return error("cuda-launch-failed", place, message,
                 "nobody looked at the error: ask cudaGetLastError() behind the launch");
}

}  // namespace

bool missed_a_failed_launch(const Profile& profile) {
    return std::any_of(profile.failed_calls.begin(), profile.failed_calls.end(),
                       [](const FailedCall& failed) { return failed.is_launch() && failed.unread != 0; });
}

Diagnostics explain_failed_calls(const Profile& profile, bool verbose) {
    const bool all = verbose || profile.ended != "exit 0";
    Diagnostics told;
    for (const FailedCall& failed : profile.failed_calls)
        if (all || failed.unread != 0 || failed.is_launch()) told.push_back(explain_failed_call(failed));
    return told;
}

}  // namespace tilescope::cli
