// Streams and events.
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/cudart/attributes.h"
#include "scope/runtime/service/streams/events.h"
#include "scope/runtime/service/streams/handles.h"
#include "scope/runtime/service/streams/streams.h"

namespace tilescope::runtime::driver {
namespace {

constexpr unsigned kExternalEvent = 1;

Code make(void** stream, unsigned flags, int priority, const char* name = __builtin_FUNCTION(),
          const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) {
            return stream == nullptr ? Status::kInvalidValue : make_stream(runtime, flags, priority, *stream);
        },
        name, from);
}

// body(const Stream&) says one thing of a stream, which goes to `out`.
template <class Body>
Code ask_stream(void* stream, const void* out, Body&& body, const char* name = __builtin_FUNCTION(),
                const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            const auto found = runtime.handles().stream(stream);
            if (!found) return Status::kInvalidHandle;
            if (out == nullptr) return Status::kInvalidValue;
            body(*found);
            return Status::kOk;
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuStreamCreate(void** stream, unsigned flags) { return make(stream, flags, 0); }
TILESCOPE_DRIVER Code cuStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
    return make(stream, flags, priority);
}
TILESCOPE_DRIVER Code cuStreamDestroy_v2(void* stream) {
    return on_handle(stream, [&](Runtime& runtime) { return destroy_stream(runtime, stream); });
}
TILESCOPE_DRIVER Code cuStreamSynchronize(void* stream) {
    return on_handle(stream, [&](Runtime& runtime) { return wait_for_stream(runtime, stream); });
}
TILESCOPE_DRIVER Code cuStreamQuery(void* stream) {
    return on_handle(stream, [&](Runtime& runtime) { return wait_for_stream(runtime, stream); });
}
TILESCOPE_DRIVER Code cuStreamGetFlags(void* stream, unsigned* flags) {
    return ask_stream(stream, flags, [&](const Stream& found) { *flags = found.flags; });
}
TILESCOPE_DRIVER Code cuStreamGetPriority(void* stream, int* priority) {
    return ask_stream(stream, priority, [&](const Stream& found) { *priority = found.priority; });
}
TILESCOPE_DRIVER Code cuStreamGetId(void* stream, unsigned long long* id) {
    return ask_stream(stream, id, [&](const Stream& found) { *id = found.id; });
}
TILESCOPE_DRIVER Code cuStreamGetDevice(void* stream, int* device) {
    return ask_stream(stream, device, [&](const Stream&) { *device = 0; });
}
TILESCOPE_DRIVER Code cuStreamGetCtx(void* stream, void** context) {
    return ask_stream(stream, context, [&](const Stream&) { *context = Contexts::get().current(); });
}

TILESCOPE_DRIVER Code cuStreamWaitEvent(void* stream, void* event, unsigned flags) {
    return on_handle(stream, [&](Runtime& runtime) {
        return (flags & ~kExternalEvent) != 0 ? Status::kInvalidValue
                                              : wait_for_event(runtime, stream, event, flags == kExternalEvent);
    });
}

TILESCOPE_DRIVER Code cuStreamAddCallback(void* stream, StreamCallback callback, void* data, unsigned flags) {
    return on_context([&](Runtime& runtime) {
        if (callback == nullptr || flags != 0) return Status::kInvalidValue;
        return call_host_now(runtime, stream, [&] { callback(stream, kSuccess, data); });
    });
}

TILESCOPE_DRIVER Code cuLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
    return on_context([&](Runtime& runtime) {
        return function == nullptr ? Status::kInvalidValue : call_host(runtime, stream, {function, data});
    });
}

TILESCOPE_DRIVER Code cuStreamAttachMemAsync(void* stream, Address address, std::size_t, unsigned flags) {
    return on_context([&](Runtime& runtime) { return attach_memory(runtime, stream, pointer_of(address), flags); });
}

TILESCOPE_DRIVER Code cuStreamSetAttribute(void* stream, int id, const abi::AttributeValue* value) {
    return on_context([&](Runtime& runtime) { return set_stream_attribute(runtime, stream, id, value); });
}

TILESCOPE_DRIVER Code cuStreamGetAttribute(void* stream, int id, abi::AttributeValue* value) {
    return on_context([&](Runtime& runtime) { return stream_attribute(runtime, stream, id, value); });
}

TILESCOPE_DRIVER Code cuStreamCopyAttributes(void* to, void* source) {
    return on_context([&](Runtime& runtime) { return copy_attributes(runtime, to, source); });
}

TILESCOPE_DRIVER Code cuEventCreate(void** event, unsigned flags) {
    return on_context([&](Runtime& runtime) {
        return event == nullptr ? Status::kInvalidValue : make_event(runtime, flags, *event);
    });
}
TILESCOPE_DRIVER Code cuEventDestroy_v2(void* event) {
    return on_context([&](Runtime& runtime) { return destroy_event(runtime, event); });
}
TILESCOPE_DRIVER Code cuEventRecord(void* event, void* stream) {
    return on_handle(stream, [&](Runtime& runtime) { return record_event(runtime, event, stream, false); });
}
TILESCOPE_DRIVER Code cuEventRecordWithFlags(void* event, void* stream, unsigned flags) {
    return on_handle(stream, [&](Runtime& runtime) {
        return (flags & ~kExternalEvent) != 0 ? Status::kInvalidValue
                                              : record_event(runtime, event, stream, flags == kExternalEvent);
    });
}
TILESCOPE_DRIVER Code cuEventQuery(void* event) {
    return on_handle(event, [&](Runtime& runtime) { return wait_for_event(runtime, event); });
}
TILESCOPE_DRIVER Code cuEventSynchronize(void* event) {
    return on_handle(event, [&](Runtime& runtime) { return wait_for_event(runtime, event); });
}
TILESCOPE_DRIVER Code cuEventElapsedTime(float* milliseconds, void* start, void* end) {
    return on_context([&](Runtime& runtime) {
        return milliseconds == nullptr ? Status::kInvalidHandle : elapsed_time(runtime, start, end, *milliseconds);
    });
}

std::span<const Entry> stream_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuStreamCreate),
        TILESCOPE_THERE(cuStreamCreateWithPriority),
        TILESCOPE_THERE_AS(cuStreamDestroy, cuStreamDestroy_v2),
        TILESCOPE_THERE(cuStreamDestroy_v2),
        TILESCOPE_THERE_TWICE(cuStreamSynchronize),
        TILESCOPE_THERE_TWICE(cuStreamQuery),
        TILESCOPE_THERE_TWICE(cuStreamGetFlags),
        TILESCOPE_THERE_TWICE(cuStreamGetPriority),
        TILESCOPE_THERE_TWICE(cuStreamGetId),
        TILESCOPE_THERE_TWICE(cuStreamGetDevice),
        TILESCOPE_THERE_TWICE(cuStreamGetCtx),
        TILESCOPE_THERE_TWICE(cuStreamWaitEvent),
        TILESCOPE_THERE_TWICE(cuStreamAddCallback),
        TILESCOPE_THERE_TWICE(cuLaunchHostFunc),
        TILESCOPE_THERE_TWICE(cuStreamAttachMemAsync),
        TILESCOPE_THERE_TWICE(cuStreamSetAttribute),
        TILESCOPE_THERE_TWICE(cuStreamGetAttribute),
        TILESCOPE_THERE_TWICE(cuStreamCopyAttributes),
        TILESCOPE_THERE(cuEventCreate),
        TILESCOPE_THERE_AS(cuEventDestroy, cuEventDestroy_v2),
        TILESCOPE_THERE(cuEventDestroy_v2),
        TILESCOPE_THERE_TWICE(cuEventRecord),
        TILESCOPE_THERE_TWICE(cuEventRecordWithFlags),
        TILESCOPE_THERE(cuEventQuery),
        TILESCOPE_THERE(cuEventSynchronize),
        TILESCOPE_THERE(cuEventElapsedTime),
        TILESCOPE_THERE_AS(cuEventElapsedTime_v2, cuEventElapsedTime),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
