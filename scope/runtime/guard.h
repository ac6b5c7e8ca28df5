// How every CUDA call begins and ends: no exception leaves it, what it returns becomes the thread's last error, and a
// failure is noted with the name of the call, which is that of the function around call(), on_device() or ask_device().
#pragma once

#include <new>
#include <optional>
#include <string>

#include "scope/runtime/host_watch.h"
#include "scope/runtime/per_thread.h"
#include "scope/runtime/runtime.h"

namespace tilescope::runtime {

// What the call under way on this thread knows of its failure beside the error.
struct Failure {
    std::string reason;                   // in words; empty: as the error's own text has it
    std::string kernel;                   // of a launch
    std::optional<HazardKind> hazard;     // what --check memory calls it
    const void* launched_from = nullptr;  // return address behind kernel<<<...>>>, whose error no caller sees
};
Failure& failure() noexcept;
// Gives `error` back, and says why.
cudaError because(cudaError error, std::string reason);

// Makes `error` the calling thread's last error, unless it is cudaSuccess, and notes it; gives it back.
cudaError record(cudaError error, const char* name = __builtin_FUNCTION()) noexcept;

// The address behind the call under way on this thread, in whoever called; null: not known.
const void*& called_from() noexcept;

// Whether this thread is in a function of the host that a stream or a graph calls.
bool& is_in_host_function() noexcept;

// For calls that need no device. When the program has ended nothing is done any more.
template <class Body>
cudaError call(Body&& body, const char* name = __builtin_FUNCTION(),
               const void* from = __builtin_return_address(0)) noexcept {
    failure() = {};
    called_from() = PerThreadDefault::caller(from);
    if (Runtime::get().is_unloading()) return record(cudaErrorCudartUnloading, name);
    const HostWatch::Pause pause;
    cudaError error = cudaErrorUnknown;
    try {
        error = body();
    } catch (const std::bad_alloc&) {
        error = cudaErrorMemoryAllocation;
    } catch (...) {
        error = cudaErrorUnknown;
    }
    return record(error, name);
}

// For calls that touch the device: body(Runtime&), with a session, and only when no kernel has faulted before
// and not from a function that a stream calls.
template <class Body>
cudaError on_device(Body&& body, const char* name = __builtin_FUNCTION(),
                    const void* from = __builtin_return_address(0)) noexcept {
    return call(
        [&]() -> cudaError {
            if (is_in_host_function())
                return because(cudaErrorNotPermitted, "a function that a stream or a graph calls may not call CUDA");
            Runtime& runtime = Runtime::get();
            if (const cudaError error = runtime.enter(); error != cudaSuccess) return error;
            return body(runtime);
        },
        name, from);
}

// For calls that only ask about the device, which answer after a fault, too.
template <class Body>
cudaError ask_device(Body&& body, const char* name = __builtin_FUNCTION()) noexcept {
    return call(
        [&]() -> cudaError {
            Runtime& runtime = Runtime::get();
            if (const cudaError error = runtime.enter_to_ask(); error != cudaSuccess) return error;
            return body(runtime);
        },
        name);
}

}  // namespace tilescope::runtime
