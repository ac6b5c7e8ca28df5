// How every CUDA call begins and ends: no exception leaves it, and what it returns becomes the thread's last error.
#pragma once

#include <new>

#include "scope/runtime/runtime.h"

namespace tilescope::runtime {

// Makes `error` the calling thread's last error, unless it is cudaSuccess; gives it back.
cudaError record(cudaError error) noexcept;

// For calls that need no device.
template <class Body>
cudaError call(Body&& body) noexcept {
    cudaError error = cudaErrorUnknown;
    try {
        error = body();
    } catch (const std::bad_alloc&) {
        error = cudaErrorMemoryAllocation;
    } catch (...) {
        error = cudaErrorUnknown;
    }
    return record(error);
}

// For calls that touch the device: body(Runtime&), with a session, and only when no kernel has faulted before.
template <class Body>
cudaError on_device(Body&& body) noexcept {
    return call([&]() -> cudaError {
        Runtime& runtime = Runtime::get();
        if (const cudaError error = runtime.enter(); error != cudaSuccess) return error;
        return body(runtime);
    });
}

// For calls that only ask about the device, which answer after a fault, too.
template <class Body>
cudaError ask_device(Body&& body) noexcept {
    return call([&]() -> cudaError {
        Runtime& runtime = Runtime::get();
        if (const cudaError error = runtime.enter_to_ask(); error != cudaSuccess) return error;
        return body(runtime);
    });
}

}  // namespace tilescope::runtime
