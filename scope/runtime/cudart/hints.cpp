#include "scope/runtime/cudart/hints.h"

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/streams/handles.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

constexpr int kDevice = 1, kHost = 2, kHostNuma = 3, kHostNumaCurrent = 4;

Status check_location(const abi::MemLocation& at) {
    if (at.type == kDevice) return at.id == 0 ? Status::kOk : Status::kInvalidDevice;
    return at.type == kHost || at.type == kHostNuma || at.type == kHostNumaCurrent ? Status::kOk
                                                                                   : Status::kInvalidValue;
}

bool is_managed(Runtime& runtime, const void* pointer, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const auto allocation = runtime.session().memory().find(address);
    if (!allocation || !allocation->contains(address, bytes)) return false;
    // A module's __managed__ variables live in module storage.
    return allocation->kind == machine::AllocationKind::kManaged ||
           allocation->kind == machine::AllocationKind::kModule;
}

machine::AdviceEvent event_of(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                              const abi::MemLocation& to) {
    machine::AdviceEvent event;
    event.address = reinterpret_cast<std::uint64_t>(pointer);
    event.bytes = bytes;
    event.is_device = to.type == kDevice;
    event.is_set = advice == cudaMemAdviseSetReadMostly || advice == cudaMemAdviseSetPreferredLocation ||
                   advice == cudaMemAdviseSetAccessedBy;
    switch (advice) {
        case cudaMemAdviseSetReadMostly:
        case cudaMemAdviseUnsetReadMostly: event.kind = machine::AdviceKind::kReadMostly; break;
        case cudaMemAdviseSetPreferredLocation:
        case cudaMemAdviseUnsetPreferredLocation: event.kind = machine::AdviceKind::kPreferred; break;
        case cudaMemAdviseSetAccessedBy:
        case cudaMemAdviseUnsetAccessedBy: event.kind = machine::AdviceKind::kAccessedBy; break;
    }
    return event;
}

}  // namespace

abi::MemLocation location_of(int device) {
    constexpr int kCpuDevice = -1;
    return device == kCpuDevice ? abi::MemLocation{kHost, 0} : abi::MemLocation{kDevice, device};
}

cudaError prefetch(const void* pointer, std::size_t bytes, abi::MemLocation to, unsigned flags, void* stream,
                   const char* name) {
    return on_device(
        [&](Runtime& runtime) -> Status {
            if (flags != 0 || bytes == 0 || !is_managed(runtime, pointer, bytes)) return Status::kInvalidValue;
            return on_stream_now(runtime, stream, [&](const machine::Issue& issue) {
                if (const Status status = check_location(to); status != Status::kOk) return status;
                const auto lock = runtime.work();
                runtime.session().observers().on_prefetch(
                    {reinterpret_cast<std::uint64_t>(pointer), bytes, to.type == kDevice, issue});
                return Status::kOk;
            });
        },
        name);
}

cudaError advise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, abi::MemLocation to,
                 const char* name) {
    return on_device(
        [&](Runtime& runtime) -> Status {
            if (bytes == 0 || !is_managed(runtime, pointer, bytes)) return Status::kInvalidValue;
            if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
                return Status::kInvalidValue;
            // Whether memory is mostly read says nothing of a place.
            const bool placeless = advice == cudaMemAdviseSetReadMostly || advice == cudaMemAdviseUnsetReadMostly ||
                                   advice == cudaMemAdviseUnsetPreferredLocation;
            if (const Status status = placeless ? Status::kOk : check_location(to); status != Status::kOk)
                return status;
            const auto lock = runtime.work();
            runtime.session().observers().on_advice(event_of(pointer, bytes, advice, to));
            return Status::kOk;
        },
        name);
}

}  // namespace tilescope::runtime
