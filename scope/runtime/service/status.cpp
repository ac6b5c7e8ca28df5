#include "scope/runtime/service/status.h"

#include <atomic>
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

bool& runtime_made_current() noexcept {
    static thread_local bool is_current = false;
    return is_current;
}

namespace {
std::atomic<bool> runtime_called{false};
}

bool has_called_runtime() noexcept { return runtime_called.load(std::memory_order_relaxed); }

void note_runtime_call() noexcept {
    runtime_made_current() = true;
    if (!has_called_runtime()) runtime_called = true;
}

}  // namespace tilescope::runtime
