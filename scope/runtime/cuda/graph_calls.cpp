// Streams that capture; graphs and executable graphs.
#include <algorithm>

#include "scope/runtime/cuda/graph_guard.h"
#include "scope/runtime/cudart/graph_abi.h"
#include "scope/runtime/service/capture/capture.h"

namespace tilescope::runtime::driver {
namespace {

// body(Runtime&, const Stream&)
template <class Body>
Code on_capture(void* stream, Body&& body, const char* name = __builtin_FUNCTION(),
                const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime& runtime) -> Status {
            const auto found = runtime.handles().stream(stream);
            return found ? body(runtime, *found) : Status::kInvalidHandle;
        },
        name, from);
}

Code capture_state(void* stream, int* state, unsigned long long* id, void** graph, void* const** before,
                   std::size_t* count, const char* name = __builtin_FUNCTION(),
                   const void* from = __builtin_return_address(0)) {
    return on_capture(
        stream,
        [&](Runtime& runtime, const Stream& found) -> Status {
            if (state == nullptr) return Status::kInvalidValue;
            Captures::Info info;
            const Status status = runtime.captures().info(found, info);
            *state = static_cast<int>(info.status);
            if (id != nullptr) *id = info.id;
            if (graph != nullptr) *graph = info.graph;
            if (before != nullptr) *before = reinterpret_cast<void* const*>(info.before);
            if (count != nullptr) *count = info.count;
            return status;
        },
        name, from);
}

Code give_all(void* graph, void** nodes, std::size_t* count, bool roots_only, const char* name = __builtin_FUNCTION(),
              const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime&) -> Status {
            const Graph* const known = Graph::find(graph);
            if (known == nullptr) return no_graph();
            if (count == nullptr) return Status::kInvalidValue;
            const std::vector<Node*> all = nodes_of(*known, roots_only);
            if (nodes != nullptr)
                for (std::size_t i = 0; i < *count; ++i) nodes[i] = i < all.size() ? all[i] : nullptr;
            *count = nodes == nullptr ? all.size() : std::min(*count, all.size());
            return Status::kOk;
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuStreamBeginCapture_v2(void* stream, int mode) {
    return on_capture(stream, [&](Runtime& runtime, const Stream& found) {
        return runtime.captures().begin(found, static_cast<CaptureMode>(mode));
    });
}
TILESCOPE_DRIVER Code cuStreamBeginCapture(void* stream) {
    return on_capture(stream, [&](Runtime& runtime, const Stream& found) {
        return runtime.captures().begin(found, CaptureMode::kGlobal);
    });
}
TILESCOPE_DRIVER Code cuStreamEndCapture(void* stream, void** graph) {
    return on_capture(stream,
                      [&](Runtime& runtime, const Stream& found) { return end_capture(runtime, found, graph); });
}
TILESCOPE_DRIVER Code cuStreamIsCapturing(void* stream, int* state) {
    return capture_state(stream, state, nullptr, nullptr, nullptr, nullptr);
}
TILESCOPE_DRIVER Code cuStreamGetCaptureInfo(void* stream, int* state, unsigned long long* id) {
    return capture_state(stream, state, id, nullptr, nullptr, nullptr);
}
TILESCOPE_DRIVER Code cuStreamGetCaptureInfo_v2(void* stream, int* state, unsigned long long* id, void** graph,
                                                void* const** before, std::size_t* count) {
    return capture_state(stream, state, id, graph, before, count);
}
TILESCOPE_DRIVER Code cuThreadExchangeStreamCaptureMode(int* mode) {
    return once_initialised([&](Contexts&) -> Status {
        if (mode == nullptr || !is_mode(static_cast<CaptureMode>(*mode))) return Status::kInvalidValue;
        *mode = static_cast<int>(Captures::exchange_mode(static_cast<CaptureMode>(*mode)));
        return Status::kOk;
    });
}

TILESCOPE_DRIVER Code cuGraphCreate(void** graph, unsigned flags) {
    return on_graphs([&](Runtime& runtime) -> Status {
        if (graph == nullptr || flags != 0) return Status::kInvalidValue;
        *graph = runtime.graphs().keep(std::make_shared<Graph>());
        return Status::kOk;
    });
}
TILESCOPE_DRIVER Code cuGraphDestroy(void* graph) {
    return on_graphs([&](Runtime& runtime) { return destroy_graph(runtime, graph); });
}
TILESCOPE_DRIVER Code cuGraphClone(void** copy, void* graph) {
    return on_graphs([&](Runtime& runtime) { return clone_graph(runtime, graph, copy); });
}
TILESCOPE_DRIVER Code cuGraphNodeFindInClone(void** found, void* node, void* clone) {
    return on_graphs([&](Runtime&) { return find_in_clone(node, clone, found); });
}
TILESCOPE_DRIVER Code cuGraphGetNodes(void* graph, void** nodes, std::size_t* count) {
    return give_all(graph, nodes, count, false);
}
TILESCOPE_DRIVER Code cuGraphGetRootNodes(void* graph, void** nodes, std::size_t* count) {
    return give_all(graph, nodes, count, true);
}
TILESCOPE_DRIVER Code cuGraphDestroyNode(void* node) {
    return on_graphs([&](Runtime& runtime) { return destroy_node(runtime, node); });
}
TILESCOPE_DRIVER Code cuGraphAddDependencies(void* graph, void* const* from, void* const* to, std::size_t count) {
    return on_graphs([&](Runtime& runtime) { return add_edges(runtime, graph, from, to, count, true); });
}
TILESCOPE_DRIVER Code cuGraphRemoveDependencies(void* graph, void* const* from, void* const* to, std::size_t count) {
    return on_graphs([&](Runtime&) { return remove_edges(graph, from, to, count); });
}
TILESCOPE_DRIVER Code cuGraphDebugDotPrint(void* graph, const char* path, unsigned) {
    return on_graphs([&](Runtime& runtime) {
        const Graph* const known = Graph::find(graph);
        return known == nullptr || path == nullptr ? Status::kInvalidValue : draw_graph(runtime, *known, path);
    });
}

TILESCOPE_DRIVER Code cuGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long flags) {
    return on_graphs([&](Runtime& runtime) { return make_exec(runtime, graph, flags, exec); });
}
TILESCOPE_DRIVER Code cuGraphExecDestroy(void* exec) {
    return on_graphs([&](Runtime& runtime) { return destroy_exec(runtime, exec); });
}
TILESCOPE_DRIVER Code cuGraphLaunch(void* exec, void* stream) {
    return on_context([&](Runtime& runtime) { return launch_exec(runtime, exec, stream); });
}
TILESCOPE_DRIVER Code cuGraphUpload(void* exec, void* stream) {
    return on_context([&](Runtime& runtime) { return upload_exec(runtime, exec, stream); });
}

std::span<const Entry> graph_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE_TWICE(cuStreamBeginCapture),
        TILESCOPE_THERE_TWICE(cuStreamBeginCapture_v2),
        TILESCOPE_THERE_TWICE(cuStreamEndCapture),
        TILESCOPE_THERE_TWICE(cuStreamIsCapturing),
        TILESCOPE_THERE_TWICE(cuStreamGetCaptureInfo),
        TILESCOPE_THERE_TWICE(cuStreamGetCaptureInfo_v2),
        TILESCOPE_THERE(cuThreadExchangeStreamCaptureMode),
        TILESCOPE_THERE(cuGraphCreate),
        TILESCOPE_THERE(cuGraphDestroy),
        TILESCOPE_THERE(cuGraphClone),
        TILESCOPE_THERE(cuGraphNodeFindInClone),
        TILESCOPE_THERE(cuGraphGetNodes),
        TILESCOPE_THERE(cuGraphGetRootNodes),
        TILESCOPE_THERE(cuGraphDestroyNode),
        TILESCOPE_THERE(cuGraphAddDependencies),
        TILESCOPE_THERE(cuGraphRemoveDependencies),
        TILESCOPE_THERE(cuGraphDebugDotPrint),
        TILESCOPE_THERE(cuGraphInstantiateWithFlags),
        TILESCOPE_THERE(cuGraphExecDestroy),
        TILESCOPE_THERE_TWICE(cuGraphLaunch),
        TILESCOPE_THERE_TWICE(cuGraphUpload),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
