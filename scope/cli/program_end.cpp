#include "scope/cli/program_end.h"

#include <cstring>

#include "scope/cli/exit_status.h"
#include "scope/report/format.h"

namespace tilescope::cli {
namespace {

constexpr int kSignalBase = 128;  // as shells tell it

// "while launch 3, naive(float*), was running", as far as it is known.
std::string under_way(const Profile& profile) {
    if (profile.unfinished)
        return "while launch " + std::to_string(profile.unfinished->index) + ", " + profile.unfinished->kernel +
               ", was running";
    if (profile.launches.empty()) return "before it launched a kernel";
    return "in its host code, after " + report::thousands(profile.launches.size()) +
           (profile.launches.size() == 1 ? " launch" : " launches");
}

bool faulted(const Profile& profile) {
    for (const LaunchProfile& launch : profile.launches)
        if (!launch.hazards.empty()) return true;
    return false;
}

}  // namespace

int status_of(const ChildEnd& end) { return end.signal != 0 ? kSignalBase + end.signal : end.status; }

void note_end(const ChildEnd& end, double asked, Profile& profile) {
    // A kernel that the limit stopped has said so itself; nothing stops host code but its end.
    const bool stopped_in_kernel =
        asked != 0 && profile.outcome == Outcome::kLimit && end.status == kLimit && faulted(profile);
    if (end.timed_out) {
        profile.outcome = Outcome::kLimit;
        profile.diagnostics.push_back(error("cli-time-limit", {profile.program},
                                            "the time limit of " + report::plain_number(asked) +
                                                " s was reached: the program was ended " + under_way(profile)));
    }
    if (end.timed_out || stopped_in_kernel) {
        profile.ended = "time limit";
    } else if (end.signal != 0) {
        profile.ended = "signal " + std::to_string(end.signal);
        profile.diagnostics.push_back(error("cli-killed", {profile.program},
                                            "the program was ended by signal " + std::to_string(end.signal) + " (" +
                                                strsignal(end.signal) + ") " + under_way(profile),
                                            "what finished before is reported all the same"));
    } else {
        profile.ended = "exit " + std::to_string(end.status);
    }
}

}  // namespace tilescope::cli
