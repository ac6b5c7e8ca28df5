#include "scope/runtime/graph_nodes.h"

#include "scope/runtime/copies.h"
#include "scope/runtime/guard.h"
#include "scope/runtime/handles.h"
#include "scope/runtime/kernels.h"
#include "scope/runtime/registry.h"

namespace tilescope::runtime {

cudaError kernel_work(Runtime& runtime, const abi::KernelNode* said, Work& work) {
    if (said == nullptr) return cudaErrorInvalidValue;
    if (said->parameters != nullptr && said->extra != nullptr)
        return because(cudaErrorInvalidValue, "the parameters come twice: as kernelParams and as extra");
    KernelLaunch launch{
        .function = said->function, .grid = said->grid, .block = said->block, .dynamic_shared = said->dynamic_shared};
    const cudaError error = take_parameters(runtime, launch, said->parameters, said->extra);
    work = std::move(launch);
    return error;
}

cudaError copy_work(Runtime& runtime, const abi::Memcpy3D* said, Work& work) {
    if (said == nullptr) return cudaErrorInvalidValue;
    if (said->extent.width == 0 || said->extent.height == 0 || said->extent.depth == 0)
        return because(cudaErrorInvalidValue, "a node that copies nothing");
    work = *said;
    return check_volume(runtime, *said);
}

cudaError set_work(Runtime& runtime, const abi::SetNode* said, Work& work) {
    if (said == nullptr) return cudaErrorInvalidValue;
    const unsigned bytes = said->element_bytes;
    if (bytes != 1 && bytes != 2 && bytes != 4)
        return because(cudaErrorInvalidValue, "elements of a set have 1, 2 or 4 bytes");
    if (said->width == 0 || said->height == 0) return because(cudaErrorInvalidValue, "a node that sets nothing");
    if (reinterpret_cast<std::uintptr_t>(said->target) % bytes != 0)
        return because(cudaErrorInvalidValue, "the target is not aligned to its elements");
    if (said->height > 1 && said->pitch % bytes != 0)
        return because(cudaErrorInvalidValue, "the pitch is no multiple of an element");
    const SetWork set{.set = *said};
    work = set;
    return check_set(runtime, set);
}

cudaError host_work(const abi::HostNode* said, Work& work) {
    if (said == nullptr || said->function == nullptr) return cudaErrorInvalidValue;
    work = *said;
    return cudaSuccess;
}

cudaError event_work(Runtime& runtime, void* event, bool records, Work& work) {
    if (!runtime.handles().event(event)) return cudaErrorInvalidResourceHandle;
    if (records)
        work = RecordWork{event};
    else
        work = WaitWork{event};
    return cudaSuccess;
}

cudaError child_work(const void* graph, Work& work) {
    const Graph* const known = Graph::find(graph);
    if (known == nullptr) return because(cudaErrorInvalidValue, "there is no such graph");
    work = ChildWork{known->copy()};
    return cudaSuccess;
}

cudaError any_work(Runtime& runtime, const abi::AnyNode* said, Work& work) {
    if (said == nullptr) return cudaErrorInvalidValue;
    using abi::NodeType;
    constexpr long long kClone = 0;  // how a graph becomes another's, behind its handle
    const char* missing = nullptr;
    switch (said->type) {
        case NodeType::kKernel: return kernel_work(runtime, &said->kernel, work);
        case NodeType::kCopy: return copy_work(runtime, &said->copy.copy, work);
        case NodeType::kSet: return set_work(runtime, &said->set, work);
        case NodeType::kHost: return host_work(&said->host, work);
        case NodeType::kEmpty: work = EmptyWork{}; return cudaSuccess;
        case NodeType::kWaitEvent: return event_work(runtime, said->event, false, work);
        case NodeType::kRecordEvent: return event_work(runtime, said->event, true, work);
        case NodeType::kGraph:
            if (static_cast<int>(said->bytes[1]) == kClone) return child_work(said->graph, work);
            missing = "a node that takes a graph over instead of a copy of it";
            break;
        case NodeType::kSignalSemaphore:
        case NodeType::kWaitSemaphore: missing = "a graph's node for external semaphores"; break;
        case NodeType::kAllocation:
        case NodeType::kRelease: missing = "a graph's node that allocates or frees memory"; break;
        case NodeType::kConditional: missing = "a conditional node of a graph"; break;
    }
    if (missing == nullptr) return cudaErrorInvalidValue;
    runtime.warn_once("runtime-unsupported-call", std::string(missing) + " is not supported yet");
    return cudaErrorNotSupported;
}

cudaError tell_kernel(Runtime& runtime, Node& node, abi::KernelNode& said) {
    auto* const launch = std::get_if<KernelLaunch>(&node.work);
    if (launch == nullptr) return cudaErrorInvalidValue;
    Function* function = nullptr;
    KernelId kernel = 0;
    if (const cudaError error = find_kernel(runtime, launch->function, function, kernel); error != cudaSuccess)
        return error;
    node.shown.clear();
    for (const KernelParameter& parameter : runtime.session().kernel_info(kernel).parameters)
        node.shown.push_back(launch->parameters.data() + parameter.offset);
    said = {.function = function->host != nullptr ? function->host : launch->function,
            .grid = launch->grid,
            .block = launch->block,
            .dynamic_shared = static_cast<unsigned>(launch->dynamic_shared),
            .parameters = node.shown.data(),
            .extra = nullptr};
    return cudaSuccess;
}

}  // namespace tilescope::runtime
