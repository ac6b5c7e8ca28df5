// The error state of a host thread, and what errors are called.
#include <iterator>
#include <string_view>

#include "scope/runtime/cudart/error_text.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/versioned.h"
#include "scope/runtime/service/watch/failures.h"

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
    {Status::kInvalidChannels, cudaErrorInvalidChannelDescriptor},
    {Status::kInvalidFilter, cudaErrorInvalidFilterSetting},
    {Status::kInvalidReading, cudaErrorInvalidNormSetting},
    {Status::kUnsupportedAffinity, cudaErrorUnsupportedExecAffinity},
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
    {Status::kNewerPtx, cudaErrorUnsupportedPtxVersion},
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
    {Status::kNoContext, cudaErrorDeviceUninitialized},
    {Status::kContextGone, cudaErrorContextIsDestroyed},
    {Status::kNotFound, cudaErrorSymbolNotFound},
    {Status::kFileNotFound, cudaErrorFileNotFound},
    {Status::kInvalidImage, cudaErrorInvalidKernelImage},
    {Status::kUnlinkable, cudaErrorInvalidSource},
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

}  // namespace

const char* error_text(cudaError error) noexcept {
    const Row* row = find(error);
    return row != nullptr ? row->text : kUnknown;
}

cudaError error_of(Status status) noexcept {
    // From CUDA 13 on a wrong shape is an invalid value like any other, and an address that is no stub is taken for a
    // kernel handle (seen on an H200).
    if (runtime_version() >= 13000 && status == Status::kInvalidShape) return cudaErrorInvalidValue;
    if (runtime_version() >= 13000 && status == Status::kStrayFunction) return cudaErrorInvalidResourceHandle;
    return kCodes[static_cast<std::size_t>(status)].code;
}

cudaError record(Status status, const char* name) noexcept {
    tell_call_hazards();
    if (status == Status::kOk) return cudaSuccess;
    const cudaError error = error_of(status);
    last_error = error;
    // A <<<...>>> that comes too late goes no further than its configuration.
    const bool is_launch =
        failure().launched_from != nullptr || name == std::string_view("__cudaPushCallConfiguration");
    note_failure(status, is_launch, {name, error_name(error), error_text(error)});
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
