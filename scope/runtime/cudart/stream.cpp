// Streams. Work is done when it is issued, so synchronising, querying and waiting find nothing left to do.
#include <algorithm>

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/streams/host_function.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

constexpr int kLeastPriority = 0, kGreatestPriority = -5;  // of an H200

Status make_stream(Runtime& runtime, void** stream, unsigned flags, int priority) {
    if (stream == nullptr || (flags & ~kNonBlocking) != 0) return Status::kInvalidValue;
    *stream = runtime.handles().make_stream(flags, std::clamp(priority, kGreatestPriority, kLeastPriority));
    tell_stream(runtime, machine::StreamEventKind::kCreate, runtime.handles().stream(*stream)->id, nullptr,
                (flags & kNonBlocking) == 0);
    return Status::kOk;
}

// What the calls share that ask one thing of a stream.
template <class Body>
cudaError ask(void* stream, const void* out, Body&& body) {
    return on_device([&](Runtime& runtime) -> Status {
        const auto found = runtime.handles().stream(stream);
        if (!found) return Status::kInvalidHandle;
        if (out == nullptr) return Status::kInvalidValue;
        body(*found);
        return Status::kOk;
    });
}

// `name`: of the call, which it is told by if it fails.
cudaError idle(void* stream, const char* name = __builtin_FUNCTION()) {
    return on_device(
        [&](Runtime& runtime) -> Status {
            return on_stream_now(runtime, stream, [&](const machine::Issue& issue) {
                const Status status = runtime.captures().forbid_unsafe();
                if (status == Status::kOk)
                    tell_stream(runtime, machine::StreamEventKind::kSynchronizeStream, issue.stream);
                return status;
            });
        },
        name);
}

}  // namespace

TILESCOPE_API cudaError cudaStreamCreate(void** stream) {
    return on_device([&](Runtime& runtime) { return make_stream(runtime, stream, 0, 0); });
}

TILESCOPE_API cudaError cudaStreamCreateWithFlags(void** stream, unsigned flags) {
    return on_device([&](Runtime& runtime) { return make_stream(runtime, stream, flags, 0); });
}

TILESCOPE_API cudaError cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
    return on_device([&](Runtime& runtime) { return make_stream(runtime, stream, flags, priority); });
}

TILESCOPE_API cudaError cudaStreamDestroy(void* stream) {
    return on_device([&](Runtime& runtime) -> Status {
        const auto found = runtime.handles().stream(stream);
        if (!runtime.handles().destroy_stream(stream)) return Status::kInvalidHandle;
        if (!runtime.captures().is_idle()) runtime.captures().forget(*found);
        tell_stream(runtime, machine::StreamEventKind::kDestroy, found->id);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaStreamSynchronize(void* stream) { return idle(stream); }

TILESCOPE_API cudaError cudaStreamQuery(void* stream) { return idle(stream); }

TILESCOPE_API cudaError cudaStreamGetFlags(void* stream, unsigned* flags) {
    return ask(stream, flags, [&](const Stream& found) { *flags = found.flags; });
}

TILESCOPE_API cudaError cudaStreamGetPriority(void* stream, int* priority) {
    return ask(stream, priority, [&](const Stream& found) { *priority = found.priority; });
}

TILESCOPE_API cudaError cudaStreamGetId(void* stream, unsigned long long* id) {
    return ask(stream, id, [&](const Stream& found) { *id = found.id; });
}

TILESCOPE_API cudaError cudaStreamGetDevice(void* stream, int* device) {
    return ask(stream, device, [&](const Stream&) { *device = 0; });
}

TILESCOPE_API cudaError cudaStreamWaitEvent(void* stream, void* event, unsigned flags) {
    return on_device([&](Runtime& runtime) -> Status {
        constexpr unsigned kExternal = 1;
        if ((flags & ~kExternal) != 0) return Status::kInvalidValue;
        const auto found = runtime.handles().stream(stream);
        const auto known = runtime.handles().event(event);
        if (!found || !known) return Status::kInvalidHandle;
        bool is_taken = false;
        if (!runtime.captures().is_idle()) {
            const Status status =
                runtime.captures().wait(*found, event, known->is_recorded, flags == kExternal, is_taken);
            if (status != Status::kOk) return status;
        }
        if (is_taken) return Status::kOk;
        if (flags == kExternal) return because(Status::kIllegalState, kNoCapture);
        tell_stream(runtime, machine::StreamEventKind::kWait, found->id, event);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaStreamAddCallback(void* stream, void (*callback)(void*, cudaError, void*), void* data,
                                              unsigned flags) {
    return on_device([&](Runtime& runtime) -> Status {
        if (callback == nullptr || flags != 0) return Status::kInvalidValue;
        return on_stream_now(runtime, stream, [&](const machine::Issue& issue) {
            call_host_function(runtime, issue, [&] { callback(stream, cudaSuccess, data); });
            return Status::kOk;
        });
    });
}

TILESCOPE_API cudaError cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
    return on_device([&](Runtime& runtime) -> Status {
        if (function == nullptr) return Status::kInvalidValue;
        return on_stream(
            runtime, stream,
            [&](const machine::Issue& issue) {
                call_host_function(runtime, issue, [&] { function(data); });
                return Status::kOk;
            },
            [&](Work& work) {
                work = HostWork{function, data};
                return Status::kOk;
            });
    });
}

// A hint about who uses managed memory when; here everyone always may.
TILESCOPE_API cudaError cudaStreamAttachMemAsync(void* stream, void* pointer, std::size_t, unsigned flags) {
    return on_device([&](Runtime& runtime) -> Status {
        const auto allocation = runtime.session().memory().find(reinterpret_cast<std::uint64_t>(pointer));
        if (!runtime.handles().is_stream(stream)) return Status::kInvalidHandle;
        if (!runtime.captures().is_idle())
            if (const Status status = runtime.captures().forbid_on(*runtime.handles().stream(stream));
                status != Status::kOk)
                return status;
        if (!allocation || allocation->kind != machine::AllocationKind::kManaged) return Status::kInvalidValue;
        constexpr unsigned kGlobal = 1, kHost = 2, kSingle = 4;
        const bool own_stream = runtime.handles().stream(stream)->id != 0;
        return flags == kGlobal || flags == kHost || (flags == kSingle && own_stream) ? Status::kOk
                                                                                      : Status::kInvalidValue;
    });
}

TILESCOPE_API cudaError cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return on_device([&](Runtime&) {
        if (least != nullptr) *least = kLeastPriority;
        if (greatest != nullptr) *greatest = kGreatestPriority;
        return Status::kOk;
    });
}

TILESCOPE_PER_THREAD(cudaStreamSynchronize_ptsz, cudaStreamSynchronize);
TILESCOPE_PER_THREAD(cudaStreamQuery_ptsz, cudaStreamQuery);
TILESCOPE_PER_THREAD(cudaStreamGetFlags_ptsz, cudaStreamGetFlags);
TILESCOPE_PER_THREAD(cudaStreamGetPriority_ptsz, cudaStreamGetPriority);
TILESCOPE_PER_THREAD(cudaStreamGetId_ptsz, cudaStreamGetId);
TILESCOPE_PER_THREAD(cudaStreamGetDevice_ptsz, cudaStreamGetDevice);
TILESCOPE_PER_THREAD(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent);
TILESCOPE_PER_THREAD(cudaStreamAddCallback_ptsz, cudaStreamAddCallback);
TILESCOPE_PER_THREAD(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc);
TILESCOPE_PER_THREAD(cudaStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync);

}  // namespace tilescope::runtime
