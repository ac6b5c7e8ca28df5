// What tilescope's exit status says. Anything else is the program's own, which passes through.
#pragma once

namespace tilescope::cli {

enum ExitStatus : int {
    kRan = 0,
    kClaimFailed = 1,  // a lesson's claim does not hold
    kUsage = 2,        // wrong usage or an unreadable input
    kFault = 3,        // a kernel faulted, did not run unnoticed, or needed something not supported
    kHazard = 4,       // --check found something
    kBroken = 5,       // a budget is broken
    kLimit = 6,        // --max-instructions, --memory-limit or --time-limit reached
};

}  // namespace tilescope::cli
