// Events. The time between two is that of the modelled time line (docs/TIMELINE.md), beyond its end and where there is
// none an estimate; never that of the machine that emulates.
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

constexpr unsigned kBlockingSync = 1, kDisableTiming = 2, kInterprocess = 4;

Status make_event(Runtime& runtime, void** event, unsigned flags) {
    if (event == nullptr || (flags & ~(kBlockingSync | kDisableTiming | kInterprocess)) != 0)
        return Status::kInvalidValue;
    if ((flags & kInterprocess) != 0 && (flags & kDisableTiming) == 0) return Status::kInvalidValue;
    *event = runtime.handles().make_event(flags);
    return Status::kOk;
}

Status record_event(Runtime& runtime, void* event, void* stream, bool is_external = false) {
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

cudaError complete(void* event, const char* name = __builtin_FUNCTION()) {
    return on_device(
        [&](Runtime& runtime) -> Status {
            if (!runtime.handles().event(event)) return Status::kInvalidHandle;
            if (const Status status = runtime.captures().ask(event); status != Status::kOk) return status;
            tell_stream(runtime, machine::StreamEventKind::kSynchronizeEvent, 0, event);
            return Status::kOk;
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
        return runtime.handles().destroy_event(event) ? Status::kOk : Status::kInvalidHandle;
    });
}

TILESCOPE_API cudaError cudaEventRecord(void* event, void* stream) {
    return on_device([&](Runtime& runtime) { return record_event(runtime, event, stream); });
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
    return on_device([&](Runtime& runtime) -> Status {
        if (milliseconds == nullptr) return Status::kInvalidValue;
        const auto first = runtime.handles().event(start);
        const auto last = runtime.handles().event(end);
        for (void* const event : {start, end})
            if (const Status status = runtime.captures().check_time(event); status != Status::kOk) return status;
        for (const auto* event : {&first, &last}) {
            if (!*event || !(*event)->is_recorded || ((*event)->flags & kDisableTiming) != 0)
                return Status::kInvalidHandle;
        }
        const auto elapsed =
            runtime.session().elapsed(reinterpret_cast<std::uint64_t>(start), reinterpret_cast<std::uint64_t>(end));
        *milliseconds = static_cast<float>(elapsed.value_or(0));
        return Status::kOk;
    });
}

TILESCOPE_ALIAS(cudaEventElapsedTime_v2, cudaEventElapsedTime);
TILESCOPE_PER_THREAD(cudaEventRecord_ptsz, cudaEventRecord);
TILESCOPE_PER_THREAD(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);

}  // namespace tilescope::runtime
