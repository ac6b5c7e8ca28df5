// How every call of a face begins and ends, whatever codes it answers with: no exception leaves it, and while it is
// under way this process may touch all memory
// and its floating point is as it was when it began.
#pragma once

#include <exception>
#include <new>

#include "scope/base/plain_arithmetic.h"
#include "scope/runtime/service/runtime.h"
#include "scope/runtime/service/status.h"
#include "scope/runtime/service/streams/default_stream.h"
#include "scope/runtime/service/watch/host_watch.h"

namespace tilescope::runtime {

// What to_error(Status) makes of body(). When the program has ended nothing is done any more. from: return address
// behind the call.
template <class Body, class ToError>
auto run_call(Body&& body, ToError&& to_error, const void* from) noexcept {
    failure() = {};
    called_from() = PerThreadDefault::caller(from);
    if (Runtime::get().is_unloading()) return to_error(Status::kUnloading);
    const HostWatch::Pause pause;
    const PlainArithmetic plain;
    Status status = Status::kUnknown;
    try {
        status = body();
    } catch (const std::bad_alloc&) {
        status = Status::kOutOfMemory;
    } catch (...) {
        status = Status::kUnknown;
    }
    return to_error(status);
}

// Within a call, body(Runtime&) that touches the device: with a session, and only when no kernel has faulted before and
// not from a function that a stream calls.
template <class Body>
Status with_device(Body&& body) {
    if (is_in_host_function())
        return because(Status::kNotPermitted, "a function that a stream or a graph calls may not call CUDA");
    Runtime& runtime = Runtime::get();
    if (const Status status = runtime.enter(); status != Status::kOk) return status;
    return body(runtime);
}

// Likewise one that only asks about the device, which is answered after a fault, too.
template <class Body>
Status with_device_to_ask(Body&& body) {
    Runtime& runtime = Runtime::get();
    if (const Status status = runtime.enter_to_ask(); status != Status::kOk) return status;
    return body(runtime);
}

}  // namespace tilescope::runtime
