// What the calls about graphs share: how they begin, which handles they accept, how they give lists.
#pragma once

#include <algorithm>
#include <vector>

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/graphs/graph_runs.h"

namespace tilescope::runtime {

// body(Runtime&), while nobody else reads or changes a graph.
template <class Body>
cudaError on_graphs(Body&& body, const char* name = __builtin_FUNCTION(),
                    const void* from = __builtin_return_address(0)) noexcept {
    return on_device(
        [&](Runtime& runtime) -> Status {
            const auto lock = runtime.graphs().lock();
            return body(runtime);
        },
        name, from);
}

// How many there are, if `out` is null; else those that there is room for, and null in what is left.
template <class T>
Status give_list(const std::vector<T*>& all, void** out, std::size_t* count) {
    if (count == nullptr) return Status::kInvalidValue;
    if (out != nullptr)
        for (std::size_t i = 0; i < *count; ++i) out[i] = i < all.size() ? all[i] : nullptr;
    *count = out == nullptr ? all.size() : std::min(*count, all.size());
    return Status::kOk;
}

}  // namespace tilescope::runtime
