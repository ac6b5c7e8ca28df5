// How every CUDA call begins and ends: no exception leaves it, what it returns becomes the thread's last error, and a
// failure is noted with the name of the call, which is that of the function around call(), on_device() or ask_device().
#pragma once

#include "scope/runtime/cudart/abi.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/call.h"

namespace tilescope::runtime {

// What this release of the runtime says of a status.
cudaError error_of(Status status) noexcept;

// Makes it the calling thread's last error, unless it is kOk, and notes it; gives CUDA's code for it.
cudaError record(Status status, const char* name = __builtin_FUNCTION()) noexcept;

// For calls that need no device. When the program has ended nothing is done any more.
template <class Body>
cudaError call(Body&& body, const char* name = __builtin_FUNCTION(),
               const void* from = __builtin_return_address(0)) noexcept {
    return run_call(
        body, [name](Status status) { return record(status, name); }, from);
}

// For calls that touch the device: body(Runtime&), with a session, and only when no kernel has faulted before
// and not from a function that a stream calls.
template <class Body>
cudaError on_device(Body&& body, const char* name = __builtin_FUNCTION(),
                    const void* from = __builtin_return_address(0)) noexcept {
    note_runtime_call();
    return call([&] { return with_device(body); }, name, from);
}

// For calls that only ask about the device, which answer after a fault, too.
template <class Body>
cudaError ask_device(Body&& body, const char* name = __builtin_FUNCTION()) noexcept {
    note_runtime_call();
    return call([&] { return with_device_to_ask(body); }, name);
}

}  // namespace tilescope::runtime
