// Executable graphs: made, changed, launched.
#include "scope/runtime/cudart/convert.h"
#include "scope/runtime/cudart/graph_call.h"
#include "scope/runtime/cudart/graph_edges.h"
#include "scope/runtime/cudart/graph_work.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/graphs/graph_nodes.h"

namespace tilescope::runtime {
namespace {

// make(Runtime&, Work&) says what the executable graph's copy of a node does from here on.
template <class Make>
cudaError change(void* exec, void* node, Make&& make, const char* name = __builtin_FUNCTION(),
                 const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime& runtime) {
            return change_in_exec(runtime, exec, node, [&](Work& work) { return make(runtime, work); });
        },
        name, from);
}

// What is wrong with the variable comes before a copy of nothing.
Status checked_copy(Runtime& runtime, const VariableCopy& copy, Work& work) {
    Copy volume;
    const Status status = volume_of(runtime, copy, volume);
    return status != Status::kOk ? status : copy_work(runtime, volume, work);
}

abi::UpdateResult result_of(UpdateResult result) {
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

}  // namespace

cudaError instantiate(void** exec, void* graph, unsigned long long flags, const char* name) {
    return on_graphs([&](Runtime& runtime) { return make_exec(runtime, graph, flags, exec); }, name);
}

cudaError update_exec(void* exec, void* graph, abi::UpdateInfo& info, const char* name) {
    return on_graphs(
        [&](Runtime& runtime) {
            Update update;
            const Status status = update_exec(runtime, exec, graph, update);
            info = {result_of(update.result), update.node, nullptr};
            return status;
        },
        name);
}

TILESCOPE_API cudaError cudaGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long flags) {
    return instantiate(exec, graph, flags);
}

TILESCOPE_API cudaError cudaGraphInstantiateWithParams(void** exec, void* graph, abi::InstantiateParameters* said) {
    return on_graphs([&](Runtime& runtime) -> Status {
        if (said == nullptr) return Status::kInvalidValue;
        const Graph* const known = Graph::find(graph);
        said->error_node = nullptr;
        const Status status = make_exec(runtime, graph, said->flags, exec);
        using abi::InstantiateResult;
        said->result = InstantiateResult::kSuccess;
        if (status == Status::kOk) return status;
        said->error_node = known != nullptr ? known->on_cycle() : nullptr;
        said->result = said->error_node != nullptr ? InstantiateResult::kInvalidStructure : InstantiateResult::kError;
        return status;
    });
}

TILESCOPE_API cudaError cudaGraphExecDestroy(void* exec) {
    return on_graphs([&](Runtime& runtime) { return destroy_exec(runtime, exec); });
}

TILESCOPE_API cudaError cudaGraphExecGetFlags(void* exec, unsigned long long* flags) {
    return on_graphs([&](Runtime& runtime) -> Status {
        const auto found = runtime.graphs().exec(exec);
        if (!found || flags == nullptr) return no_exec();
        *flags = found->flags();
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGraphLaunch(void* exec, void* stream) {
    return on_device([&](Runtime& runtime) { return launch_exec(runtime, exec, stream); });
}

TILESCOPE_API cudaError cudaGraphUpload(void* exec, void* stream) {
    return on_device([&](Runtime& runtime) { return upload_exec(runtime, exec, stream); });
}

TILESCOPE_API cudaError cudaGraphExecKernelNodeSetParams(void* exec, void* node, const abi::KernelNode* said) {
    return change(exec, node, [&](Runtime& runtime, Work& work) { return work_of(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphExecMemcpyNodeSetParams(void* exec, void* node, const abi::Memcpy3D* said) {
    return change(exec, node, [&](Runtime& runtime, Work& work) { return work_of(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphExecMemcpyNodeSetParams1D(void* exec, void* node, void* target, const void* source,
                                                           std::size_t bytes, cudaMemcpyKind kind) {
    return change(exec, node, [&](Runtime& runtime, Work& work) {
        return copy_work(runtime, volume_of(target, source, bytes, direction_of(kind)), work);
    });
}

TILESCOPE_API cudaError cudaGraphExecMemcpyNodeSetParamsToSymbol(void* exec, void* node, const void* symbol,
                                                                 const void* source, std::size_t bytes,
                                                                 std::size_t offset, cudaMemcpyKind kind) {
    return change(exec, node, [&](Runtime& runtime, Work& work) {
        return checked_copy(runtime, to_symbol(symbol, source, bytes, offset, kind), work);
    });
}

TILESCOPE_API cudaError cudaGraphExecMemcpyNodeSetParamsFromSymbol(void* exec, void* node, void* target,
                                                                   const void* symbol, std::size_t bytes,
                                                                   std::size_t offset, cudaMemcpyKind kind) {
    return change(exec, node, [&](Runtime& runtime, Work& work) {
        return checked_copy(runtime, from_symbol(target, symbol, bytes, offset, kind), work);
    });
}

TILESCOPE_API cudaError cudaGraphExecMemsetNodeSetParams(void* exec, void* node, const abi::SetNode* said) {
    return change(exec, node, [&](Runtime& runtime, Work& work) { return work_of(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphExecHostNodeSetParams(void* exec, void* node, const abi::HostNode* said) {
    return change(exec, node, [&](Runtime&, Work& work) { return work_of(said, work); });
}

TILESCOPE_API cudaError cudaGraphExecChildGraphNodeSetParams(void* exec, void* node, void* graph) {
    return change(exec, node, [&](Runtime&, Work& work) { return child_work(graph, work); });
}

TILESCOPE_API cudaError cudaGraphExecEventRecordNodeSetEvent(void* exec, void* node, void* event) {
    return change(exec, node, [&](Runtime& runtime, Work& work) { return event_work(runtime, event, true, work); });
}

TILESCOPE_API cudaError cudaGraphExecEventWaitNodeSetEvent(void* exec, void* node, void* event) {
    return change(exec, node, [&](Runtime& runtime, Work& work) { return event_work(runtime, event, false, work); });
}

TILESCOPE_API cudaError cudaGraphExecNodeSetParams(void* exec, void* node, const abi::AnyNode* said) {
    return change(exec, node, [&](Runtime& runtime, Work& work) { return work_of(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphNodeSetEnabled(void* exec, void* node, unsigned enabled) {
    return on_graphs([&](Runtime& runtime) {
        return with_copy(runtime, exec, node, [&](Node& own) {
            own.is_enabled = enabled != 0;
            return Status::kOk;
        });
    });
}

TILESCOPE_API cudaError cudaGraphNodeGetEnabled(void* exec, void* node, unsigned* enabled) {
    return on_graphs([&](Runtime& runtime) {
        return with_copy(runtime, exec, node, [&](const Node& own) {
            if (enabled == nullptr) return Status::kInvalidValue;
            *enabled = own.is_enabled ? 1 : 0;
            return Status::kOk;
        });
    });
}

TILESCOPE_PER_THREAD(cudaGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams);
TILESCOPE_PER_THREAD(cudaGraphLaunch_ptsz, cudaGraphLaunch);
TILESCOPE_PER_THREAD(cudaGraphUpload_ptsz, cudaGraphUpload);

}  // namespace tilescope::runtime
