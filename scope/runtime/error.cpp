// The error state of a host thread, and what errors are called.
#include <string_view>

#include "scope/runtime/failed_calls.h"
#include "scope/runtime/guard.h"
#include "scope/runtime/host_hazards.h"
#include "scope/runtime/thread_own.h"

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
#include "scope/runtime/error_table.inc"
#undef TILESCOPE_ERROR
};

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
bool is_told_elsewhere(Runtime& runtime, cudaError error, std::string_view call) {
    switch (error) {
        case cudaErrorNotSupported:
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorInvalidPtx:
        case cudaErrorInitializationError: return true;
        case cudaErrorCudartUnloading: return !is_launch(call) || !runtime.is_ending_thread();
        case cudaErrorMemoryAllocation: return runtime.has_session() && runtime.session().options().memory_limit != 0;
        default: return error == runtime.poisoned();
    }
}

std::string reason_for(cudaError error) {
    if (!failure().reason.empty()) return failure().reason;
    if (error == cudaErrorCudartUnloading)
        return "the program has ended: the device is gone when its exit handlers and static objects run";
    if (error == cudaErrorInvalidResourceHandle) return "the stream or event was never made, or is destroyed already";
    return error_text(error);
}

void note(cudaError error, const char* name) {
    Runtime& runtime = Runtime::get();
    if (is_told_elsewhere(runtime, error, name)) return;
    if (failure().hazard && is_checked(runtime, Check::kMemory))
        note_hazard(runtime, *failure().hazard, std::string(name) + ": " + reason_for(error));
    FailedCall failed;
    failed.call = is_launch(name) ? "launch" : name;
    failed.error = error_name(error);
    failed.reason = reason_for(error);
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

const void*& called_from() noexcept {
    static thread_local const void* address = nullptr;
    return address;
}

bool& is_in_host_function() noexcept {
    static thread_local bool is_inside = false;
    return is_inside;
}

Failure& failure() noexcept { return of_this_thread<Failure>(); }

cudaError because(cudaError error, std::string reason) {
    failure().reason = std::move(reason);
    return error;
}

cudaError record(cudaError error, const char* name) noexcept {
    tell_hazards();
    if (error == cudaSuccess) return error;
    last_error = error;
    try {
        note(error, name);
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
