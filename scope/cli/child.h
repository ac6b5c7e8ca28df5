// A program run to its end, with our streams, other environment variables and our signals.
//
// Guarantees: standard input, output and error are the program's own; SIGINT, SIGTERM, SIGHUP and SIGQUIT that reach us
// reach it, and a second one ends it and all that it started; it does not outlive us, however we end; waits until it
// and all that it started have ended, at most as long as it may take, and none of them is there afterwards. Does not
// model: terminals of its own, job control; where we are killed, a process that took its variables out of its
// environment lives on.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scope/base/result.h"

namespace tilescope::cli {

struct ChildEnd {
    int status = 0;          // its exit status, when signal is 0
    int signal = 0;          // what killed it
    bool timed_out = false;  // we did, for it took too long
};

struct ChildRequest {
    std::string program;
    std::vector<std::string> arguments;  // the first is what the program sees as its name
    // Replace those of our own environment. A process that holds the first one counts as started by the program.
    std::vector<std::pair<std::string, std::string>> variables;
    std::optional<std::chrono::steady_clock::time_point> deadline;
    std::vector<std::string> scratch{};  // files to remove should we be killed
    // Told once of how many processes the program left behind when it ended, where they run on for a while.
    std::function<void(std::size_t)> left_behind{};
};

Result<ChildEnd> run_child(const ChildRequest& request);

}  // namespace tilescope::cli
