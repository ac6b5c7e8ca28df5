// The device as a whole: waiting for it, and giving back all that it holds.
#pragma once

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

// The host knows all work to be done; gives what a fault has left.
Status synchronize_device(Runtime& runtime);
// The work of other host threads ends first; nobody is told.
Status finish_work(Runtime& runtime);
// Gives back memory, streams and events. Modules stay as they are, so device variables keep their values. After a fault
// the device stays lost to the process, as an H200 was.
void reset_device(Runtime& runtime);
// Lines of L2 that were to persist are like any others from here on.
void reset_persisting(Runtime& runtime);

}  // namespace tilescope::runtime
