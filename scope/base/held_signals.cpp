#include "scope/base/held_signals.h"

#include <algorithm>

namespace tilescope {

HeldSignals::HeldSignals() {
    sigemptyset(&held_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) sigaddset(&held_, signal);
    sigprocmask(SIG_BLOCK, &held_, &before_);
    // Where SIGCHLD is ignored a child's end cannot be waited for.
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &plain, &child_before_);
}

HeldSignals::~HeldSignals() { let_go(); }

void HeldSignals::let_go() const {
    sigaction(SIGCHLD, &child_before_, nullptr);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
}

int HeldSignals::wait(std::optional<std::chrono::steady_clock::duration> time, siginfo_t& about) const {
    if (!time) return std::max(sigwaitinfo(&held_, &about), 0);
    const auto left = std::max(*time, std::chrono::steady_clock::duration::zero());
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(left);
    timespec most{};
    most.tv_sec = static_cast<time_t>(whole.count());
    most.tv_nsec = static_cast<long>(std::chrono::nanoseconds(left - whole).count());
    return std::max(sigtimedwait(&held_, &about, &most), 0);
}

}  // namespace tilescope
