#include "scope/runtime/service/memory/managed.h"

#include "scope/runtime/service/memory/advice_book.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

Status check_place(MemoryPlace at) {
    switch (at) {
        case MemoryPlace::kDevice:
        case MemoryPlace::kHost: return Status::kOk;
        case MemoryPlace::kOtherDevice: return Status::kInvalidDevice;
        case MemoryPlace::kNowhere: break;
    }
    return Status::kInvalidValue;
}

}  // namespace

bool is_managed(Runtime& runtime, const void* pointer, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const auto allocation = runtime.session().memory().find(address);
    if (!allocation || !allocation->contains(address, bytes)) return false;
    // A module's __managed__ variables live in module storage.
    return allocation->kind == machine::AllocationKind::kManaged ||
           allocation->kind == machine::AllocationKind::kModule;
}

Status prefetch_managed(Runtime& runtime, const void* pointer, std::size_t bytes, MemoryPlace to, void* stream) {
    if (bytes == 0 || !is_managed(runtime, pointer, bytes)) return Status::kInvalidValue;
    return on_stream_now(runtime, stream, [&](const machine::Issue& issue) {
        if (const Status status = check_place(to); status != Status::kOk) return status;
        const auto lock = runtime.work();
        runtime.session().observers().on_prefetch(
            {reinterpret_cast<std::uint64_t>(pointer), bytes, to == MemoryPlace::kDevice, issue});
        const int place = to == MemoryPlace::kDevice ? 0 : kOnHost;
        AdviceBook::get().note(reinterpret_cast<std::uint64_t>(pointer), bytes,
                               [&](Advice& advice) { advice.prefetched = place; });
        return Status::kOk;
    });
}

Status advise_managed(Runtime& runtime, const void* pointer, std::size_t bytes, machine::AdviceKind kind, bool is_set,
                      MemoryPlace to) {
    if (bytes == 0 || !is_managed(runtime, pointer, bytes)) return Status::kInvalidValue;
    const bool is_placeless =
        kind == machine::AdviceKind::kReadMostly || (kind == machine::AdviceKind::kPreferred && !is_set);
    if (const Status status = is_placeless ? Status::kOk : check_place(to); status != Status::kOk) return status;
    const auto lock = runtime.work();
    const bool is_device = to == MemoryPlace::kDevice || to == MemoryPlace::kOtherDevice;
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    AdviceBook::get().note(address, bytes, [&](Advice& advice) {
        switch (kind) {
            case machine::AdviceKind::kReadMostly: advice.is_read_mostly = is_set; break;
            case machine::AdviceKind::kPreferred:
                advice.preferred = !is_set ? kNoPlace : is_device ? 0 : kOnHost;
                break;
            case machine::AdviceKind::kAccessedBy: (is_device ? advice.by_device : advice.by_host) = is_set; break;
        }
    });
    runtime.session().observers().on_advice({address, bytes, kind, is_set, is_device});
    return Status::kOk;
}

}  // namespace tilescope::runtime
