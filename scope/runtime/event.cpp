// Events. The time between two is that of the modelled time line (docs/TIMELINE.md), beyond its end and where there is
// none an estimate; never that of the machine that emulates.
#include "scope/runtime/guard.h"
#include "scope/runtime/issue.h"
#include "scope/runtime/per_thread.h"

namespace tilescope::runtime {
namespace {

constexpr unsigned kBlockingSync = 1, kDisableTiming = 2, kInterprocess = 4;

cudaError make_event(Runtime& runtime, void** event, unsigned flags) {
    if (event == nullptr || (flags & ~(kBlockingSync | kDisableTiming | kInterprocess)) != 0)
        return cudaErrorInvalidValue;
    if ((flags & kInterprocess) != 0 && (flags & kDisableTiming) == 0) return cudaErrorInvalidValue;
    *event = runtime.handles().make_event(flags);
    return cudaSuccess;
}

cudaError record_event(Runtime& runtime, void* event, void* stream, bool is_external = false) {
    const auto found = runtime.handles().stream(stream);
    if (!found || !runtime.handles().event(event)) return cudaErrorInvalidResourceHandle;
    if (!runtime.captures().is_idle()) {
        bool is_taken = false;
        const cudaError error = runtime.captures().record(*found, event, is_external, is_taken);
        if (error != cudaSuccess || is_taken) return error;
    }
    if (is_external) return because(cudaErrorIllegalState, kNoCapture);
    if (!runtime.handles().record_event(event)) return cudaErrorInvalidResourceHandle;
    tell_stream(runtime, machine::StreamEventKind::kRecord, found->id, event);
    return cudaSuccess;
}

cudaError complete(void* event, const char* name = __builtin_FUNCTION()) {
    return on_device(
        [&](Runtime& runtime) -> cudaError {
            if (!runtime.handles().event(event)) return cudaErrorInvalidResourceHandle;
            if (const cudaError error = runtime.captures().ask(event); error != cudaSuccess) return error;
            tell_stream(runtime, machine::StreamEventKind::kSynchronizeEvent, 0, event);
            return cudaSuccess;
        },
        name);
}

}  // namespace

TILESCOPE_API cudaError cudaEventCreate(void** event) {
    return on_device([&](Runtime& runtime) { return make_event(runtime, event, 0); });
}

TILESCOPE_API cudaError cudaEventCreateWithFlags(void** event, unsigned flags) {
    return on_device([&](Runtime& runtime) { return make_event(runtime, event, flags); });
}

TILESCOPE_API cudaError cudaEventDestroy(void* event) {
    return on_device([&](Runtime& runtime) {
        if (!runtime.captures().is_idle()) runtime.captures().forget(event);
        return runtime.handles().destroy_event(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}

TILESCOPE_API cudaError cudaEventRecord(void* event, void* stream) {
    return on_device([&](Runtime& runtime) { return record_event(runtime, event, stream); });
}

TILESCOPE_API cudaError cudaEventRecordWithFlags(void* event, void* stream, unsigned flags) {
    return on_device([&](Runtime& runtime) {
        constexpr unsigned kExternal = 1;
        return (flags & ~kExternal) != 0 ? cudaErrorInvalidValue
                                         : record_event(runtime, event, stream, flags == kExternal);
    });
}

TILESCOPE_API cudaError cudaEventQuery(void* event) { return complete(event); }

TILESCOPE_API cudaError cudaEventSynchronize(void* event) { return complete(event); }

TILESCOPE_API cudaError cudaEventElapsedTime(float* milliseconds, void* start, void* end) {
    return on_device([&](Runtime& runtime) -> cudaError {
        if (milliseconds == nullptr) return cudaErrorInvalidValue;
        const auto first = runtime.handles().event(start);
        const auto last = runtime.handles().event(end);
        for (void* const event : {start, end})
            if (const cudaError error = runtime.captures().check_time(event); error != cudaSuccess) return error;
        for (const auto* event : {&first, &last}) {
            if (!*event || !(*event)->is_recorded || ((*event)->flags & kDisableTiming) != 0)
                return cudaErrorInvalidResourceHandle;
        }
        const auto elapsed =
            runtime.session().elapsed(reinterpret_cast<std::uint64_t>(start), reinterpret_cast<std::uint64_t>(end));
        *milliseconds = static_cast<float>(elapsed.value_or(0));
        return cudaSuccess;
    });
}

TILESCOPE_ALIAS(cudaEventElapsedTime_v2, cudaEventElapsedTime);
TILESCOPE_PER_THREAD(cudaEventRecord_ptsz, cudaEventRecord);
TILESCOPE_PER_THREAD(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);

}  // namespace tilescope::runtime
