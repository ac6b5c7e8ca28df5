#include "scope/runtime/service/graphs/graph_nodes.h"

#include "scope/runtime/service/graphs/graph_edits.h"
#include "scope/runtime/service/modules/modules.h"
#include "scope/runtime/service/streams/handles.h"

namespace tilescope::runtime {

Status kernel_work(Runtime& runtime, KernelLaunch launch, void** values, void** packed, Work& work) {
    if (values != nullptr && packed != nullptr)
        return because(Status::kInvalidValue, "the parameters come twice: as kernelParams and as extra");
    const Status status = take_parameters(runtime, launch, values, packed);
    work = std::move(launch);
    return status;
}

Status copy_work(Runtime& runtime, const Copy& copy, Work& work) {
    if (is_empty(copy.extent)) return because(Status::kInvalidValue, "a node that copies nothing");
    work = copy;
    return check_volume(runtime, copy);
}

Status copy_work(Runtime& runtime, const VariableCopy& copy, Work& work) {
    Copy volume;
    if (copy.bytes == 0) return because(Status::kInvalidValue, "a node that copies nothing");
    const Status status = volume_of(runtime, copy, volume);
    work = volume;
    return status;
}

Status set_work(Runtime& runtime, const Set& set, Work& work) {
    const unsigned bytes = set.element_bytes;
    if (bytes != 1 && bytes != 2 && bytes != 4)
        return because(Status::kInvalidValue, "elements of a set have 1, 2 or 4 bytes");
    if (set.width == 0 || set.height == 0) return because(Status::kInvalidValue, "a node that sets nothing");
    if (reinterpret_cast<std::uintptr_t>(set.target) % bytes != 0)
        return because(Status::kInvalidValue, "the target is not aligned to its elements");
    if (set.height > 1 && set.pitch % bytes != 0)
        return because(Status::kInvalidValue, "the pitch is no multiple of an element");
    work = set;
    return check_set(runtime, set);
}

Status host_work(const HostWork& host, Work& work) {
    if (host.function == nullptr) return Status::kInvalidValue;
    work = host;
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

Status show_kernel(Runtime& runtime, Node& node, ShownKernel& shown) {
    const auto* const launch = std::get_if<KernelLaunch>(&node.work);
    if (launch == nullptr) return Status::kInvalidValue;
    Function* function = nullptr;
    KernelId kernel = 0;
    if (const Status status = runtime.modules().find(runtime, launch->function, function, kernel);
        status != Status::kOk)
        return status;
    node.shown.clear();
    for (const KernelParameter& parameter : runtime.session().kernel_info(kernel).parameters)
        node.shown.push_back(const_cast<std::byte*>(launch->parameters.data()) + parameter.offset);
    shown = {launch, function, node.shown.data()};
    return Status::kOk;
}

Status kernel_of(void* node, KernelLaunch*& launch) {
    Node* const known = Node::find(node);
    if (known == nullptr) return no_node();
    launch = std::get_if<KernelLaunch>(&known->work);
    return launch != nullptr ? Status::kOk : Status::kInvalidValue;
}

Status set_window(Runtime& runtime, KernelLaunch& launch, const AccessWindow& window) {
    if (!is_window(runtime.session().device(), window)) return because(Status::kInvalidValue, kNoWindow);
    launch.window = window;
    return Status::kOk;
}

Status copy_kernel_attributes(void* target_node, void* source_node) {
    Node *const to = Node::find(target_node), *const from = Node::find(source_node);
    if (to == nullptr || from == nullptr) return no_node();
    auto* const own = std::get_if<KernelLaunch>(&to->work);
    const auto* const other = std::get_if<KernelLaunch>(&from->work);
    if (own == nullptr || other == nullptr) return Status::kInvalidValue;
    take_attributes(*own, *other);
    return Status::kOk;
}

}  // namespace tilescope::runtime
