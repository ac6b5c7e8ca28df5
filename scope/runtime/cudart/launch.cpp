// Kernel launches: the configuration that <<<...>>> pushes, the calls that launch, and the attributes of launches.
#include <string>
#include <utility>
#include <vector>

#include "scope/runtime/cudart/convert.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/launch_attributes.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/cudart/registration.h"
#include "scope/runtime/service/launch/launch.h"
#include "scope/runtime/service/thread_own.h"

namespace tilescope::runtime {
namespace {

struct Shape {
    abi::Dim grid, block;
    std::size_t dynamic_shared = 0;
    void* stream = nullptr;
    const void* launched_from = nullptr;  // return address behind <<<...>>>; null for a launch by cudaLaunchKernel
};

// Between <<<...>>> and the stub that takes them.
struct PushedShapes {
    std::vector<Shape> shapes;
};
// Behind the <<<...>>> whose stub has taken its configuration and launches next.
thread_local const void* taken_from = nullptr;

// Takes it, so that a launch by cudaLaunchKernel behind this one has none.
const void* take_launched_from() { return std::exchange(taken_from, nullptr); }

LaunchCall call_of(const Shape& shape, const void* function, bool is_cooperative = false) {
    return {.function = function_at(function),
            .grid = dim3_from(shape.grid),
            .block = dim3_from(shape.block),
            .dynamic_shared = shape.dynamic_shared,
            .stream = shape.stream,
            .is_cooperative = is_cooperative,
            .launched_from = shape.launched_from};
}

}  // namespace

TILESCOPE_API unsigned __cudaPushCallConfiguration(abi::Dim grid, abi::Dim block, std::size_t dynamic_shared,
                                                   void* stream) {
    const void* const from = __builtin_return_address(0);
    return call([&] {
        of_this_thread<PushedShapes>().shapes.push_back({grid, block, dynamic_shared, stream, from});
        return Status::kOk;
    });
}

TILESCOPE_API cudaError __cudaPopCallConfiguration(abi::Dim* grid, abi::Dim* block, std::size_t* dynamic_shared,
                                                   void** stream) {
    return call([&]() -> Status {
        std::vector<Shape>& pushed = of_this_thread<PushedShapes>().shapes;
        if (pushed.empty()) return Status::kMissingShape;
        const Shape shape = pushed.back();
        pushed.pop_back();
        taken_from = shape.launched_from;
        *grid = shape.grid;
        *block = shape.block;
        *dynamic_shared = shape.dynamic_shared;
        *stream = shape.stream;
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaLaunchKernel(const void* function, abi::Dim grid, abi::Dim block, void** args,
                                         std::size_t dynamic_shared, void* stream) {
    return on_device([&](Runtime& runtime) {
        return launch(runtime, call_of({grid, block, dynamic_shared, stream, take_launched_from()}, function, false),
                      args);
    });
}

// What the stubs of nvcc 12.4 and later call, with a handle from __cudaGetKernel.
TILESCOPE_API cudaError __cudaLaunchKernel(const void* kernel, abi::Dim grid, abi::Dim block, void** args,
                                           std::size_t dynamic_shared, void* stream) {
    return on_device([&](Runtime& runtime) {
        return launch(runtime, call_of({grid, block, dynamic_shared, stream, take_launched_from()}, kernel, false),
                      args);
    });
}

TILESCOPE_API cudaError cudaLaunchCooperativeKernel(const void* function, abi::Dim grid, abi::Dim block, void** args,
                                                    std::size_t dynamic_shared, void* stream) {
    return on_device([&](Runtime& runtime) {
        return launch(runtime, call_of({grid, block, dynamic_shared, stream, take_launched_from()}, function, true),
                      args);
    });
}

TILESCOPE_API cudaError cudaLaunchKernelExC(const abi::LaunchConfig* config, const void* function, void** args) {
    return on_device([&](Runtime& runtime) -> Status {
        if (config == nullptr || (config->attribute_count != 0 && config->attributes == nullptr))
            return Status::kInvalidValue;
        LaunchCall call = call_of({config->grid, config->block, config->dynamic_shared, config->stream}, function);
        const Status status = take_attributes(runtime, call, config->attributes, config->attribute_count);
        return status != Status::kOk ? status : launch(runtime, std::move(call), args);
    });
}

TILESCOPE_PER_THREAD(cudaLaunchKernel_ptsz, cudaLaunchKernel);
TILESCOPE_PER_THREAD(__cudaLaunchKernel_ptsz, __cudaLaunchKernel);
TILESCOPE_PER_THREAD(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel);
TILESCOPE_PER_THREAD(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);

}  // namespace tilescope::runtime
