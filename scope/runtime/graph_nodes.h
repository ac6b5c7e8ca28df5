// What nodes of graphs do, from what programs say of it and back.
//
// Guarantees: a Work that is made here can run as far as can be known before it does; everything that it needs later is
// copied.
#pragma once

#include "scope/runtime/graph.h"
#include "scope/runtime/runtime.h"

namespace tilescope::runtime {

cudaError kernel_work(Runtime& runtime, const abi::KernelNode* said, Work& work);
cudaError copy_work(Runtime& runtime, const abi::Memcpy3D* said, Work& work);
cudaError set_work(Runtime& runtime, const abi::SetNode* said, Work& work);
cudaError host_work(const abi::HostNode* said, Work& work);
cudaError event_work(Runtime& runtime, void* event, bool records, Work& work);
// A copy of the graph.
cudaError child_work(const void* graph, Work& work);
// Whichever it is. Nodes that are not there are refused by name.
cudaError any_work(Runtime& runtime, const abi::AnyNode* said, Work& work);

// Of a kernel's node; the parameters stay where they are until the node changes.
cudaError tell_kernel(Runtime& runtime, Node& node, abi::KernelNode& said);

}  // namespace tilescope::runtime
