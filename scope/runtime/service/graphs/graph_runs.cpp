#include "scope/runtime/service/graphs/graph_runs.h"

#include <memory>
#include <utility>

#include "scope/runtime/service/capture/capture.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

// What an update was refused for, in CUDA's word and in ours.
const char* reason_of(UpdateResult result) {
    switch (result) {
        case UpdateResult::kOtherShape:
            return "cudaGraphExecUpdateErrorTopologyChanged: the graph has other nodes or edges";
        case UpdateResult::kOtherKind: return "cudaGraphExecUpdateErrorNodeTypeChanged: a node is of another kind";
        case UpdateResult::kOtherParameters:
            return "cudaGraphExecUpdateErrorParametersChanged: a copy or a set of other rows, or a copy between other "
                   "kinds of memory";
        case UpdateResult::kOtherAttributes:
            return "cudaGraphExecUpdateErrorAttributesChanged: a kernel is cooperative in one of the graphs alone";
        default: return "cudaGraphExecUpdateError";
    }
}

Status concluded(const Update& update) {
    return update.result == UpdateResult::kDone ? Status::kOk
                                                : because(Status::kUpdateRefused, reason_of(update.result));
}

bool can_be_left_out(const Work& work) {
    const NodeKind kind = kind_of(work);
    return kind == NodeKind::kKernel || kind == NodeKind::kCopy || kind == NodeKind::kSet;
}

}  // namespace

Status make_exec(Runtime& runtime, void* graph, unsigned long long flags, void** exec) {
    constexpr unsigned long long kKnown = kAutoFree | kUpload | kNodePriority;
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    const Graph* const known = Graph::find(graph);
    if (known == nullptr || exec == nullptr) return no_graph();
    if ((flags & kDeviceLaunch) != 0) {
        runtime.warn_once("runtime-unsupported-call", "a graph that kernels launch is not supported yet");
        return Status::kNotSupported;
    }
    if ((flags & ~kKnown) != 0) return Status::kInvalidValue;
    if (known->has_cycle()) return because(Status::kInvalidValue, "the graph has a cycle");
    *exec = runtime.graphs().keep(std::make_shared<GraphExec>(*known, flags));
    return Status::kOk;
}

Status destroy_exec(Runtime& runtime, void* exec) {
    const auto found = runtime.graphs().destroy_exec(exec);
    if (!found) return no_exec();
    found->end(runtime);
    return Status::kOk;
}

Status update_exec(Runtime& runtime, void* exec, void* graph, Update& update) {
    update = {};
    const auto found = runtime.graphs().exec(exec);
    const Graph* const known = Graph::find(graph);
    if (!found) return no_exec();
    if (known == nullptr) return no_graph();
    update = found->update(*known);
    return concluded(update);
}

Status change_in_exec(Runtime& runtime, void* exec, void* node, const MakeWork& make) {
    const auto found = runtime.graphs().exec(exec);
    const Node* const known = Node::find(node);
    if (!found) return no_exec();
    if (known == nullptr) return no_node();
    const auto lock = found->lock();
    Node* const own = found->copy_of(*known);
    if (own == nullptr) return because(Status::kInvalidValue, "the executable graph was not made with this node");
    Work work;
    if (const Status status = make(work); status != Status::kOk) return status;
    if (work.index() != own->work.index()) return because(Status::kInvalidValue, "a node of another kind");
    if (const auto* child = std::get_if<ChildWork>(&work))
        return concluded(found->update(*std::get<ChildWork>(own->work).graph, *child->graph));
    if (auto* const launch = std::get_if<KernelLaunch>(&work))
        take_attributes(*launch, std::get<KernelLaunch>(own->work));
    if (const auto result = GraphExec::check_change(own->work, work); result != UpdateResult::kDone)
        return because(Status::kInvalidValue, reason_of(result));
    own->work = std::move(work);
    own->asked = asked_here();
    return Status::kOk;
}

Status with_copy(Runtime& runtime, void* exec, void* node, const std::function<Status(Node&)>& body) {
    const auto found = runtime.graphs().exec(exec);
    const Node* const known = Node::find(node);
    if (!found) return no_exec();
    if (known == nullptr) return no_node();
    const auto lock = found->lock();
    Node* const own = found->copy_of(*known);
    return own == nullptr || !can_be_left_out(own->work) ? Status::kInvalidValue : body(*own);
}

Status launch_exec(Runtime& runtime, void* exec, void* stream) {
    const auto found = runtime.graphs().exec(exec);
    if (!found) return no_exec();
    return on_stream_now(runtime, stream, [&](const machine::Issue&) {
        const Status status = found->launch(runtime, *runtime.handles().stream(stream));
        // As with a launch by itself: a fault of one of its kernels is the error of what comes next.
        return status == runtime.poisoned() ? Status::kOk : status;
    });
}

// It is there already.
Status upload_exec(Runtime& runtime, void* exec, void* stream) {
    if (!runtime.graphs().exec(exec)) return no_exec();
    return on_stream_now(runtime, stream, [](const machine::Issue&) { return Status::kOk; });
}

}  // namespace tilescope::runtime
