// Streams.
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/streams/handles.h"
#include "scope/runtime/service/streams/streams.h"

namespace tilescope::runtime {
namespace {

cudaError give_stream(void** stream, unsigned flags, int priority, const char* name = __builtin_FUNCTION()) {
    return on_device(
        [&](Runtime& runtime) {
            return stream == nullptr ? Status::kInvalidValue : make_stream(runtime, flags, priority, *stream);
        },
        name);
}

// What the calls share that ask one thing of a stream.
template <class Body>
cudaError ask(void* stream, const void* out, Body&& body, const char* name = __builtin_FUNCTION()) {
    return on_device(
        [&](Runtime& runtime) -> Status {
            const auto found = runtime.handles().stream(stream);
            if (!found) return Status::kInvalidHandle;
            if (out == nullptr) return Status::kInvalidValue;
            body(*found);
            return Status::kOk;
        },
        name);
}

// `name`: of the call, which it is told by if it fails.
cudaError idle(void* stream, const char* name = __builtin_FUNCTION()) {
    return on_device([&](Runtime& runtime) { return wait_for_stream(runtime, stream); }, name);
}

}  // namespace

TILESCOPE_API cudaError cudaStreamCreate(void** stream) { return give_stream(stream, 0, 0); }

TILESCOPE_API cudaError cudaStreamCreateWithFlags(void** stream, unsigned flags) {
    return give_stream(stream, flags, 0);
}

TILESCOPE_API cudaError cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
    return give_stream(stream, flags, priority);
}

TILESCOPE_API cudaError cudaStreamDestroy(void* stream) {
    return on_device([&](Runtime& runtime) { return destroy_stream(runtime, stream); });
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
    return on_device([&](Runtime& runtime) {
        constexpr unsigned kExternal = 1;
        return (flags & ~kExternal) != 0 ? Status::kInvalidValue
                                         : wait_for_event(runtime, stream, event, flags == kExternal);
    });
}

TILESCOPE_API cudaError cudaStreamAddCallback(void* stream, void (*callback)(void*, cudaError, void*), void* data,
                                              unsigned flags) {
    return on_device([&](Runtime& runtime) {
        if (callback == nullptr || flags != 0) return Status::kInvalidValue;
        return call_host_now(runtime, stream, [&] { callback(stream, cudaSuccess, data); });
    });
}

TILESCOPE_API cudaError cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
    return on_device([&](Runtime& runtime) {
        return function == nullptr ? Status::kInvalidValue : call_host(runtime, stream, {function, data});
    });
}

TILESCOPE_API cudaError cudaStreamAttachMemAsync(void* stream, void* pointer, std::size_t, unsigned flags) {
    return on_device([&](Runtime& runtime) { return attach_memory(runtime, stream, pointer, flags); });
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
