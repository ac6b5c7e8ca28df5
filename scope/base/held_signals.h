// Signals that ask a program to end, held back while we wait for a child to which they are passed on.
//
// Guarantees: SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGCHLD wait for us while an object lives, so that none is lost
// between two looks; all is as before when it goes. Does not model: several threads; make one where there is only one.
#pragma once

#include <signal.h>

#include <chrono>
#include <optional>

namespace tilescope {

class HeldSignals {
public:
    HeldSignals();
    ~HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    // For the child, between fork and exec.
    void let_go() const;
    // The next one, or 0 after the time or when something else came between.
    int wait(std::optional<std::chrono::steady_clock::duration> time, siginfo_t& about) const;

private:
    sigset_t held_, before_;
    struct sigaction child_before_ {};
};

}  // namespace tilescope
