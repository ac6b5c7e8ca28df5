#include "scope/runtime/cuda/node_work.h"

#include <string>

#include "scope/runtime/cuda/copy_from.h"
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/cudart/convert.h"
#include "scope/runtime/service/graphs/graph_nodes.h"

namespace tilescope::runtime::driver {
namespace {

Side3D said_of(const CopySide& side, int kind) {
    Side3D said{};
    said.x = side.at.x;
    said.y = side.at.y;
    said.z = side.at.z;
    said.kind = side.array != nullptr ? kArrayMemory : kind;
    said.array = side.array;
    if (said.kind == kHostMemory)
        said.host = side.base;
    else
        said.device = address_of(side.base);
    said.pitch = side.pitch;
    said.height = side.height;
    return said;
}

}  // namespace

Status work_from(Runtime& runtime, const KernelNode* said, Work& work) {
    if (said == nullptr) return Status::kInvalidValue;
    const void* const function = said->function != nullptr ? said->function : said->kernel;
    const KernelLaunch launch{.function = runtime.modules().by_handle(function),
                              .grid = {said->grid[0], said->grid[1], said->grid[2]},
                              .block = {said->block[0], said->block[1], said->block[2]},
                              .dynamic_shared = said->dynamic_shared};
    return kernel_work(runtime, launch, said->parameters, said->extra, work);
}

Status work_from(Runtime& runtime, const Memcpy3D* said, Work& work) {
    Copy copy;
    const Status status = copy_from(said, copy);
    return status != Status::kOk ? status : copy_work(runtime, copy, work);
}

Status work_from(Runtime& runtime, const abi::SetNode* said, Work& work) {
    return said == nullptr ? Status::kInvalidValue : set_work(runtime, set_from(*said), work);
}

Status work_from(const abi::HostNode* said, Work& work) {
    return said == nullptr ? Status::kInvalidValue : host_work({said->function, said->data}, work);
}

Status work_from(Runtime& runtime, const AnyNode* said, Work& work) {
    if (said == nullptr) return Status::kInvalidValue;
    using abi::NodeType;
    constexpr int kWords = 12;
    const char* missing = nullptr;
    switch (said->type) {
        case NodeType::kKernel: return work_from(runtime, &said->kernel, work);
        case NodeType::kCopy: return work_from(runtime, &said->copy.copy, work);
        case NodeType::kSet: return work_from(runtime, &said->set.set, work);
        case NodeType::kHost: return work_from(&said->host, work);
        case NodeType::kEmpty: work = EmptyWork{}; return Status::kOk;
        case NodeType::kWaitEvent: return event_work(runtime, said->event, false, work);
        case NodeType::kRecordEvent: return event_work(runtime, said->event, true, work);
        case NodeType::kGraph:
            if (said->child.becomes == 0) return child_work(said->child.graph, work);
            missing = "a node that takes a graph over instead of a copy of it";
            break;
        case NodeType::kSignalSemaphore:
        case NodeType::kWaitSemaphore: missing = "a graph's node for external semaphores"; break;
        case NodeType::kAllocation:
        case NodeType::kRelease: missing = "a graph's node that allocates or frees memory"; break;
        case NodeType::kConditional: missing = "a conditional node of a graph"; break;
    }
    if (static_cast<int>(said->type) == kWords) missing = "a graph's node that writes words or waits for them";
    if (missing == nullptr) return Status::kInvalidValue;
    runtime.warn_once("runtime-unsupported-call", std::string(missing) + " is not supported yet");
    return Status::kNotSupported;
}

Status tell_kernel(Runtime& runtime, Node& node, KernelNode& said) {
    ShownKernel shown;
    if (const Status status = show_kernel(runtime, node, shown); status != Status::kOk) return status;
    said = {};
    said.function = const_cast<Function*>(shown.function);
    for (unsigned i = 0; i < 3; ++i) {
        said.grid[i] = shown.launch->grid[i];
        said.block[i] = shown.launch->block[i];
    }
    said.dynamic_shared = static_cast<unsigned>(shown.launch->dynamic_shared);
    said.parameters = shown.values;
    return Status::kOk;
}

Memcpy3D said_of(const Copy& copy) {
    using machine::CopyKind;
    const CopyKind kind = copy.direction.value_or(CopyKind::kByAddress);
    const bool from_host = kind == CopyKind::kHostToDevice || kind == CopyKind::kHostToHost;
    const bool to_host = kind == CopyKind::kDeviceToHost || kind == CopyKind::kHostToHost;
    const bool is_open = kind == CopyKind::kByAddress;
    return {said_of(copy.source, is_open     ? kUnifiedMemory
                                 : from_host ? kHostMemory
                                             : kDeviceMemory),
            said_of(copy.target, is_open   ? kUnifiedMemory
                                 : to_host ? kHostMemory
                                           : kDeviceMemory),
            copy.extent.width, copy.extent.height, copy.extent.depth};
}

}  // namespace tilescope::runtime::driver
