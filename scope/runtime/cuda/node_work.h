// What programs say of a node through the driver, as the work that it is to do; and what it does, as they are told.
#pragma once

#include "scope/runtime/cuda/graph_abi.h"
#include "scope/runtime/service/graphs/graph.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime::driver {

// Null pointers are refused.
Status work_from(Runtime& runtime, const KernelNode* said, Work& work);
Status work_from(Runtime& runtime, const Memcpy3D* said, Work& work);
Status work_from(Runtime& runtime, const abi::SetNode* said, Work& work);
Status work_from(const abi::HostNode* said, Work& work);
// Whichever it is. Nodes that are not there are refused by name.
Status work_from(Runtime& runtime, const AnyNode* said, Work& work);

// The parameters stay where they are until the node changes.
Status tell_kernel(Runtime& runtime, Node& node, KernelNode& said);
Memcpy3D said_of(const Copy& copy);

}  // namespace tilescope::runtime::driver
