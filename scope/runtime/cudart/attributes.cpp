// Attributes of streams. Beside windows, which the model of the caches follows, they change nothing here.
#include "scope/runtime/cudart/attributes.h"

#include <cstring>
#include <string>

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/streams/handles.h"

namespace tilescope::runtime {
namespace {

constexpr int kStreaming = 1, kPersisting = 2;

machine::Eviction eviction_of(int property) {
    return property == kStreaming    ? machine::Eviction::kFirst
           : property == kPersisting ? machine::Eviction::kLast
                                     : machine::Eviction::kNormal;
}

Status unsupported(Runtime& runtime, int id) {
    runtime.warn_once("runtime-unsupported-attribute", attribute_name(id) + " of a stream is not supported yet");
    return Status::kNotSupported;
}

}  // namespace

std::string attribute_name(int id) {
    switch (id) {
        case kIgnore: return "cudaLaunchAttributeIgnore";
        case kAccessPolicyWindow: return "cudaLaunchAttributeAccessPolicyWindow";
        case kCooperative: return "cudaLaunchAttributeCooperative";
        case kSynchronizationPolicy: return "cudaLaunchAttributeSynchronizationPolicy";
        case kClusterDimension: return "cudaLaunchAttributeClusterDimension";
        case kClusterScheduling: return "cudaLaunchAttributeClusterSchedulingPolicyPreference";
        case kProgrammaticSerialization: return "cudaLaunchAttributeProgrammaticStreamSerialization";
        case kPriority: return "cudaLaunchAttributePriority";
        case kMemSyncDomainMap: return "cudaLaunchAttributeMemSyncDomainMap";
        case kMemSyncDomain: return "cudaLaunchAttributeMemSyncDomain";
        case kPreferredCluster: return "cudaLaunchAttributePreferredClusterDimension";
        case kCarveout: return "cudaLaunchAttributePreferredSharedMemoryCarveout";
        case kNvlinkCentric: return "cudaLaunchAttributeNvlinkUtilCentricScheduling";
        default: return "launch attribute " + std::to_string(id);
    }
}

bool is_window(const models::Device& device, const abi::AccessPolicyWindow& window) {
    const std::uint64_t widest = device.access_policy_window_bytes;
    return (widest == 0 || window.bytes <= widest) && window.hit_ratio >= 0 && window.hit_ratio <= 1 &&
           window.hit_property >= 0 && window.hit_property <= kPersisting && window.miss_property >= 0 &&
           window.miss_property <= kStreaming;
}

LaunchRequest::AccessWindow asked_by(const abi::AccessPolicyWindow& window) {
    return {reinterpret_cast<std::uint64_t>(window.base), window.bytes, double{window.hit_ratio},
            eviction_of(window.hit_property), eviction_of(window.miss_property)};
}

TILESCOPE_API cudaError cudaStreamSetAttribute(void* stream, int id, const abi::AttributeValue* value) {
    return on_device([&](Runtime& runtime) -> Status {
        auto found = runtime.handles().stream(stream);
        if (!found) return Status::kInvalidHandle;
        if (value == nullptr) return Status::kInvalidValue;
        switch (id) {
            case kAccessPolicyWindow:
                if (!is_window(runtime.session().device(), value->window))
                    return because(Status::kInvalidValue, kNoWindow);
                found->window = value->window;
                break;
            case kSynchronizationPolicy: found->synchronization = value->number; break;
            default: return unsupported(runtime, id);
        }
        runtime.handles().change_attributes(*found);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaStreamGetAttribute(void* stream, int id, abi::AttributeValue* value) {
    return on_device([&](Runtime& runtime) -> Status {
        const auto found = runtime.handles().stream(stream);
        if (!found) return Status::kInvalidHandle;
        if (value == nullptr) return Status::kInvalidValue;
        std::memset(value, 0, sizeof *value);
        switch (id) {
            case kAccessPolicyWindow: value->window = found->window; return Status::kOk;
            case kSynchronizationPolicy: value->number = found->synchronization; return Status::kOk;
            case kPriority: value->number = found->priority; return Status::kOk;
            default: return unsupported(runtime, id);
        }
    });
}

TILESCOPE_API cudaError cudaStreamCopyAttributes(void* to, void* from) {
    return on_device([&](Runtime& runtime) -> Status {
        auto target = runtime.handles().stream(to);
        const auto source = runtime.handles().stream(from);
        if (!target || !source) return Status::kInvalidHandle;
        target->window = source->window;
        target->synchronization = source->synchronization;
        runtime.handles().change_attributes(*target);
        return Status::kOk;
    });
}

TILESCOPE_PER_THREAD(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute);
TILESCOPE_PER_THREAD(cudaStreamGetAttribute_ptsz, cudaStreamGetAttribute);
TILESCOPE_PER_THREAD(cudaStreamCopyAttributes_ptsz, cudaStreamCopyAttributes);

}  // namespace tilescope::runtime
