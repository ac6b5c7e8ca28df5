// Functions of the host that a stream calls.
#pragma once

#include "scope/runtime/service/streams/issue.h"
#include "scope/runtime/service/watch/host_watch.h"

namespace tilescope::runtime {

// While one lives, this thread may not call CUDA.
class InHostFunction {
public:
    InHostFunction() { is_in_host_function() = true; }
    ~InHostFunction() { is_in_host_function() = false; }
    InHostFunction(const InHostFunction&) = delete;
    InHostFunction& operator=(const InHostFunction&) = delete;
};

// It runs behind the stream's work and may tell the rest of the host so in a way that nobody sees: from here on the
// host counts as one that has waited.
template <class Body>
void call_host_function(Runtime& runtime, const machine::Issue& issue, Body&& body) {
    {
        const HostWatch::Function watched(issue.stream);
        const InHostFunction inside;
        body();
    }
    tell_stream(runtime, machine::StreamEventKind::kSynchronizeStream, issue.stream, nullptr, true, issue.graph);
}

}  // namespace tilescope::runtime
