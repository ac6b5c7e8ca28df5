#include "scope/runtime/service/graphs/graph_nodes.h"

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/launch/kernels.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/modules/registry.h"
#include "scope/runtime/service/streams/handles.h"

namespace tilescope::runtime {

Status kernel_work(Runtime& runtime, const abi::KernelNode* said, Work& work) {
    if (said == nullptr) return Status::kInvalidValue;
    if (said->parameters != nullptr && said->extra != nullptr)
        return because(Status::kInvalidValue, "the parameters come twice: as kernelParams and as extra");
    KernelLaunch launch{
        .function = said->function, .grid = said->grid, .block = said->block, .dynamic_shared = said->dynamic_shared};
    const Status status = take_parameters(runtime, launch, said->parameters, said->extra);
    work = std::move(launch);
    return status;
}

Status copy_work(Runtime& runtime, const abi::Memcpy3D* said, Work& work) {
    if (said == nullptr) return Status::kInvalidValue;
    if (said->extent.width == 0 || said->extent.height == 0 || said->extent.depth == 0)
        return because(Status::kInvalidValue, "a node that copies nothing");
    work = *said;
    return check_volume(runtime, *said);
}

Status set_work(Runtime& runtime, const abi::SetNode* said, Work& work) {
    if (said == nullptr) return Status::kInvalidValue;
    const unsigned bytes = said->element_bytes;
    if (bytes != 1 && bytes != 2 && bytes != 4)
        return because(Status::kInvalidValue, "elements of a set have 1, 2 or 4 bytes");
    if (said->width == 0 || said->height == 0) return because(Status::kInvalidValue, "a node that sets nothing");
    if (reinterpret_cast<std::uintptr_t>(said->target) % bytes != 0)
        return because(Status::kInvalidValue, "the target is not aligned to its elements");
    if (said->height > 1 && said->pitch % bytes != 0)
        return because(Status::kInvalidValue, "the pitch is no multiple of an element");
    const SetWork set{.set = *said};
    work = set;
    return check_set(runtime, set);
}

Status host_work(const abi::HostNode* said, Work& work) {
    if (said == nullptr || said->function == nullptr) return Status::kInvalidValue;
    work = *said;
    return Status::kOk;
}

Status event_work(Runtime& runtime, void* event, bool records, Work& work) {
    if (!runtime.handles().event(event)) return Status::kInvalidHandle;
    if (records)
        work = RecordWork{event};
    else
        work = WaitWork{event};
    return Status::kOk;
}

Status child_work(const void* graph, Work& work) {
    const Graph* const known = Graph::find(graph);
    if (known == nullptr) return because(Status::kInvalidValue, "there is no such graph");
    work = ChildWork{known->copy()};
    return Status::kOk;
}

Status any_work(Runtime& runtime, const abi::AnyNode* said, Work& work) {
    if (said == nullptr) return Status::kInvalidValue;
    using abi::NodeType;
    constexpr long long kClone = 0;  // how a graph becomes another's, behind its handle
    const char* missing = nullptr;
    switch (said->type) {
        case NodeType::kKernel: return kernel_work(runtime, &said->kernel, work);
        case NodeType::kCopy: return copy_work(runtime, &said->copy.copy, work);
        case NodeType::kSet: return set_work(runtime, &said->set, work);
        case NodeType::kHost: return host_work(&said->host, work);
        case NodeType::kEmpty: work = EmptyWork{}; return Status::kOk;
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
    if (missing == nullptr) return Status::kInvalidValue;
    runtime.warn_once("runtime-unsupported-call", std::string(missing) + " is not supported yet");
    return Status::kNotSupported;
}

Status tell_kernel(Runtime& runtime, Node& node, abi::KernelNode& said) {
    auto* const launch = std::get_if<KernelLaunch>(&node.work);
    if (launch == nullptr) return Status::kInvalidValue;
    Function* function = nullptr;
    KernelId kernel = 0;
    if (const Status status = find_kernel(runtime, launch->function, function, kernel); status != Status::kOk)
        return status;
    node.shown.clear();
    for (const KernelParameter& parameter : runtime.session().kernel_info(kernel).parameters)
        node.shown.push_back(launch->parameters.data() + parameter.offset);
    said = {.function = function->host != nullptr ? function->host : launch->function,
            .grid = launch->grid,
            .block = launch->block,
            .dynamic_shared = static_cast<unsigned>(launch->dynamic_shared),
            .parameters = node.shown.data(),
            .extra = nullptr};
    return Status::kOk;
}

}  // namespace tilescope::runtime
