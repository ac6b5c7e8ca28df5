// What binds a launch, in words: one word for one thing in every view.
//
// Guarantees: words follow from the facts alone. Does not model: what binds (models/verdicts.h).
#pragma once

#include <string>

#include "scope/report/launch_binding.h"

namespace tilescope::views {

// What a part of the time is spent on: "L1/shared", "latency".
const char* bound_words(TimeBound bound);
// What to change first where that takes most of the time.
const char* bound_remedy(TimeBound bound);
// "Latency-bound: 48 % of its 5.2 µs is latency; without that 4.1 µs, mostly launching (modelled)."
std::string binding_words(const LaunchBinding& binding);
// "What helps first is fewer sectors asked of L2"; no full stop.
std::string remedy_words(const LaunchBinding& binding);

}  // namespace tilescope::views
