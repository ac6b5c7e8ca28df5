#include "scope/runtime/cudart/hints.h"

#include <optional>

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/memory/managed.h"

namespace tilescope::runtime {
namespace {

constexpr int kDevice = 1, kHost = 2, kHostNuma = 3, kHostNumaCurrent = 4;

MemoryPlace place_of(const abi::MemLocation& at) {
    if (at.type == kDevice) return at.id == 0 ? MemoryPlace::kDevice : MemoryPlace::kOtherDevice;
    return at.type == kHost || at.type == kHostNuma || at.type == kHostNumaCurrent ? MemoryPlace::kHost
                                                                                   : MemoryPlace::kNowhere;
}

struct Advice {
    machine::AdviceKind kind;
    bool is_set;
};
std::optional<Advice> advice_of(cudaMemoryAdvise advice) {
    using machine::AdviceKind;
    switch (advice) {
        case cudaMemAdviseSetReadMostly: return Advice{AdviceKind::kReadMostly, true};
        case cudaMemAdviseUnsetReadMostly: return Advice{AdviceKind::kReadMostly, false};
        case cudaMemAdviseSetPreferredLocation: return Advice{AdviceKind::kPreferred, true};
        case cudaMemAdviseUnsetPreferredLocation: return Advice{AdviceKind::kPreferred, false};
        case cudaMemAdviseSetAccessedBy: return Advice{AdviceKind::kAccessedBy, true};
        case cudaMemAdviseUnsetAccessedBy: return Advice{AdviceKind::kAccessedBy, false};
    }
    return std::nullopt;
}

}  // namespace

abi::MemLocation location_of(int device) {
    constexpr int kCpuDevice = -1;
    return device == kCpuDevice ? abi::MemLocation{kHost, 0} : abi::MemLocation{kDevice, device};
}

cudaError prefetch(const void* pointer, std::size_t bytes, abi::MemLocation to, unsigned flags, void* stream,
                   const char* name) {
    return on_device(
        [&](Runtime& runtime) {
            return flags != 0 ? Status::kInvalidValue : prefetch_managed(runtime, pointer, bytes, place_of(to), stream);
        },
        name);
}

cudaError advise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, abi::MemLocation to,
                 const char* name) {
    return on_device(
        [&](Runtime& runtime) {
            const auto known = advice_of(advice);
            return known ? advise_managed(runtime, pointer, bytes, known->kind, known->is_set, place_of(to))
                         : Status::kInvalidValue;
        },
        name);
}

}  // namespace tilescope::runtime
