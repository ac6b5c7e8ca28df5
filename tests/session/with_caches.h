// What tests of a launch with caches share.
#pragma once

#include <cstdint>

#include "scope/session/session.h"

namespace tilescope::test {

// What a launch itself reads of device memory, in sectors.
inline constexpr std::uint64_t kOfTheLaunch = 88;

inline SessionOptions with_caches(unsigned jobs = 1) {
    SessionOptions options;
    options.jobs = jobs;
    options.caches = true;
    return options;
}

}  // namespace tilescope::test
