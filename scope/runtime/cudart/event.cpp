// Events.
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/streams/events.h"

namespace tilescope::runtime {
namespace {

cudaError complete(void* event, const char* name = __builtin_FUNCTION()) {
    return on_device([&](Runtime& runtime) { return wait_for_event(runtime, event); }, name);
}

}  // namespace

TILESCOPE_API cudaError cudaEventCreate(void** event) {
    return on_device(
        [&](Runtime& runtime) { return event == nullptr ? Status::kInvalidValue : make_event(runtime, 0, *event); });
}

TILESCOPE_API cudaError cudaEventCreateWithFlags(void** event, unsigned flags) {
    return on_device([&](Runtime& runtime) {
        return event == nullptr ? Status::kInvalidValue : make_event(runtime, flags, *event);
    });
}

TILESCOPE_API cudaError cudaEventDestroy(void* event) {
    return on_device([&](Runtime& runtime) { return destroy_event(runtime, event); });
}

TILESCOPE_API cudaError cudaEventRecord(void* event, void* stream) {
    return on_device([&](Runtime& runtime) { return record_event(runtime, event, stream, false); });
}

TILESCOPE_API cudaError cudaEventRecordWithFlags(void* event, void* stream, unsigned flags) {
    return on_device([&](Runtime& runtime) {
        constexpr unsigned kExternal = 1;
        return (flags & ~kExternal) != 0 ? Status::kInvalidValue
                                         : record_event(runtime, event, stream, flags == kExternal);
    });
}

TILESCOPE_API cudaError cudaEventQuery(void* event) { return complete(event); }

TILESCOPE_API cudaError cudaEventSynchronize(void* event) { return complete(event); }

TILESCOPE_API cudaError cudaEventElapsedTime(float* milliseconds, void* start, void* end) {
    return on_device([&](Runtime& runtime) {
        return milliseconds == nullptr ? Status::kInvalidValue : elapsed_time(runtime, start, end, *milliseconds);
    });
}

TILESCOPE_ALIAS(cudaEventElapsedTime_v2, cudaEventElapsedTime);
TILESCOPE_PER_THREAD(cudaEventRecord_ptsz, cudaEventRecord);
TILESCOPE_PER_THREAD(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);

}  // namespace tilescope::runtime
