#include "scope/runtime/cudart/node_attributes.h"

#include "scope/runtime/cudart/attributes.h"
#include "scope/runtime/cudart/convert.h"
#include "scope/runtime/service/graphs/graph_nodes.h"

namespace tilescope::runtime {

Status node_attribute(const KernelLaunch& launch, int id, abi::AttributeValue& value) {
    value = {};
    switch (id) {
        case kAccessPolicyWindow: value.window = abi_of(launch.window); return Status::kOk;
        case kCooperative: value.number = launch.is_cooperative ? 1 : 0; return Status::kOk;
        case kPriority: value.number = launch.priority; return Status::kOk;
        default: return because(Status::kInvalidValue, attribute_name(id) + " of a kernel's node is not kept");
    }
}

Status set_node_attribute(Runtime& runtime, KernelLaunch& launch, int id, const abi::AttributeValue& value) {
    switch (id) {
        case kAccessPolicyWindow: return set_window(runtime, launch, window_from(value.window));
        case kCooperative: launch.is_cooperative = value.number != 0; return Status::kOk;
        case kPriority: launch.priority = value.number; return Status::kOk;
        default: break;
    }
    runtime.warn_once("runtime-unsupported-attribute", attribute_name(id) + " of a kernel's node is not supported yet");
    return Status::kNotSupported;
}

}  // namespace tilescope::runtime
