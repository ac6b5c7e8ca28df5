#include "scope/runtime/cudart/graph_work.h"

#include <string>

#include "scope/runtime/cudart/convert.h"
#include "scope/runtime/cudart/registration.h"
#include "scope/runtime/service/graphs/graph_nodes.h"

namespace tilescope::runtime {

Status work_of(Runtime& runtime, const abi::KernelNode* said, Work& work) {
    if (said == nullptr) return Status::kInvalidValue;
    const KernelLaunch launch{.function = function_at(said->function),
                              .grid = dim3_from(said->grid),
                              .block = dim3_from(said->block),
                              .dynamic_shared = said->dynamic_shared};
    return kernel_work(runtime, launch, said->parameters, said->extra, work);
}

Status work_of(Runtime& runtime, const abi::Memcpy3D* said, Work& work) {
    return said == nullptr ? Status::kInvalidValue : copy_work(runtime, in_bytes(runtime, copy_from(*said)), work);
}

Status work_of(Runtime& runtime, const abi::SetNode* said, Work& work) {
    return said == nullptr ? Status::kInvalidValue : set_work(runtime, set_from(*said), work);
}

Status work_of(const abi::HostNode* said, Work& work) {
    return said == nullptr ? Status::kInvalidValue : host_work({said->function, said->data}, work);
}

Status work_of(Runtime& runtime, const abi::AnyNode* said, Work& work) {
    if (said == nullptr) return Status::kInvalidValue;
    using abi::NodeType;
    constexpr long long kClone = 0;  // how a graph becomes another's, behind its handle
    const char* missing = nullptr;
    switch (said->type) {
        case NodeType::kKernel: return work_of(runtime, &said->kernel, work);
        case NodeType::kCopy: return work_of(runtime, &said->copy.copy, work);
        case NodeType::kSet: return work_of(runtime, &said->set, work);
        case NodeType::kHost: return work_of(&said->host, work);
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
    ShownKernel shown;
    if (const Status status = show_kernel(runtime, node, shown); status != Status::kOk) return status;
    const void* const stub = Registration::get().stub_of(shown.function);
    said = {.function = stub != nullptr ? stub : shown.function,
            .grid = abi_of(shown.launch->grid),
            .block = abi_of(shown.launch->block),
            .dynamic_shared = static_cast<unsigned>(shown.launch->dynamic_shared),
            .parameters = shown.values,
            .extra = nullptr};
    return Status::kOk;
}

}  // namespace tilescope::runtime
