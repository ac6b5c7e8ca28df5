// Streams. Work is done when it is issued, so synchronising, querying and waiting find nothing left to do.
#pragma once

#include <functional>

#include "scope/runtime/service/graphs/graph.h"
#include "scope/runtime/service/runtime.h"
#include "scope/runtime/service/streams/access_window.h"

namespace tilescope::runtime {

inline constexpr int kLeastPriority = 0, kGreatestPriority = -5;  // of an H200

// A priority beyond these is the nearest of them.
Status make_stream(Runtime& runtime, unsigned flags, int priority, void*& stream);
Status destroy_stream(Runtime& runtime, void* stream);
// Also for calls that only ask whether it is idle: the host knows the stream's work to be done.
Status wait_for_stream(Runtime& runtime, void* stream);
Status wait_for_event(Runtime& runtime, void* stream, void* event, bool is_external);

// Behind the stream's work; the one may be captured, the other not.
Status call_host(Runtime& runtime, void* stream, const HostWork& host);
Status call_host_now(Runtime& runtime, void* stream, const std::function<void()>& function);

// Beside windows, which the model of the caches follows, attributes change nothing here.
Status set_window(Runtime& runtime, void* stream, const AccessWindow& window);
// How a thread of the host waits for the stream.
Status set_synchronization(Runtime& runtime, void* stream, int how);
Status copy_attributes(Runtime& runtime, void* to, void* from);

// A hint about who uses managed memory when, as bits: 1 everyone, 2 the host, 4 this stream alone. Here everyone always
// may.
Status attach_memory(Runtime& runtime, void* stream, const void* pointer, unsigned flags);

}  // namespace tilescope::runtime
