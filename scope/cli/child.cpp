#include "scope/cli/child.h"

#include <signal.h>

#include <cerrno>
#include <cstring>

#include "scope/base/process.h"
#include "scope/cli/descendants.h"

namespace tilescope::cli {

Result<ChildEnd> run_child(const ChildRequest& request) {
    const std::string mark =
        request.variables.empty() ? std::string() : request.variables[0].first + "=" + request.variables[0].second;
    const auto failed = [&](const std::string& what, int reason) {
        return error("cli-start", {request.program}, what + ": " + std::strerror(reason));
    };
    const HeldSignals held;
    std::optional<Guardian> guardian;
    if (!mark.empty()) guardian.emplace(mark, request.scratch);
    ProcessRequest wanted{request.program, request.arguments, {}};
    for (const auto& [name, value] : request.variables) wanted.variables.emplace_back(name, value);
    wanted.forwarded = &held;
    Process child;
    if (const auto failure = child.start(wanted); failure.reason != 0)
        return failed("cannot start this program", failure.reason);
    const auto end_all = [&] {
        if (!mark.empty()) kill_marked(mark);
        child.kill(SIGKILL);
    };
    if (child.wait(held, request.deadline, end_all) == Process::State::kLost) return failed("lost the program", ECHILD);
    return ChildEnd{child.status(), child.signal(), child.timed_out()};
}

}  // namespace tilescope::cli
