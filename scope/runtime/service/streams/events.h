// Events. The time between two is that of the modelled time line (docs/reference/timeline.md), beyond its end and where
// there is none an estimate; never that of the machine that emulates.
#pragma once

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

// flags, as bits of runtime and driver alike: 1 waits block the thread, 2 no time is taken, 4 for other processes.
Status make_event(Runtime& runtime, unsigned flags, void*& event);
Status destroy_event(Runtime& runtime, void* event);
Status record_event(Runtime& runtime, void* event, void* stream, bool is_external);
// Also for calls that only ask: the host knows the event to be complete.
Status wait_for_event(Runtime& runtime, void* event);
Status elapsed_time(Runtime& runtime, void* start, void* end, float& milliseconds);

}  // namespace tilescope::runtime
