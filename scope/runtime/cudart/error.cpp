// The error state of a host thread, and what errors are called.
#include <iterator>
#include <string_view>

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/versioned.h"
#include "scope/runtime/service/watch/failed_calls.h"
#include "scope/runtime/service/watch/host_hazards.h"

namespace tilescope::runtime {
namespace {

thread_local cudaError last_error = cudaSuccess;

struct Row {
    cudaError code;
    const char* name;
    const char* text;
};

constexpr Row kErrors[] = {
#define TILESCOPE_ERROR(code, text) {code, #code, text},
#include "scope/runtime/cudart/error_table.inc"
#undef TILESCOPE_ERROR
};

// What the runtime says of each status, in their order; error_of() has what differs between releases.
constexpr struct {
    Status status;
    cudaError code;
} kCodes[] = {
    {Status::kOk, cudaSuccess},
    {Status::kInvalidValue, cudaErrorInvalidValue},
    {Status::kInvalidPitch, cudaErrorInvalidPitchValue},
    {Status::kInvalidDirection, cudaErrorInvalidMemcpyDirection},
    {Status::kInvalidDevice, cudaErrorInvalidDevice},
    {Status::kInvalidHandle, cudaErrorInvalidResourceHandle},
    {Status::kInvalidFunction, cudaErrorInvalidDeviceFunction},
    {Status::kStrayFunction, cudaErrorInvalidDeviceFunction},
    {Status::kInvalidSymbol, cudaErrorInvalidSymbol},
    {Status::kInvalidShape, cudaErrorInvalidConfiguration},
    {Status::kMissingShape, cudaErrorMissingConfiguration},
    {Status::kUnsupportedLimit, cudaErrorUnsupportedLimit},
    {Status::kNoPeer, cudaErrorPeerAccessUnsupported},
    {Status::kNoPeerAccess, cudaErrorPeerAccessNotEnabled},
    {Status::kAlreadyRegistered, cudaErrorHostMemoryAlreadyRegistered},
    {Status::kNotRegistered, cudaErrorHostMemoryNotRegistered},
    {Status::kIllegalState, cudaErrorIllegalState},
    {Status::kNotPermitted, cudaErrorNotPermitted},
    {Status::kNotSupported, cudaErrorNotSupported},
    {Status::kOutOfMemory, cudaErrorMemoryAllocation},
    {Status::kOutOfResources, cudaErrorLaunchOutOfResources},
    {Status::kTooManyBlocks, cudaErrorCooperativeLaunchTooLarge},
    {Status::kOperatingSystem, cudaErrorOperatingSystem},
    {Status::kNotInitialized, cudaErrorInitializationError},
    {Status::kUnloading, cudaErrorCudartUnloading},
    {Status::kDeviceLost, cudaErrorDevicesUnavailable},
    {Status::kNoImage, cudaErrorNoKernelImageForDevice},
    {Status::kInvalidPtx, cudaErrorInvalidPtx},
    {Status::kIllegalAddress, cudaErrorIllegalAddress},
    {Status::kMisalignedAddress, cudaErrorMisalignedAddress},
    {Status::kIllegalInstruction, cudaErrorIllegalInstruction},
    {Status::kAssert, cudaErrorAssert},
    {Status::kLaunchFailure, cudaErrorLaunchFailure},
    {Status::kTimeout, cudaErrorLaunchTimeout},
    {Status::kUpdateRefused, cudaErrorGraphExecUpdateFailure},
    {Status::kCaptureUnsupported, cudaErrorStreamCaptureUnsupported},
    {Status::kCaptureInvalidated, cudaErrorStreamCaptureInvalidated},
    {Status::kCaptureMerge, cudaErrorStreamCaptureMerge},
    {Status::kCaptureUnmatched, cudaErrorStreamCaptureUnmatched},
    {Status::kCaptureUnjoined, cudaErrorStreamCaptureUnjoined},
    {Status::kCaptureIsolation, cudaErrorStreamCaptureIsolation},
    {Status::kCaptureImplicit, cudaErrorStreamCaptureImplicit},
    {Status::kCaptureWrongThread, cudaErrorStreamCaptureWrongThread},
    {Status::kCapturedEvent, cudaErrorCapturedEvent},
    {Status::kUnknown, cudaErrorUnknown},
};
constexpr bool has_each_in_order() {
    for (std::size_t i = 0; i < std::size(kCodes); ++i)
        if (kCodes[i].status != static_cast<Status>(i)) return false;
    return std::size(kCodes) == static_cast<std::size_t>(Status::kUnknown) + 1;
}
static_assert(has_each_in_order());

const Row* find(cudaError error) {
    for (const Row& row : kErrors) {
        if (row.code == error) return &row;
    }
    return nullptr;
}

constexpr const char* kUnknown = "unrecognized error code";

const char* error_name(cudaError error) {
    const Row* row = find(error);
    return row != nullptr ? row->name : kUnknown;
}

const char* error_text(cudaError error) {
    const Row* row = find(error);
    return row != nullptr ? row->text : kUnknown;
}

// A <<<...>>> that comes too late goes no further than its configuration.
bool is_launch(std::string_view call) {
    return failure().launched_from != nullptr || call == "__cudaPushCallConfiguration";
}

// Whether the user is told in another way: what is not supported, code that does not load and a device that cannot be
// had are reported where they are found, and a fault is the reason for all that fails behind it. That memory cannot be
// freed when the program has ended does no harm, but a kernel that an exit handler launches may be missed.
bool is_told_elsewhere(Runtime& runtime, Status status, std::string_view call) {
    switch (status) {
        case Status::kNotSupported:
        case Status::kNoImage:
        case Status::kInvalidPtx:
        case Status::kNotInitialized: return true;
        case Status::kUnloading: return !is_launch(call) || !runtime.is_ending_thread();
        case Status::kOutOfMemory: return runtime.has_session() && runtime.session().options().memory_limit != 0;
        default: return status == runtime.poisoned();
    }
}

std::string reason_for(Status status) {
    if (!failure().reason.empty()) return failure().reason;
    if (status == Status::kUnloading)
        return "the program has ended: the device is gone when its exit handlers and static objects run";
    const cudaError error = error_of(status);
    if (error == cudaErrorInvalidResourceHandle) return "the stream or event was never made, or is destroyed already";
    return error_text(error);
}

void note(Status status, const char* name) {
    Runtime& runtime = Runtime::get();
    if (is_told_elsewhere(runtime, status, name)) return;
    if (failure().hazard && is_checked(runtime, Check::kMemory))
        note_hazard(runtime, *failure().hazard, std::string(name) + ": " + reason_for(status));
    FailedCall failed;
    failed.call = is_launch(name) ? "launch" : name;
    failed.error = error_name(error_of(status));
    failed.reason = reason_for(status);
    failed.kernel = failure().kernel;
    runtime.failed_calls().add(std::move(failed), failure().launched_from != nullptr
                                                      ? HostPlace::at(failure().launched_from)
                                                      : HostPlace::caller());
}

// What the calls so far have shown.
void tell_hazards() noexcept {
    try {
        Runtime& runtime = Runtime::get();
        if (runtime.has_session() && !runtime.is_unloading()) runtime.session().tell_call_hazards();
    } catch (const std::exception&) {
        // For want of memory: it is told at the next call.
    }
}

}  // namespace

cudaError error_of(Status status) noexcept {
    // From CUDA 13 on a wrong shape is an invalid value like any other, and an address that is no stub is taken for a
    // kernel handle (seen on an H200).
    if (runtime_version() >= 13000 && status == Status::kInvalidShape) return cudaErrorInvalidValue;
    if (runtime_version() >= 13000 && status == Status::kStrayFunction) return cudaErrorInvalidResourceHandle;
    return kCodes[static_cast<std::size_t>(status)].code;
}

cudaError record(Status status, const char* name) noexcept {
    tell_hazards();
    if (status == Status::kOk) return cudaSuccess;
    const cudaError error = error_of(status);
    last_error = error;
    try {
        note(status, name);
    } catch (const std::exception&) {
        // The error itself stays; only the note of it is lost, for want of memory.
    }
    return error;
}

TILESCOPE_API cudaError cudaPeekAtLastError() {
    if (last_error != cudaSuccess) Runtime::get().failed_calls().read();
    return last_error;
}

TILESCOPE_API cudaError cudaGetLastError() {
    const cudaError error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

TILESCOPE_API const char* cudaGetErrorName(cudaError error) { return error_name(error); }

TILESCOPE_API const char* cudaGetErrorString(cudaError error) { return error_text(error); }

}  // namespace tilescope::runtime
