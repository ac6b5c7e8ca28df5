// How a call issues its work: now, for those who follow the run (machine/run_observer.h), or as a node of the graph
// that its stream captures.
#pragma once

#include <optional>

#include "scope/runtime/service/capture/capture.h"
#include "scope/runtime/service/runtime.h"
#include "scope/runtime/service/streams/handles.h"

namespace tilescope::runtime {

// For calls that name a stream and need not wait: run(Issue) does the work; while the stream captures, take(Work&) says
// what the node is to do, and checks it (EmptyWork: nothing).
template <class Run, class Take>
Status on_stream(Runtime& runtime, void* stream, Run&& run, Take&& take) {
    const auto found = runtime.handles().stream(stream);
    if (!found) return Status::kInvalidHandle;
    if (!runtime.captures().is_idle()) {
        bool is_taken = false;
        if (const Status status = runtime.captures().enter(*found, is_taken); status != Status::kOk) return status;
        Work work;
        if (is_taken) {
            const Status status = take(work);
            return runtime.captures().add(*found, status, std::move(work));
        }
    }
    return run(machine::Issue{found->id, true});
}

// For those that cannot be captured.
template <class Run>
Status on_stream_now(Runtime& runtime, void* stream, Run&& run) {
    const auto found = runtime.handles().stream(stream);
    if (!found) return Status::kInvalidHandle;
    if (!runtime.captures().is_idle())
        if (const Status status = runtime.captures().forbid_on(*found); status != Status::kOk) return status;
    return run(machine::Issue{found->id, true});
}

// For those that name none and wait.
template <class Run>
Status at_once(Runtime& runtime, Run&& run) {
    const Stream stream = *runtime.handles().stream(nullptr);
    if (!runtime.captures().is_idle())
        if (const Status status = runtime.captures().forbid_on(stream); status != Status::kOk) return status;
    return run(machine::Issue{stream.id, false});
}

// Tells that something happened to streams. `graph`: within a launch of a graph, as Issue has it.
inline void tell_stream(Runtime& runtime, machine::StreamEventKind kind, std::uint32_t stream,
                        const void* event = nullptr, bool is_blocking = true, std::uint32_t graph = 0) {
    runtime.session().observers().on_stream({kind, stream, reinterpret_cast<std::uint64_t>(event), is_blocking, graph});
}

}  // namespace tilescope::runtime
