#include "scope/runtime/service/streams/streams.h"

#include <algorithm>

#include "scope/runtime/service/streams/host_function.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {

Status make_stream(Runtime& runtime, unsigned flags, int priority, void*& stream) {
    if ((flags & ~kNonBlocking) != 0) return Status::kInvalidValue;
    stream = runtime.handles().make_stream(flags, std::clamp(priority, kGreatestPriority, kLeastPriority));
    tell_stream(runtime, machine::StreamEventKind::kCreate, runtime.handles().stream(stream)->id, nullptr,
                (flags & kNonBlocking) == 0);
    return Status::kOk;
}

Status destroy_stream(Runtime& runtime, void* stream) {
    const auto found = runtime.handles().stream(stream);
    if (!runtime.handles().destroy_stream(stream)) return Status::kInvalidHandle;
    if (!runtime.captures().is_idle()) runtime.captures().forget(*found);
    tell_stream(runtime, machine::StreamEventKind::kDestroy, found->id);
    return Status::kOk;
}

Status wait_for_stream(Runtime& runtime, void* stream) {
    return on_stream_now(runtime, stream, [&](const machine::Issue& issue) {
        const Status status = runtime.captures().forbid_unsafe();
        if (status == Status::kOk) tell_stream(runtime, machine::StreamEventKind::kSynchronizeStream, issue.stream);
        return status;
    });
}

Status wait_for_event(Runtime& runtime, void* stream, void* event, bool is_external) {
    const auto found = runtime.handles().stream(stream);
    const auto known = runtime.handles().event(event);
    if (!found || !known) return Status::kInvalidHandle;
    bool is_taken = false;
    if (!runtime.captures().is_idle()) {
        const Status status = runtime.captures().wait(*found, event, known->is_recorded, is_external, is_taken);
        if (status != Status::kOk) return status;
    }
    if (is_taken) return Status::kOk;
    if (is_external) return because(Status::kIllegalState, kNoCapture);
    tell_stream(runtime, machine::StreamEventKind::kWait, found->id, event);
    return Status::kOk;
}

Status call_host(Runtime& runtime, void* stream, const HostWork& host) {
    return on_stream(
        runtime, stream,
        [&](const machine::Issue& issue) {
            call_host_function(runtime, issue, [&] { host.function(host.data); });
            return Status::kOk;
        },
        [&](Work& work) {
            work = host;
            return Status::kOk;
        });
}

Status call_host_now(Runtime& runtime, void* stream, const std::function<void()>& function) {
    return on_stream_now(runtime, stream, [&](const machine::Issue& issue) {
        call_host_function(runtime, issue, function);
        return Status::kOk;
    });
}

Status set_window(Runtime& runtime, void* stream, const AccessWindow& window) {
    auto found = runtime.handles().stream(stream);
    if (!found) return Status::kInvalidHandle;
    if (!is_window(runtime.session().device(), window)) return because(Status::kInvalidValue, kNoWindow);
    found->window = window;
    runtime.handles().change_attributes(*found);
    return Status::kOk;
}

Status set_synchronization(Runtime& runtime, void* stream, int how) {
    auto found = runtime.handles().stream(stream);
    if (!found) return Status::kInvalidHandle;
    constexpr int kFirst = 1, kLast = 4;
    if (how < kFirst || how > kLast) return because(Status::kInvalidValue, "there is no such way to wait");
    found->synchronization = how;
    runtime.handles().change_attributes(*found);
    return Status::kOk;
}

Status copy_attributes(Runtime& runtime, void* to, void* from) {
    auto target = runtime.handles().stream(to);
    const auto source = runtime.handles().stream(from);
    if (!target || !source) return Status::kInvalidHandle;
    target->window = source->window;
    target->synchronization = source->synchronization;
    runtime.handles().change_attributes(*target);
    return Status::kOk;
}

Status attach_memory(Runtime& runtime, void* stream, const void* pointer, unsigned flags) {
    const auto allocation = runtime.session().memory().find(reinterpret_cast<std::uint64_t>(pointer));
    const auto found = runtime.handles().stream(stream);
    if (!found) return Status::kInvalidHandle;
    if (!runtime.captures().is_idle())
        if (const Status status = runtime.captures().forbid_on(*found); status != Status::kOk) return status;
    if (!allocation || allocation->kind != machine::AllocationKind::kManaged) return Status::kInvalidValue;
    constexpr unsigned kGlobal = 1, kHost = 2, kSingle = 4;
    const bool own_stream = found->id != 0;
    return flags == kGlobal || flags == kHost || (flags == kSingle && own_stream) ? Status::kOk : Status::kInvalidValue;
}

}  // namespace tilescope::runtime
