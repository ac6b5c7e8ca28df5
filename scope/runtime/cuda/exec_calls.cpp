// Executable graphs: changed, updated, asked; edges as releases since 12.3 say them.
#include <algorithm>

#include "scope/runtime/cuda/graph_guard.h"
#include "scope/runtime/cuda/node_work.h"
#include "scope/runtime/service/capture/capture.h"
#include "scope/runtime/service/graphs/graph_nodes.h"

namespace tilescope::runtime::driver {
namespace {

template <class Make>
Code set_in_exec(void* exec, void* node, Make&& make, const char* name = __builtin_FUNCTION(),
                 const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime& runtime) {
            return change_in_exec(runtime, exec, node, [&](Work& work) { return make(runtime, work); });
        },
        name, from);
}

abi::UpdateResult result_of_update(UpdateResult result) {
    switch (result) {
        case UpdateResult::kDone: return abi::UpdateResult::kSuccess;
        case UpdateResult::kError: break;
        case UpdateResult::kOtherShape: return abi::UpdateResult::kTopologyChanged;
        case UpdateResult::kOtherKind: return abi::UpdateResult::kTypeChanged;
        case UpdateResult::kOtherParameters: return abi::UpdateResult::kParametersChanged;
        case UpdateResult::kOtherAttributes: return abi::UpdateResult::kAttributesChanged;
    }
    return abi::UpdateResult::kError;
}

bool are_plain(const abi::EdgeData* data, std::size_t count) {
    return data == nullptr || std::all_of(data, data + count, [](const abi::EdgeData& edge) {
               return edge.from_port == 0 && edge.to_port == 0 && edge.type == 0;
           });
}

// How many there are, if `out` is null; else those that there is room for, and null in what is left.
Status give_nodes(const std::vector<Node*>& all, void** out, std::size_t* count) {
    if (out != nullptr)
        for (std::size_t i = 0; i < *count; ++i) out[i] = i < all.size() ? all[i] : nullptr;
    *count = out == nullptr ? all.size() : std::min(*count, all.size());
    return Status::kOk;
}

Code give_pairs(void* graph, void** from_nodes, void** to_nodes, abi::EdgeData* data, std::size_t* count,
                const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime&) -> Status {
            const Graph* const known = Graph::find(graph);
            if (known == nullptr) return no_graph();
            if (count == nullptr || (from_nodes == nullptr) != (to_nodes == nullptr)) return Status::kInvalidValue;
            std::vector<Node*> first, second;
            for (const auto& [one, other] : known->edges()) {
                first.push_back(one);
                second.push_back(other);
            }
            if (data != nullptr) std::fill_n(data, std::min(*count, first.size()), abi::EdgeData{});
            std::size_t room = *count;
            give_nodes(first, from_nodes, &room);
            return give_nodes(second, to_nodes, count);
        },
        name, from);
}

Code give_beside(void* node, bool before, void** nodes, abi::EdgeData* data, std::size_t* count,
                 const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime&) -> Status {
            const Node* const known = Node::find(node);
            if (known == nullptr) return no_node();
            if (count == nullptr) return Status::kInvalidValue;
            const std::vector<Node*>& all = before ? known->before : known->after;
            if (data != nullptr) std::fill_n(data, std::min(*count, all.size()), abi::EdgeData{});
            return give_nodes(all, nodes, count);
        },
        name, from);
}

Code add_any(void** node, void* graph, void* const* before, const abi::EdgeData* data, std::size_t count,
             const AnyNode* said, const char* name = __builtin_FUNCTION(),
             const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime& runtime) {
            const auto make = [&](Work& work) {
                const Status status = refuse_edges(runtime, are_plain(data, count));
                return status != Status::kOk ? status : work_from(runtime, said, work);
            };
            return add_node(graph, before, count, make, node);
        },
        name, from);
}

// body(Runtime&, const Stream&)
template <class Body>
Code on_stream_of_graphs(void* stream, Body&& body, const char* name = __builtin_FUNCTION(),
                         const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime& runtime) -> Status {
            const auto found = runtime.handles().stream(stream);
            return found ? body(runtime, *found) : Status::kInvalidHandle;
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuGraphAddNode(void** node, void* graph, void* const* before, std::size_t count,
                                     const AnyNode* said) {
    return add_any(node, graph, before, nullptr, count, said);
}
TILESCOPE_DRIVER Code cuGraphAddNode_v2(void** node, void* graph, void* const* before, const abi::EdgeData* data,
                                        std::size_t count, const AnyNode* said) {
    return add_any(node, graph, before, data, count, said);
}
TILESCOPE_DRIVER Code cuGraphAddDependencies_v2(void* graph, void* const* from, void* const* to,
                                                const abi::EdgeData* data, std::size_t count) {
    return on_graphs(
        [&](Runtime& runtime) { return add_edges(runtime, graph, from, to, count, are_plain(data, count)); });
}
TILESCOPE_DRIVER Code cuGraphRemoveDependencies_v2(void* graph, void* const* from, void* const* to,
                                                   const abi::EdgeData*, std::size_t count) {
    return on_graphs([&](Runtime&) { return remove_edges(graph, from, to, count); });
}
TILESCOPE_DRIVER Code cuGraphGetEdges(void* graph, void** from, void** to, std::size_t* count) {
    return give_pairs(graph, from, to, nullptr, count);
}
TILESCOPE_DRIVER Code cuGraphGetEdges_v2(void* graph, void** from, void** to, abi::EdgeData* data, std::size_t* count) {
    return give_pairs(graph, from, to, data, count);
}
TILESCOPE_DRIVER Code cuGraphNodeGetDependencies(void* node, void** nodes, std::size_t* count) {
    return give_beside(node, true, nodes, nullptr, count);
}
TILESCOPE_DRIVER Code cuGraphNodeGetDependencies_v2(void* node, void** nodes, abi::EdgeData* data, std::size_t* count) {
    return give_beside(node, true, nodes, data, count);
}
TILESCOPE_DRIVER Code cuGraphNodeGetDependentNodes(void* node, void** nodes, std::size_t* count) {
    return give_beside(node, false, nodes, nullptr, count);
}
TILESCOPE_DRIVER Code cuGraphNodeGetDependentNodes_v2(void* node, void** nodes, abi::EdgeData* data,
                                                      std::size_t* count) {
    return give_beside(node, false, nodes, data, count);
}

// The form before CUDA 12: where it fails, a node and words.
TILESCOPE_DRIVER Code cuGraphInstantiate_v2(void** exec, void* graph, void** node, char* words, std::size_t room) {
    return on_graphs([&](Runtime& runtime) {
        if (node != nullptr) *node = nullptr;
        if (words != nullptr && room != 0) *words = '\0';
        return make_exec(runtime, graph, 0, exec);
    });
}
TILESCOPE_DRIVER Code cuGraphInstantiateWithParams(void** exec, void* graph, abi::InstantiateParameters* said) {
    return on_graphs([&](Runtime& runtime) -> Status {
        using abi::InstantiateResult;
        if (said == nullptr) return Status::kInvalidValue;
        const Graph* const known = Graph::find(graph);
        said->error_node = nullptr;
        const Status status = make_exec(runtime, graph, said->flags, exec);
        said->result = InstantiateResult::kSuccess;
        if (status == Status::kOk) return status;
        said->error_node = known != nullptr ? known->on_cycle() : nullptr;
        said->result = said->error_node != nullptr ? InstantiateResult::kInvalidStructure : InstantiateResult::kError;
        return status;
    });
}
TILESCOPE_DRIVER Code cuGraphExecGetFlags(void* exec, unsigned long long* flags) {
    return on_graphs([&](Runtime& runtime) -> Status {
        const auto found = runtime.graphs().exec(exec);
        if (!found || flags == nullptr) return no_exec();
        *flags = found->flags();
        return Status::kOk;
    });
}
TILESCOPE_DRIVER Code cuGraphExecUpdate_v2(void* exec, void* graph, abi::UpdateInfo* info) {
    return on_graphs([&](Runtime& runtime) {
        if (info == nullptr) return Status::kInvalidValue;
        Update update;
        const Status status = update_exec(runtime, exec, graph, update);
        *info = {result_of_update(update.result), update.node, nullptr};
        return status;
    });
}
TILESCOPE_DRIVER Code cuGraphExecUpdate(void* exec, void* graph, void** node, abi::UpdateResult* result) {
    return on_graphs([&](Runtime& runtime) {
        if (node == nullptr || result == nullptr) return Status::kInvalidValue;
        Update update;
        const Status status = update_exec(runtime, exec, graph, update);
        *node = update.node;
        *result = result_of_update(update.result);
        return status;
    });
}
TILESCOPE_DRIVER Code cuGraphExecNodeSetParams(void* exec, void* node, const AnyNode* said) {
    return set_in_exec(exec, node, [&](Runtime& runtime, Work& work) { return work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphExecChildGraphNodeSetParams(void* exec, void* node, void* graph) {
    return set_in_exec(exec, node, [&](Runtime&, Work& work) { return child_work(graph, work); });
}
TILESCOPE_DRIVER Code cuGraphExecEventRecordNodeSetEvent(void* exec, void* node, void* event) {
    return set_in_exec(exec, node,
                       [&](Runtime& runtime, Work& work) { return event_work(runtime, event, true, work); });
}
TILESCOPE_DRIVER Code cuGraphExecEventWaitNodeSetEvent(void* exec, void* node, void* event) {
    return set_in_exec(exec, node,
                       [&](Runtime& runtime, Work& work) { return event_work(runtime, event, false, work); });
}
TILESCOPE_DRIVER Code cuGraphNodeSetEnabled(void* exec, void* node, unsigned enabled) {
    return on_graphs([&](Runtime& runtime) {
        return with_copy(runtime, exec, node, [&](Node& own) {
            own.is_enabled = enabled != 0;
            return Status::kOk;
        });
    });
}
TILESCOPE_DRIVER Code cuGraphNodeGetEnabled(void* exec, void* node, unsigned* enabled) {
    return on_graphs([&](Runtime& runtime) {
        return with_copy(runtime, exec, node, [&](const Node& own) {
            if (enabled == nullptr) return Status::kInvalidValue;
            *enabled = own.is_enabled ? 1 : 0;
            return Status::kOk;
        });
    });
}

TILESCOPE_DRIVER Code cuStreamBeginCaptureToGraph(void* stream, void* graph, void* const* before,
                                                  const abi::EdgeData* data, std::size_t count, int mode) {
    return on_stream_of_graphs(stream, [&](Runtime& runtime, const Stream& found) {
        return begin_capture(runtime, found, graph, before, count, are_plain(data, count),
                             static_cast<CaptureMode>(mode));
    });
}
TILESCOPE_DRIVER Code cuStreamGetCaptureInfo_v3(void* stream, int* state, unsigned long long* id, void** graph,
                                                void* const** before, const abi::EdgeData** data, std::size_t* count) {
    return on_stream_of_graphs(stream, [&](Runtime& runtime, const Stream& found) -> Status {
        static const std::vector<abi::EdgeData> kPlain(1024);
        if (state == nullptr) return Status::kInvalidValue;
        Captures::Info info;
        const Status status = runtime.captures().info(found, info);
        if (data != nullptr && info.count > kPlain.size())
            return because(Status::kNotSupported, "more than 1,024 nodes with the data of their edges");
        *state = static_cast<int>(info.status);
        if (id != nullptr) *id = info.id;
        if (graph != nullptr) *graph = info.graph;
        if (before != nullptr) *before = reinterpret_cast<void* const*>(info.before);
        if (data != nullptr) *data = info.count == 0 ? nullptr : kPlain.data();
        if (count != nullptr) *count = info.count;
        return status;
    });
}
TILESCOPE_DRIVER Code cuStreamUpdateCaptureDependencies_v2(void* stream, void* const* nodes, const abi::EdgeData* data,
                                                           std::size_t count, unsigned flags) {
    return on_stream_of_graphs(stream, [&](Runtime& runtime, const Stream& found) {
        if (flags > 1) return Status::kInvalidValue;
        return change_capture(runtime, found, nodes, count, are_plain(data, count), flags == 1);
    });
}
TILESCOPE_DRIVER Code cuStreamUpdateCaptureDependencies(void* stream, void* const* nodes, std::size_t count,
                                                        unsigned flags) {
    return on_stream_of_graphs(stream, [&](Runtime& runtime, const Stream& found) {
        return flags > 1 ? Status::kInvalidValue : change_capture(runtime, found, nodes, count, true, flags == 1);
    });
}

std::span<const Entry> exec_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuGraphAddNode),
        TILESCOPE_THERE(cuGraphAddNode_v2),
        TILESCOPE_THERE(cuGraphAddDependencies_v2),
        TILESCOPE_THERE(cuGraphRemoveDependencies_v2),
        TILESCOPE_THERE(cuGraphGetEdges),
        TILESCOPE_THERE(cuGraphGetEdges_v2),
        TILESCOPE_THERE(cuGraphNodeGetDependencies),
        TILESCOPE_THERE(cuGraphNodeGetDependencies_v2),
        TILESCOPE_THERE(cuGraphNodeGetDependentNodes),
        TILESCOPE_THERE(cuGraphNodeGetDependentNodes_v2),
        TILESCOPE_THERE_AS(cuGraphInstantiate, cuGraphInstantiate_v2),
        TILESCOPE_THERE(cuGraphInstantiate_v2),
        TILESCOPE_THERE_TWICE(cuGraphInstantiateWithParams),
        TILESCOPE_THERE(cuGraphExecGetFlags),
        TILESCOPE_THERE(cuGraphExecUpdate),
        TILESCOPE_THERE(cuGraphExecUpdate_v2),
        TILESCOPE_THERE(cuGraphExecNodeSetParams),
        TILESCOPE_THERE(cuGraphExecChildGraphNodeSetParams),
        TILESCOPE_THERE(cuGraphExecEventRecordNodeSetEvent),
        TILESCOPE_THERE(cuGraphExecEventWaitNodeSetEvent),
        TILESCOPE_THERE(cuGraphNodeSetEnabled),
        TILESCOPE_THERE(cuGraphNodeGetEnabled),
        TILESCOPE_THERE_TWICE(cuStreamBeginCaptureToGraph),
        TILESCOPE_THERE_TWICE(cuStreamGetCaptureInfo_v3),
        TILESCOPE_THERE_TWICE(cuStreamUpdateCaptureDependencies),
        TILESCOPE_THERE_TWICE(cuStreamUpdateCaptureDependencies_v2),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
