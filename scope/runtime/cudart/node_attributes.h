// Attributes of a kernel's node in a graph, for runtime and driver alike.
#pragma once

#include "scope/runtime/cudart/abi.h"
#include "scope/runtime/service/launch/launch.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

Status node_attribute(const KernelLaunch& launch, int id, abi::AttributeValue& value);
// One that is not there is refused by name.
Status set_node_attribute(Runtime& runtime, KernelLaunch& launch, int id, const abi::AttributeValue& value);

}  // namespace tilescope::runtime
