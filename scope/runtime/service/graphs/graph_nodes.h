// What nodes of graphs do, as programs ask for it.
//
// Guarantees: a Work that is made here can run as far as can be known before it does; everything that it needs later is
// copied.
#pragma once

#include "scope/runtime/service/graphs/graph.h"
#include "scope/runtime/service/memory/variables.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

// `values` or `packed` name the parameters, not both (take_parameters()).
Status kernel_work(Runtime& runtime, KernelLaunch launch, void** values, void** packed, Work& work);
Status copy_work(Runtime& runtime, const Copy& copy, Work& work);
Status copy_work(Runtime& runtime, const VariableCopy& copy, Work& work);
Status set_work(Runtime& runtime, const Set& set, Work& work);
Status host_work(const HostWork& host, Work& work);
Status event_work(Runtime& runtime, void* event, bool records, Work& work);
// A copy of the graph.
Status child_work(const void* graph, Work& work);

// What a kernel's node does; the parameters stay where they are until the node changes.
struct ShownKernel {
    const KernelLaunch* launch = nullptr;
    const Function* function = nullptr;
    void** values = nullptr;
};
Status show_kernel(Runtime& runtime, Node& node, ShownKernel& shown);

// The launch of a kernel's node, and what it has beside its parameters.
Status kernel_of(void* node, KernelLaunch*& launch);
Status set_window(Runtime& runtime, KernelLaunch& launch, const AccessWindow& window);
Status copy_kernel_attributes(void* target_node, void* source_node);

}  // namespace tilescope::runtime
