// Launches.
#include <utility>

#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/cudart/launch_attributes.h"
#include "scope/runtime/service/launch/launch.h"

namespace tilescope::runtime::driver {
namespace {

// The parameters come one by one or packed, not both; of a kernel without any, neither need be.
Status run_call_of(Runtime& runtime, LaunchCall call, void** values, void** packed) {
    if (packed != nullptr && *packed == nullptr) packed = nullptr;  // it ends where it begins
    if (values != nullptr && packed != nullptr)
        return because(Status::kInvalidValue, "parameters are given one by one and packed");
    return launch(runtime, std::move(call), values, packed);
}

}  // namespace

TILESCOPE_DRIVER Code cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                     unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,
                                     void* stream, void** values, void** packed) {
    return on_context([&](Runtime& runtime) {
        return run_call_of(runtime,
                           {.function = runtime.modules().by_handle(function),
                            .grid = {grid_x, grid_y, grid_z},
                            .block = {block_x, block_y, block_z},
                            .dynamic_shared = dynamic_shared,
                            .stream = stream},
                           values, packed);
    });
}

TILESCOPE_DRIVER Code cuLaunchCooperativeKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                                unsigned block_x, unsigned block_y, unsigned block_z,
                                                unsigned dynamic_shared, void* stream, void** values) {
    return on_context([&](Runtime& runtime) {
        return run_call_of(runtime,
                           {.function = runtime.modules().by_handle(function),
                            .grid = {grid_x, grid_y, grid_z},
                            .block = {block_x, block_y, block_z},
                            .dynamic_shared = dynamic_shared,
                            .stream = stream,
                            .is_cooperative = true},
                           values, nullptr);
    });
}

TILESCOPE_DRIVER Code cuLaunchKernelEx(const LaunchConfig* config, void* function, void** values, void** packed) {
    return on_context([&](Runtime& runtime) -> Status {
        if (config == nullptr || (config->attribute_count != 0 && config->attributes == nullptr))
            return Status::kInvalidValue;
        LaunchCall call{.function = runtime.modules().by_handle(function),
                        .grid = {config->grid[0], config->grid[1], config->grid[2]},
                        .block = {config->block[0], config->block[1], config->block[2]},
                        .dynamic_shared = config->dynamic_shared,
                        .stream = config->stream};
        const Status status = take_attributes(runtime, call, config->attributes, config->attribute_count);
        return status != Status::kOk ? status : run_call_of(runtime, std::move(call), values, packed);
    });
}

std::span<const Entry> launch_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE_TWICE(cuLaunchKernel),
        TILESCOPE_THERE_TWICE(cuLaunchCooperativeKernel),
        TILESCOPE_THERE_TWICE(cuLaunchKernelEx),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
