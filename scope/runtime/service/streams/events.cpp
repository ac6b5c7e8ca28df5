#include "scope/runtime/service/streams/events.h"

#include <string>
#include <utility>

#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

constexpr unsigned kBlockingSync = 1, kDisableTiming = 2, kInterprocess = 4;

}  // namespace

Status make_event(Runtime& runtime, unsigned flags, void*& event) {
    if ((flags & ~(kBlockingSync | kDisableTiming | kInterprocess)) != 0) return Status::kInvalidValue;
    if ((flags & kInterprocess) != 0 && (flags & kDisableTiming) == 0) return Status::kInvalidValue;
    event = runtime.handles().make_event(flags);
    return Status::kOk;
}

Status destroy_event(Runtime& runtime, void* event) {
    if (!runtime.captures().is_idle()) runtime.captures().forget(event);
    return runtime.handles().destroy_event(event) ? Status::kOk : Status::kInvalidHandle;
}

Status record_event(Runtime& runtime, void* event, void* stream, bool is_external) {
    const auto found = runtime.handles().stream(stream);
    if (!found || !runtime.handles().event(event)) return Status::kInvalidHandle;
    if (!runtime.captures().is_idle()) {
        bool is_taken = false;
        const Status status = runtime.captures().record(*found, event, is_external, is_taken);
        if (status != Status::kOk || is_taken) return status;
    }
    if (is_external) return because(Status::kIllegalState, kNoCapture);
    if (!runtime.handles().record_event(event)) return Status::kInvalidHandle;
    tell_stream(runtime, machine::StreamEventKind::kRecord, found->id, event);
    return Status::kOk;
}

Status wait_for_event(Runtime& runtime, void* event) {
    if (!runtime.handles().event(event)) return Status::kInvalidHandle;
    if (const Status status = runtime.captures().ask(event); status != Status::kOk) return status;
    tell_stream(runtime, machine::StreamEventKind::kSynchronizeEvent, 0, event);
    return Status::kOk;
}

Status elapsed_time(Runtime& runtime, void* start, void* end, float& milliseconds) {
    const auto first = runtime.handles().event(start);
    const auto last = runtime.handles().event(end);
    for (void* const event : {start, end})
        if (const Status status = runtime.captures().check_time(event); status != Status::kOk) return status;
    for (const auto& [event, which] : {std::pair{&first, "first"}, std::pair{&last, "second"}}) {
        if (!*event) return Status::kInvalidHandle;
        const std::string the_event = std::string("the ") + which + " event was created";
        if (((*event)->flags & kDisableTiming) != 0)
            return because(Status::kInvalidHandle, the_event + " with cudaEventDisableTiming, so it has no time");
        if (!(*event)->is_recorded)
            return because(Status::kInvalidHandle,
                           the_event + ", but never recorded: call cudaEventRecord before this");
    }
    const auto elapsed =
        runtime.session().elapsed(reinterpret_cast<std::uint64_t>(start), reinterpret_cast<std::uint64_t>(end));
    milliseconds = static_cast<float>(elapsed.value_or(0));
    return Status::kOk;
}

}  // namespace tilescope::runtime
