// Attributes of streams. Beside windows, which the model of the caches follows, they change nothing here.
#include "scope/runtime/cudart/attributes.h"

#include <cstring>
#include <string>

#include "scope/runtime/cudart/convert.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/streams/handles.h"
#include "scope/runtime/service/streams/streams.h"

namespace tilescope::runtime {
namespace {

Status unsupported(Runtime& runtime, int id) {
    if (!is_attribute(id)) return because(Status::kInvalidValue, "there is no " + attribute_name(id));
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

Status set_stream_attribute(Runtime& runtime, void* stream, int id, const abi::AttributeValue* value) {
    if (!runtime.handles().is_stream(stream)) return Status::kInvalidHandle;
    if (value == nullptr) return Status::kInvalidValue;
    switch (id) {
        case kAccessPolicyWindow: return set_window(runtime, stream, window_from(value->window));
        case kSynchronizationPolicy: return set_synchronization(runtime, stream, value->number);
        default: return unsupported(runtime, id);
    }
}

Status stream_attribute(Runtime& runtime, void* stream, int id, abi::AttributeValue* value) {
    const auto found = runtime.handles().stream(stream);
    if (!found) return Status::kInvalidHandle;
    if (value == nullptr) return Status::kInvalidValue;
    std::memset(value, 0, sizeof *value);
    switch (id) {
        case kAccessPolicyWindow: value->window = abi_of(found->window); return Status::kOk;
        case kSynchronizationPolicy: value->number = found->synchronization; return Status::kOk;
        case kPriority: value->number = found->priority; return Status::kOk;
        default: return unsupported(runtime, id);
    }
}

TILESCOPE_API cudaError cudaStreamSetAttribute(void* stream, int id, const abi::AttributeValue* value) {
    return on_device([&](Runtime& runtime) { return set_stream_attribute(runtime, stream, id, value); });
}

TILESCOPE_API cudaError cudaStreamGetAttribute(void* stream, int id, abi::AttributeValue* value) {
    return on_device([&](Runtime& runtime) { return stream_attribute(runtime, stream, id, value); });
}

TILESCOPE_API cudaError cudaStreamCopyAttributes(void* to, void* from) {
    return on_device([&](Runtime& runtime) { return copy_attributes(runtime, to, from); });
}

TILESCOPE_PER_THREAD(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute);
TILESCOPE_PER_THREAD(cudaStreamGetAttribute_ptsz, cudaStreamGetAttribute);
TILESCOPE_PER_THREAD(cudaStreamCopyAttributes_ptsz, cudaStreamCopyAttributes);

}  // namespace tilescope::runtime
