// Kernel launches. A launch runs to its end before the call returns; a fault is the error of every later call, as on a
// card, which is not there yet when the launch returns.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scope/runtime/cudart/attributes.h"
#include "scope/runtime/cudart/graph_abi.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/launch/kernel_launch.h"
#include "scope/runtime/service/launch/kernels.h"
#include "scope/runtime/service/modules/registry.h"
#include "scope/runtime/service/streams/handles.h"
#include "scope/runtime/service/streams/issue.h"
#include "scope/runtime/service/thread_own.h"
#include "scope/runtime/service/watch/host_hazards.h"

namespace tilescope::runtime {
namespace {

struct Shape {
    abi::Dim grid, block;
    std::size_t dynamic_shared = 0;
    void* stream = nullptr;
    bool cooperative = false;
    const void* launched_from = nullptr;  // return address behind <<<...>>>; null for a launch by cudaLaunchKernel
    std::optional<int> carveout = std::nullopt;       // instead of the function's
    const abi::AccessPolicyWindow* window = nullptr;  // instead of the stream's
    std::optional<int> priority = std::nullopt;       // instead of the stream's
    bool begins_early = false;                        // programmatic: once the kernel before lets it
};

// Between <<<...>>> and the stub that takes them.
struct PushedShapes {
    std::vector<Shape> shapes;
};
// Behind the <<<...>>> whose stub has taken its configuration and launches next.
thread_local const void* taken_from = nullptr;

Status refused(const LaunchResult& result) {
    switch (result.status) {
        case LaunchStatus::kInvalidConfiguration: return because(Status::kInvalidShape, result.reason);
        case LaunchStatus::kTooMuchShared: return because(Status::kInvalidValue, result.reason);
        case LaunchStatus::kOutOfResources: return because(Status::kOutOfResources, result.reason);
        case LaunchStatus::kTooManyBlocks: return because(Status::kTooManyBlocks, result.reason);
        default: return Status::kOk;
    }
}

// The parameter buffer, as the kernel's layout places the values that `args` points at.
Status gather(const KernelInfo& info, void** args, std::vector<std::byte>& buffer) {
    buffer.assign(info.parameter_bytes, std::byte{0});
    if (!info.parameters.empty() && args == nullptr) return Status::kInvalidValue;
    for (std::size_t i = 0; i < info.parameters.size(); ++i) {
        const KernelParameter& parameter = info.parameters[i];
        if (args[i] == nullptr || std::uint64_t{parameter.offset} + parameter.size > buffer.size())
            return Status::kInvalidValue;
        std::memcpy(buffer.data() + parameter.offset, args[i], parameter.size);
    }
    return Status::kOk;
}

// The same of a buffer that is packed already.
Status gather_packed(const KernelInfo& info, void** extra, std::vector<std::byte>& buffer) {
    const void* packed = nullptr;
    const std::size_t* size = nullptr;
    for (void** at = extra; reinterpret_cast<std::uintptr_t>(at[0]) != abi::kExtraEnd; at += 2) {
        switch (reinterpret_cast<std::uintptr_t>(at[0])) {
            case abi::kExtraBuffer: packed = at[1]; break;
            case abi::kExtraSize: size = static_cast<const std::size_t*>(at[1]); break;
            default: return Status::kInvalidValue;
        }
    }
    if (packed == nullptr || size == nullptr || *size > info.parameter_bytes) return Status::kInvalidValue;
    buffer.assign(info.parameter_bytes, std::byte{0});
    std::memcpy(buffer.data(), packed, *size);
    return Status::kOk;
}

// The code that a card gives for each way in which a kernel ends (H100 and H200, CUDA 13.0).
Status status_of(HazardKind kind) {
    static constexpr struct {
        HazardKind kind;
        Status status;
    } kEnds[] = {
        {HazardKind::kOutOfBounds, Status::kIllegalAddress},
        {HazardKind::kUseAfterFree, Status::kIllegalAddress},
        {HazardKind::kMisaligned, Status::kMisalignedAddress},
        {HazardKind::kTrap, Status::kLaunchFailure},
        {HazardKind::kAssert, Status::kAssert},
        {HazardKind::kIllegalInstruction, Status::kIllegalInstruction},
        {HazardKind::kStackOverflow, Status::kIllegalAddress},
        {HazardKind::kDeadlock, Status::kTimeout},
        {HazardKind::kLimit, Status::kTimeout},
    };
    for (const auto& row : kEnds) {
        if (kind == row.kind) return row.status;
    }
    return Status::kLaunchFailure;
}

bool is_past(const SessionOptions& options) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return options.deadline != 0 && now >= std::chrono::nanoseconds(options.deadline);
}

// The time limit is for the program as a whole. What it has printed stays; its exit handlers could take for ever.
[[noreturn]] void end_program() {
    constexpr int kLimitReached = 6;  // as tilescope itself returns it
    std::fflush(nullptr);
    _exit(kLimitReached);
}

Status conclude(Runtime& runtime, const LaunchResult& result) {
    if (!result.diagnostics.empty()) runtime.say(result.diagnostics);
    switch (result.status) {
        case LaunchStatus::kOk: return Status::kOk;
        case LaunchStatus::kInvalidConfiguration:
        case LaunchStatus::kTooMuchShared:
        case LaunchStatus::kOutOfResources:
        case LaunchStatus::kTooManyBlocks: return refused(result);
        case LaunchStatus::kUnsupported: return Status::kNotSupported;
        case LaunchStatus::kFault:
        case LaunchStatus::kLimit: break;
    }
    const bool limit = result.status == LaunchStatus::kLimit;
    if (result.hazard) runtime.tell(*result.hazard);
    const Status status = result.hazard ? status_of(result.kind_on_card)
                          : limit       ? Status::kOutOfMemory
                                        : Status::kLaunchFailure;
    if (limit && is_past(runtime.session().options())) end_program();
    runtime.poison(status);
    // The launch itself is long over when a card comes to its fault: whoever asks next is told.
    return limit ? status : Status::kOk;
}

// What programs may ask for as shared memory, in percent; the first leaves it to the driver.
constexpr int kNoCarveout = -1, kMaxCarveout = 100;

// What a launch comes to on this device, without its parameters.
Status request_of(Runtime& runtime, const KernelLaunch& launch, LaunchRequest& request) {
    Function* function = nullptr;
    if (const Status status = find_kernel(runtime, launch.function, function, request.kernel); status != Status::kOk)
        return status;
    const models::Device& device = runtime.session().device();
    request.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
    request.block = {launch.block.x, launch.block.y, launch.block.z};
    request.dynamic_shared_bytes = launch.dynamic_shared;
    request.max_dynamic_shared_bytes =
        max_dynamic_shared(device, runtime.session().kernel_info(request.kernel), *function);
    const int carveout = launch.carveout.value_or(function->carveout.load(std::memory_order_relaxed));
    if (carveout < kNoCarveout || carveout > kMaxCarveout)
        return because(Status::kInvalidValue, "the preferred share of shared memory is not within 0 and 100 %");
    if (carveout != kNoCarveout) request.carveout_percent = static_cast<unsigned>(carveout);
    request.cooperative = launch.is_cooperative;
    if (!is_window(device, launch.window)) return because(Status::kInvalidValue, kNoWindow);
    request.window = asked_by(launch.window);
    request.persisting_bytes = persisting_limit();
    return Status::kOk;
}

Status run(Runtime& runtime, LaunchRequest& request, const KernelLaunch& launch, const machine::Issue& issue) {
    request.stream = issue.stream;
    request.graph = issue.graph;
    request.begins_early = launch.begins_early && issue.graph == 0;
    request.parameters = launch.parameters;
    const auto work = runtime.work();
    // A host thread that waited here while another's kernel faulted must not run on.
    if (runtime.poisoned() != Status::kOk) return runtime.poisoned();
    const Status status = conclude(runtime, runtime.session().launch(request));
    if (status == Status::kOk && runtime.poisoned() == Status::kOk) runtime.count_launch();
    return status;
}

// The request of a launch whose parameters it copies. What is wrong with the launch itself comes first.
Status take(Runtime& runtime, KernelLaunch& launch, void** values, void** extra, LaunchRequest& request) {
    if (const Status status = request_of(runtime, launch, request); status != Status::kOk) return status;
    const KernelInfo& info = runtime.session().kernel_info(request.kernel);
    const Status status = extra != nullptr && values == nullptr ? gather_packed(info, extra, launch.parameters)
                                                                : gather(info, values, launch.parameters);
    if (status == Status::kOk) return Status::kOk;
    const Status other = refused(runtime.session().check(request));
    return other != Status::kOk ? other : status;
}

Status try_launch(Runtime& runtime, const void* stub, const Shape& shape, void** args) {
    const auto stream = runtime.handles().stream(shape.stream);
    if (!stream) return because(Status::kInvalidHandle, "the stream was never made, or is destroyed already");
    KernelLaunch launch{.function = stub,
                        .grid = shape.grid,
                        .block = shape.block,
                        .dynamic_shared = shape.dynamic_shared,
                        .is_cooperative = shape.cooperative,
                        .carveout = shape.carveout,
                        .window = shape.window != nullptr ? *shape.window : stream->window,
                        .priority = shape.priority.value_or(stream->priority),
                        .begins_early = shape.begins_early};
    const LaunchedFrom here(shape.launched_from);
    return on_stream(
        runtime, shape.stream,
        [&](const machine::Issue& issue) {
            LaunchRequest request;
            const Status status = take(runtime, launch, args, nullptr, request);
            return status != Status::kOk ? status : run(runtime, request, launch, issue);
        },
        [&](Work& work) {
            const Status status = take_parameters(runtime, launch, args);
            work = std::move(launch);
            return status;
        });
}

Status launch(Runtime& runtime, const void* stub, const Shape& shape, void** args) {
    const Status status = try_launch(runtime, stub, shape, args);
    if (status == Status::kOk) return status;
    failure().launched_from = shape.launched_from;
    if (const Function* known = runtime.registry().record(stub))
        failure().kernel = runtime.session().demangle(known->entry);
    return status;
}

// Takes it, so that a launch by cudaLaunchKernel behind this one has none.
const void* take_launched_from() { return std::exchange(taken_from, nullptr); }

// Which launch attributes are carried out, or may be passed over by what they mean.
bool honoured(const abi::LaunchAttribute& attribute) {
    switch (attribute.id) {
        case kIgnore: return true;                 // says itself that it asks for nothing
        case kAccessPolicyWindow: return true;     // carried out
        case kCooperative: return true;            // carried out
        case kPriority: return true;               // kept; which kernel goes first is nobody's right
        case kCarveout: return true;               // carried out
        case kSynchronizationPolicy: return true;  // how a thread of the host waits changes no result
        case kClusterScheduling: return true;      // where the blocks of a cluster go: every block is one
        case kProgrammaticSerialization:
            return true;                      // the kernel may begin early, and does not; --check streams looks
        case kMemSyncDomainMap: return true;  // which fences wait for which: all of them are whole here
        case kMemSyncDomain: return true;     // likewise
        case kNvlinkCentric: return true;     // where blocks go
        case kClusterDimension:
        case kPreferredCluster:
            return attribute.value.dim.x <= 1 && attribute.value.dim.y <= 1 && attribute.value.dim.z <= 1;
        default: return false;
    }
}

// Refused by name. What the program does with the error cannot be seen, so that the run says it and ends as one that
// needed what is not there.
Status refuse_attribute(Runtime& runtime, const void* function, const abi::LaunchAttribute& attribute) {
    std::string what = attribute_name(attribute.id);
    if (attribute.id == kClusterDimension || attribute.id == kPreferredCluster) {
        const auto& size = attribute.value.dim;
        what += " of " + std::to_string(size.x) + " × " + std::to_string(size.y) + " × " + std::to_string(size.z) +
                ": clusters of blocks are not supported yet";
    } else {
        what += " of a launch is not supported yet";
    }
    const Function* const known = runtime.registry().record(function);
    if (known != nullptr) failure().kernel = runtime.session().demangle(known->entry);
    runtime.tell({error("runtime-unsupported-attribute", {},
                        what + (known != nullptr ? "; kernel " + failure().kernel : std::string()))});
    runtime.session().set_outcome(Outcome::kUnsupported);
    return because(Status::kNotSupported, what);
}

}  // namespace

Status take_parameters(Runtime& runtime, KernelLaunch& launch, void** values, void** extra) {
    LaunchRequest request;
    const Status status = take(runtime, launch, values, extra, request);
    return status != Status::kOk ? status : refused(runtime.session().check(request));
}

Status run_kernel(Runtime& runtime, const KernelLaunch& launch, const machine::Issue& issue) {
    LaunchRequest request;
    const Status status = request_of(runtime, launch, request);
    return status != Status::kOk ? status : run(runtime, request, launch, issue);
}

TILESCOPE_API unsigned __cudaPushCallConfiguration(abi::Dim grid, abi::Dim block, std::size_t dynamic_shared,
                                                   void* stream) {
    const void* const from = __builtin_return_address(0);
    return call([&] {
        of_this_thread<PushedShapes>().shapes.push_back({grid, block, dynamic_shared, stream, false, from});
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
        return launch(runtime, function, {grid, block, dynamic_shared, stream, false, take_launched_from()}, args);
    });
}

// What the stubs of nvcc 12.4 and later call, with a handle from __cudaGetKernel.
TILESCOPE_API cudaError __cudaLaunchKernel(const void* kernel, abi::Dim grid, abi::Dim block, void** args,
                                           std::size_t dynamic_shared, void* stream) {
    return on_device([&](Runtime& runtime) {
        return launch(runtime, kernel, {grid, block, dynamic_shared, stream, false, take_launched_from()}, args);
    });
}

TILESCOPE_API cudaError cudaLaunchCooperativeKernel(const void* function, abi::Dim grid, abi::Dim block, void** args,
                                                    std::size_t dynamic_shared, void* stream) {
    return on_device([&](Runtime& runtime) {
        return launch(runtime, function, {grid, block, dynamic_shared, stream, true, take_launched_from()}, args);
    });
}

TILESCOPE_API cudaError cudaLaunchKernelExC(const abi::LaunchConfig* config, const void* function, void** args) {
    return on_device([&](Runtime& runtime) -> Status {
        if (config == nullptr || (config->attribute_count != 0 && config->attributes == nullptr))
            return Status::kInvalidValue;
        for (unsigned i = 0; i < config->attribute_count; ++i) {
            if (honoured(config->attributes[i])) continue;
            return refuse_attribute(runtime, function, config->attributes[i]);
        }
        Shape shape{config->grid, config->block, config->dynamic_shared, config->stream};
        for (unsigned i = 0; i < config->attribute_count; ++i) {
            if (config->attributes[i].id == kCooperative) shape.cooperative = config->attributes[i].value.number != 0;
            if (config->attributes[i].id == kAccessPolicyWindow) shape.window = &config->attributes[i].value.window;
            if (config->attributes[i].id == kCarveout) shape.carveout = config->attributes[i].value.number;
            if (config->attributes[i].id == kProgrammaticSerialization)
                shape.begins_early = config->attributes[i].value.number != 0;
            if (config->attributes[i].id == kPriority) shape.priority = config->attributes[i].value.number;
        }
        return launch(runtime, function, shape, args);
    });
}

TILESCOPE_PER_THREAD(cudaLaunchKernel_ptsz, cudaLaunchKernel);
TILESCOPE_PER_THREAD(__cudaLaunchKernel_ptsz, __cudaLaunchKernel);
TILESCOPE_PER_THREAD(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel);
TILESCOPE_PER_THREAD(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);

}  // namespace tilescope::runtime
