// What a session of the library holds, and how the rest of the program's errors become its own. Internal to
// scope/library.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <string>

#include "scope/base/diagnostic.h"
#include "scope/library/tilescope.h"
#include "scope/models/device.h"
#include "scope/report/profile.h"
#include "scope/session/session.h"

namespace tilescope::library {

struct State {
    std::unique_ptr<tilescope::Session> session;
    models::Device device;
    Options options;
    std::mutex mutex;  // a launch, and reading what it left in the profile
};

Error error_of(const Diagnostics& errors);

// What a launch left behind, in the library's words.
Launch launch_of(const LaunchProfile& launch);
Hazard hazard_of(const tilescope::Hazard& hazard);

// Calls `work`; what it throws, memory that is not there above all, is an error.
template <class Work>
auto guarded(Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::exception& thrown) {
        return Error{"library-internal", thrown.what(), "", "", 0};
    }
}

}  // namespace tilescope::library
