// What binds a launch, by its modelled time.
//
// Owns: LaunchBinding. Guarantees: values only. Does not model: how it is found out (models/verdicts.h),
// or what is said of it (views/words/binding.h).
#pragma once

#include "scope/report/work.h"

namespace tilescope {

struct LaunchBinding {
    BoundKind kind = BoundKind::kLaunch;   // what people call it: memory-bound, ...
    TimeBound bound = TimeBound::kLaunch;  // the part of the time that is largest
    double share = 0;                      // of the time, that it takes
    double microseconds = 0;               // of the launch
    TimeBound next_bound = TimeBound::kLaunch;
    double next_microseconds = 0;  // without that part
    // Whether fewer bytes for each operation make the launch faster: what binds is what moves bytes of loads.
    bool fewer_bytes_help = false;
    bool operator==(const LaunchBinding&) const = default;
};

}  // namespace tilescope
