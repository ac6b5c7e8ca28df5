// Executable graphs as programs make, change and launch them, by the handles that they hold.
#pragma once

#include "scope/runtime/service/graphs/graph_edits.h"
#include "scope/runtime/service/graphs/graph_exec.h"

namespace tilescope::runtime {

inline Status no_exec() {
    return because(Status::kInvalidValue, "the executable graph was never made, or is destroyed already");
}

// What programs ask of an executable graph; the bits are those of runtime and driver alike.
inline constexpr unsigned long long kAutoFree = 1, kUpload = 2, kDeviceLaunch = 4, kNodePriority = 8;

// With Graphs::lock().
Status make_exec(Runtime& runtime, void* graph, unsigned long long flags, void** exec);
Status destroy_exec(Runtime& runtime, void* exec);
Status update_exec(Runtime& runtime, void* exec, void* graph, Update& update);
// The executable graph's copy of a node does something else of its kind from here on.
Status change_in_exec(Runtime& runtime, void* exec, void* node, const MakeWork& make);
// That copy, if it is one that launches can leave out: of kernels, copies and sets. body: while nobody launches it.
Status with_copy(Runtime& runtime, void* exec, void* node, const std::function<Status(Node&)>& body);

// Without it: functions of the host may take their time.
Status launch_exec(Runtime& runtime, void* exec, void* stream);
Status upload_exec(Runtime& runtime, void* exec, void* stream);

}  // namespace tilescope::runtime
