// What nodes of graphs do, from what programs say of it and back.
//
// Guarantees: a Work that is made here can run as far as can be known before it does; everything that it needs later is
// copied.
#pragma once

#include "scope/runtime/service/graphs/graph.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

Status kernel_work(Runtime& runtime, const abi::KernelNode* said, Work& work);
Status copy_work(Runtime& runtime, const abi::Memcpy3D* said, Work& work);
Status set_work(Runtime& runtime, const abi::SetNode* said, Work& work);
Status host_work(const abi::HostNode* said, Work& work);
Status event_work(Runtime& runtime, void* event, bool records, Work& work);
// A copy of the graph.
Status child_work(const void* graph, Work& work);
// Whichever it is. Nodes that are not there are refused by name.
Status any_work(Runtime& runtime, const abi::AnyNode* said, Work& work);

// Of a kernel's node; the parameters stay where they are until the node changes.
Status tell_kernel(Runtime& runtime, Node& node, abi::KernelNode& said);

}  // namespace tilescope::runtime
