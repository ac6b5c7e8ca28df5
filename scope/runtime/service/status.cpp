#include "scope/runtime/service/status.h"

#include <utility>

#include "scope/runtime/service/thread_own.h"

namespace tilescope::runtime {

Failure& failure() noexcept { return of_this_thread<Failure>(); }

Status because(Status status, std::string reason) {
    failure().reason = std::move(reason);
    return status;
}

const void*& called_from() noexcept {
    static thread_local const void* address = nullptr;
    return address;
}

bool& is_in_host_function() noexcept {
    static thread_local bool is_inside = false;
    return is_inside;
}

bool& has_called_runtime() noexcept {
    static thread_local bool has_called = false;
    return has_called;
}

}  // namespace tilescope::runtime
