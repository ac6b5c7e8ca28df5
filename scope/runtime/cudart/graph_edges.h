// Calls about edges and captures as all releases have them; versioned_graph.cpp gives each release's its own form.
//
// `data` of edges may be null: ordinary ones. Others are refused by name.
#pragma once

#include "scope/runtime/cudart/graph_abi.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

bool are_ordinary(const abi::EdgeData* data, std::size_t count);

cudaError add_any_node(void** out, void* graph, void* const* before, const abi::EdgeData* data, std::size_t count,
                       const abi::AnyNode* said, const char* name = __builtin_FUNCTION(),
                       const void* from = __builtin_return_address(0));
cudaError add_dependencies(void* graph, void* const* from, void* const* to, const abi::EdgeData* data,
                           std::size_t count, const char* name = __builtin_FUNCTION());
cudaError remove_dependencies(void* graph, void* const* from, void* const* to, std::size_t count,
                              const char* name = __builtin_FUNCTION());
cudaError give_edges(void* graph, void** from, void** to, abi::EdgeData* data, std::size_t* count,
                     const char* name = __builtin_FUNCTION());
// Those that a node comes behind, or that come behind it.
cudaError give_neighbours(void* node, bool before, void** nodes, abi::EdgeData* data, std::size_t* count,
                          const char* name = __builtin_FUNCTION());

cudaError instantiate(void** exec, void* graph, unsigned long long flags, const char* name = __builtin_FUNCTION());
cudaError update_exec(void* exec, void* graph, abi::UpdateInfo& info, const char* name = __builtin_FUNCTION());

cudaError capture_info(void* stream, abi::CaptureStatus* state, unsigned long long* id, void** graph,
                       void* const** before, std::size_t* count, const char* name = __builtin_FUNCTION());
cudaError change_capture(void* stream, void* const* nodes, const abi::EdgeData* data, std::size_t count, unsigned flags,
                         const char* name = __builtin_FUNCTION());

}  // namespace tilescope::runtime
