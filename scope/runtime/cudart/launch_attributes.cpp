#include "scope/runtime/cudart/launch_attributes.h"

#include <string>

#include "scope/runtime/cudart/attributes.h"
#include "scope/runtime/cudart/convert.h"

namespace tilescope::runtime {
namespace {

// Which launch attributes are carried out, or may be passed over by what they mean.
bool honoured(const abi::LaunchAttribute& attribute) {
    switch (attribute.id) {
        case kIgnore: return true;                 // says itself that it asks for nothing
        case kAccessPolicyWindow: return true;     // carried out
        case kCooperative: return true;            // carried out
        case kPriority: return true;               // kept; which kernel goes first is nobody's right
        case kCarveout: return true;               // carried out
        case kSynchronizationPolicy: return true;  // how a thread of the host waits changes no result
        case kClusterScheduling: return true;      // where the blocks of a cluster go: every block is one
        case kProgrammaticSerialization:
            return true;                      // the kernel may begin early, and does not; --check streams looks
        case kMemSyncDomainMap: return true;  // which fences wait for which: all of them are whole here
        case kMemSyncDomain: return true;     // likewise
        case kNvlinkCentric: return true;     // where blocks go
        case kClusterDimension:
        case kPreferredCluster:
            return attribute.value.dim.x <= 1 && attribute.value.dim.y <= 1 && attribute.value.dim.z <= 1;
        default: return false;
    }
}

// Refused by name. What the program does with the error cannot be seen, so that the run says it and ends as one that
// needed what is not there.
Status refuse_attribute(Runtime& runtime, const FunctionName& function, const abi::LaunchAttribute& attribute) {
    if (!is_attribute(attribute.id))
        return because(Status::kInvalidValue, "there is no " + attribute_name(attribute.id));
    std::string what = attribute_name(attribute.id);
    if (attribute.id == kClusterDimension || attribute.id == kPreferredCluster) {
        const auto& size = attribute.value.dim;
        what += " of " + std::to_string(size.x) + " × " + std::to_string(size.y) + " × " + std::to_string(size.z) +
                ": clusters of blocks are not supported yet";
    } else {
        what += " of a launch is not supported yet";
    }
    return refuse_launch(runtime, function, what);
}

void take_attribute(LaunchCall& call, const abi::LaunchAttribute& attribute) {
    switch (attribute.id) {
        case kCooperative: call.is_cooperative = attribute.value.number != 0; break;
        case kAccessPolicyWindow: call.window = window_from(attribute.value.window); break;
        case kCarveout: call.carveout = attribute.value.number; break;
        case kProgrammaticSerialization: call.begins_early = attribute.value.number != 0; break;
        case kPriority: call.priority = attribute.value.number; break;
        default: break;
    }
}

}  // namespace

Status take_attributes(Runtime& runtime, LaunchCall& call, const abi::LaunchAttribute* attributes, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        if (!honoured(attributes[i])) return refuse_attribute(runtime, call.function, attributes[i]);
    for (unsigned i = 0; i < count; ++i) take_attribute(call, attributes[i]);
    return Status::kOk;
}

}  // namespace tilescope::runtime
