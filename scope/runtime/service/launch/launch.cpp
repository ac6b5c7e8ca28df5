#include "scope/runtime/service/launch/launch.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "scope/runtime/service/launch/functions.h"
#include "scope/runtime/service/limits.h"
#include "scope/runtime/service/streams/issue.h"
#include "scope/runtime/service/watch/host_hazards.h"

namespace tilescope::runtime {
namespace {

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
Status gather_packed(const KernelInfo& info, void** list, std::vector<std::byte>& buffer) {
    const void* packed = nullptr;
    const std::size_t* size = nullptr;
    for (void** at = list; reinterpret_cast<std::uintptr_t>(at[0]) != kPackedEnd; at += 2) {
        switch (reinterpret_cast<std::uintptr_t>(at[0])) {
            case kPackedBuffer: packed = at[1]; break;
            case kPackedSize: size = static_cast<const std::size_t*>(at[1]); break;
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

Status status_after(Runtime& runtime, const LaunchResult& result) {
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
    if (const Status status = runtime.modules().find(runtime, launch.function, function, request.kernel);
        status != Status::kOk)
        return status;
    const models::Device& device = runtime.session().device();
    request.grid = launch.grid;
    request.block = launch.block;
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
    request.persisting_bytes = runtime.limits().persisting();
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
    const Status status = status_after(runtime, runtime.session().launch(request));
    if (status == Status::kOk && runtime.poisoned() == Status::kOk) runtime.count_launch();
    return status;
}

// The request of a launch whose parameters it copies. What is wrong with the launch itself comes first.
Status take(Runtime& runtime, KernelLaunch& launch, void** values, void** packed, LaunchRequest& request) {
    if (const Status status = request_of(runtime, launch, request); status != Status::kOk) return status;
    const KernelInfo& info = runtime.session().kernel_info(request.kernel);
    const Status status = packed != nullptr && values == nullptr ? gather_packed(info, packed, launch.parameters)
                                                                 : gather(info, values, launch.parameters);
    if (status == Status::kOk) return Status::kOk;
    const Status other = refused(runtime.session().check(request));
    return other != Status::kOk ? other : status;
}

Status try_launch(Runtime& runtime, LaunchCall& call, void** values, void** packed) {
    const auto stream = runtime.handles().stream(call.stream);
    if (!stream) return because(Status::kInvalidHandle, "the stream was never made, or is destroyed already");
    KernelLaunch launch{.function = call.function,
                        .grid = call.grid,
                        .block = call.block,
                        .dynamic_shared = call.dynamic_shared,
                        .is_cooperative = call.is_cooperative,
                        .carveout = call.carveout,
                        .window = call.window.value_or(stream->window),
                        .priority = call.priority.value_or(stream->priority),
                        .begins_early = call.begins_early};
    const LaunchedFrom here(call.launched_from);
    return on_stream(
        runtime, call.stream,
        [&](const machine::Issue& issue) {
            LaunchRequest request;
            const Status status = take(runtime, launch, values, packed, request);
            return status != Status::kOk ? status : run(runtime, request, launch, issue);
        },
        [&](Work& work) {
            const Status status = take_parameters(runtime, launch, values, packed);
            work = std::move(launch);
            return status;
        });
}

// Says which kernel the call was about.
void name_kernel(Runtime& runtime, const FunctionName& function) {
    if (const Function* const known = runtime.modules().first(function))
        failure().kernel = runtime.session().demangle(known->entry);
}

}  // namespace

Status take_parameters(Runtime& runtime, KernelLaunch& launch, void** values, void** packed) {
    LaunchRequest request;
    const Status status = take(runtime, launch, values, packed, request);
    return status != Status::kOk ? status : refused(runtime.session().check(request));
}

Status run_kernel(Runtime& runtime, const KernelLaunch& launch, const machine::Issue& issue) {
    LaunchRequest request;
    const Status status = request_of(runtime, launch, request);
    return status != Status::kOk ? status : run(runtime, request, launch, issue);
}

Status launch(Runtime& runtime, LaunchCall call, void** values, void** packed) {
    const Status status = try_launch(runtime, call, values, packed);
    if (status == Status::kOk) return status;
    failure().launched_from = call.launched_from;
    name_kernel(runtime, call.function);
    return status;
}

Status refuse_launch(Runtime& runtime, const FunctionName& function, const std::string& what) {
    name_kernel(runtime, function);
    const bool is_known = runtime.modules().first(function) != nullptr;
    runtime.tell({error("runtime-unsupported-attribute", {},
                        what + (is_known ? "; kernel " + failure().kernel : std::string()))});
    runtime.session().set_outcome(Outcome::kUnsupported);
    return because(Status::kNotSupported, what);
}

}  // namespace tilescope::runtime
