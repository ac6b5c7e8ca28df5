// How every call of the driver begins and ends, around what is the same for both faces (service/call.h): its codes, and
// that a context is current where the call needs one. A failure is noted with the name of the call, which is that of
// the function around on_context() and its kin.
#pragma once

#include <cstdint>

#include "scope/runtime/cuda/abi.h"
#include "scope/runtime/cuda/contexts.h"
#include "scope/runtime/cuda/table.h"
#include "scope/runtime/service/call.h"

// A function of the driver, which the library libcuda.so.1 finds by its name in the table of its file.
#define TILESCOPE_DRIVER extern "C" __attribute__((visibility("hidden")))

namespace tilescope::runtime::driver {

// What the driver says of a status.
Code code_of(Status status) noexcept;
// Notes what is not kOk; gives the code for it.
Code record(Status status, const char* name = __builtin_FUNCTION()) noexcept;

// For calls that need nothing.
template <class Body>
Code call(Body&& body, const char* name = __builtin_FUNCTION(),
          const void* from = __builtin_return_address(0)) noexcept {
    return run_call(
        body, [name](Status status) { return record(status, name); }, from);
}

// For calls behind cuInit. body(Contexts&).
template <class Body>
Code once_initialised(Body&& body, const char* name = __builtin_FUNCTION(),
                      const void* from = __builtin_return_address(0)) noexcept {
    return call(
        [&]() -> Status {
            Contexts& contexts = Contexts::get();
            if (!contexts.is_initialised()) return because(Status::kNotInitialized, "cuInit was not called before");
            return body(contexts);
        },
        name, from);
}

// For calls that ask about the device, which need no context and are answered after a fault, too. body(Runtime&).
template <class Body>
Code ask_device(Body&& body, const char* name = __builtin_FUNCTION(),
                const void* from = __builtin_return_address(0)) noexcept {
    return once_initialised([&](Contexts&) { return with_device_to_ask(body); }, name, from);
}

// For calls that work in the current context. body(Runtime&).
template <class Body>
Code on_context(Body&& body, const char* name = __builtin_FUNCTION(),
                const void* from = __builtin_return_address(0)) noexcept {
    return once_initialised(
        [&](Contexts& contexts) -> Status {
            const Status status = contexts.check_current();
            return status != Status::kOk ? status : with_device(body);
        },
        name, from);
}

// For calls about a stream or event. One that the program made names its context, so that none has to be current; the
// default streams belong to the current context (seen on an H200, driver 580). body(Runtime&).
template <class Body>
Code on_handle(const void* handle, Body&& body, const char* name = __builtin_FUNCTION(),
               const void* from = __builtin_return_address(0)) noexcept {
    constexpr std::uintptr_t kLastDefault = 2;  // CU_STREAM_PER_THREAD
    return once_initialised(
        [&](Contexts& contexts) -> Status {
            const bool names_context = reinterpret_cast<std::uintptr_t>(handle) > kLastDefault;
            if (names_context && contexts.current() == nullptr) return with_device(body);
            const Status status = contexts.check_current();
            return status != Status::kOk ? status : with_device(body);
        },
        name, from);
}

inline void* pointer_of(Address address) { return reinterpret_cast<void*>(address); }
inline Address address_of(const void* pointer) { return reinterpret_cast<Address>(pointer); }

}  // namespace tilescope::runtime::driver
