// Which buffers a launch's blocks ask for again and again.
//
// Owns: asked_again(). Guarantees: a pure function of a profile. Does not model: words (views/words/reuse.h).
#pragma once

#include <vector>

#include "scope/report/profile.h"

namespace tilescope::report {

struct AskedAgain {
    // All of the launch's buffers are asked for about as often, so that none needs to be named.
    bool alike = true;
    double times = 1;  // that each byte of the launch is asked for by several threads of a block
    // Those that are asked for at least so often, the most rewarding first; a few only.
    std::vector<AskedBuffer> buffers;
    std::uint64_t more_buffers = 0;  // that are left out
};

// `from`: times that several threads of a block ask for a byte, below which a buffer is passed over.
AskedAgain asked_again(const LaunchProfile& launch, double from);

}  // namespace tilescope::report
