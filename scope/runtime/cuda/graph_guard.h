// How the calls about graphs begin: nobody else reads or changes a graph meanwhile.
#pragma once

#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/graphs/graph_runs.h"

namespace tilescope::runtime::driver {

// body(Runtime&).
template <class Body>
Code on_graphs(Body&& body, const char* name = __builtin_FUNCTION(),
               const void* from = __builtin_return_address(0)) noexcept {
    return on_context(
        [&](Runtime& runtime) -> Status {
            const auto lock = runtime.graphs().lock();
            return body(runtime);
        },
        name, from);
}

}  // namespace tilescope::runtime::driver
