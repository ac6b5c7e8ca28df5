#include "scope/runtime/service/limits.h"

#include <algorithm>

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {
namespace {

// By number; those of an H200 (CUDA 13.0), but for what of L2 may persist, which is the device's. 0: the device has no
// such limit.
constexpr std::array<std::size_t, 7> kDefaults = {1024, kDefaultPrintBytes, 8388608, 0, 2048, 64, 11796480};

// A smaller buffer for printf is not to be had (an H100, driver 580).
constexpr std::size_t kLeastPrintBytes = 524288;

// The most local memory that a thread can have (CUDA C++ Programming Guide, technical specifications).
constexpr std::size_t kMaxStack = 512 * 1024;

Status check_limit(Limit limit) {
    const auto number = static_cast<unsigned>(limit);
    if (number >= kDefaults.size()) return Status::kInvalidValue;
    return kDefaults[number] == 0 ? Status::kUnsupportedLimit : Status::kOk;
}

// Whole ways of L2.
std::size_t persisting_by_default(const models::Device& device) {
    return device.caches.l2_ways == 0 ? 0 : device.l2_bytes / device.caches.l2_ways * device.caches.l2_last_ways;
}

}  // namespace

Status Limits::set(Runtime& runtime, Limit limit, std::size_t value) {
    if (const Status status = check_limit(limit); status != Status::kOk) return status;
    switch (limit) {
        case Limit::kHeap:
            if (!runtime.session().memory().heap().set_size(value)) return Status::kInvalidValue;  // it is in use
            break;
        case Limit::kStack:
            if (value > kMaxStack) return Status::kInvalidValue;
            runtime.session().set_stack_limit(value);
            break;
        case Limit::kPrintBuffer:
            value = std::max(value, kLeastPrintBytes);
            runtime.session().set_print_bytes(value);
            break;
        case Limit::kPersistingL2: break;
    }
    const std::lock_guard lock(mutex_);
    set_[static_cast<std::size_t>(limit)] = value;
    return Status::kOk;
}

Status Limits::get(Runtime& runtime, Limit limit, std::size_t& value) {
    if (const Status status = check_limit(limit); status != Status::kOk) return status;
    const auto number = static_cast<std::size_t>(limit);
    const std::lock_guard lock(mutex_);
    value = set_[number]                    ? *set_[number]
            : limit == Limit::kPersistingL2 ? persisting_by_default(runtime.session().device())
                                            : kDefaults[number];
    return Status::kOk;
}

std::optional<std::uint64_t> Limits::persisting() {
    const std::lock_guard lock(mutex_);
    return set_[static_cast<std::size_t>(Limit::kPersistingL2)];
}

}  // namespace tilescope::runtime
