// How a call issues its work, for those who follow the run (machine/run_observer.h).
#pragma once

#include <optional>

#include "scope/runtime/handles.h"
#include "scope/runtime/runtime.h"

namespace tilescope::runtime {

// Of a call that names a stream and need not wait; nothing when there is no such stream.
inline std::optional<machine::Issue> issue_on(Runtime& runtime, void* stream) {
    const auto found = runtime.handles().stream(stream);
    if (!found) return std::nullopt;
    return machine::Issue{found->id, true};
}

// Of a call that names none and waits.
inline machine::Issue at_once() { return {Runtime::get().handles().stream(nullptr)->id, false}; }

// Tells that something happened to streams.
inline void tell_stream(Runtime& runtime, machine::StreamEventKind kind, std::uint32_t stream,
                        const void* event = nullptr, bool is_blocking = true) {
    runtime.session().observers().on_stream({kind, stream, reinterpret_cast<std::uint64_t>(event), is_blocking});
}

}  // namespace tilescope::runtime
