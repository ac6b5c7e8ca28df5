// A program run to its end, with our streams, other environment variables and our signals.
//
// Guarantees: standard input, output and error are the program's own; SIGINT, SIGTERM, SIGHUP and SIGQUIT that reach us
// reach it; waits until it ended. Does not model: terminals of its own, job control.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scope/base/result.h"

namespace tilescope::cli {

struct ChildEnd {
    int status = 0;  // its exit status, when signal is 0
    int signal = 0;  // what killed it
};

// arguments[0] is what the program sees as its name. Variables replace those of our own environment.
Result<ChildEnd> run_child(const std::string& program, const std::vector<std::string>& arguments,
                           const std::vector<std::pair<std::string, std::string>>& variables);

}  // namespace tilescope::cli
