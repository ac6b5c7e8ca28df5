#include "scope/cli/child.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

#include "scope/base/process.h"
#include "scope/cli/descendants.h"
#include "scope/cli/process_tree.h"

namespace tilescope::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Whoever has a terminal shares it with the program, and what the terminal sends. Elsewhere the program is a group of
// its own, which the system ends as one.
bool has_terminal() {
    const int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (terminal >= 0) close(terminal);
    return terminal >= 0;
}

// What the program left behind when it ended. True: the time was up.
bool wait_for_rest(const ProcessTree& tree, const HeldSignals& held, const ChildRequest& request) {
    constexpr std::chrono::milliseconds kPatience{1000}, kLook{50};
    const auto begun = Clock::now();
    bool told = false;
    std::optional<Clock::time_point> asked;
    while (true) {
        tree.bury(0);
        const std::vector<pid_t> left = tree.running();
        if (left.empty()) return false;
        if (request.deadline && Clock::now() >= *request.deadline) {
            tree.end_all(0);
            return true;
        }
        if (!told && Clock::now() - begun >= kPatience && request.left_behind) {
            told = true;
            request.left_behind(left.size());
        }
        siginfo_t about{};
        const int signal = held.wait(kLook, about);
        if (signal == 0 || signal == SIGCHLD) continue;
        // As for the program itself: whoever asks a second time means it.
        if (asked && Clock::now() - *asked > kLook) {
            tree.end_all(0);
            return false;
        }
        if (!asked) asked = Clock::now();
        for (const pid_t process : left) kill(process, signal);
    }
}

}  // namespace

Result<ChildEnd> run_child(const ChildRequest& request) {
    const std::string mark =
        request.variables.empty() ? std::string() : request.variables[0].first + "=" + request.variables[0].second;
    const auto failed = [&](const std::string& what, int reason) {
        return error("cli-start", {request.program}, what + ": " + std::strerror(reason));
    };
    const HeldSignals held;
    std::optional<Guardian> guardian;
    if (!mark.empty()) guardian.emplace(mark, request.scratch);
    const ProcessTree tree;
    ProcessRequest wanted{request.program, request.arguments, {}};
    for (const auto& [name, value] : request.variables) wanted.variables.emplace_back(name, value);
    wanted.forwarded = &held;
    wanted.own_group = !has_terminal();
    Process child;
    if (const auto failure = child.start(wanted); failure.reason != 0)
        return failed("cannot start this program", failure.reason);
    const auto end_all = [&] {
        child.kill(SIGKILL);
        tree.end_all(child.id());
    };
    if (child.wait(held, request.deadline, end_all) == Process::State::kLost) return failed("lost the program", ECHILD);
    const bool late = wait_for_rest(tree, held, request);
    return ChildEnd{child.status(), child.signal(), child.timed_out() || late};
}

}  // namespace tilescope::cli
