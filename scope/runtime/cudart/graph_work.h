// What programs say of a node, as the work that it is to do; and what a kernel's node does, as they are told.
#pragma once

#include "scope/runtime/cudart/graph_abi.h"
#include "scope/runtime/service/graphs/graph.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

// Null pointers are refused.
Status work_of(Runtime& runtime, const abi::KernelNode* said, Work& work);
Status work_of(Runtime& runtime, const abi::Memcpy3D* said, Work& work);
Status work_of(Runtime& runtime, const abi::SetNode* said, Work& work);
Status work_of(const abi::HostNode* said, Work& work);
// Whichever it is. Nodes that are not there are refused by name.
Status work_of(Runtime& runtime, const abi::AnyNode* said, Work& work);

// The parameters stay where they are until the node changes.
Status tell_kernel(Runtime& runtime, Node& node, abi::KernelNode& said);

}  // namespace tilescope::runtime
