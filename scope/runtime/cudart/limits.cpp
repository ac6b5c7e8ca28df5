// Limits and cache preferences of the device. They are kept and given back. Those of the stack, the heap, the buffer of
// printf and what of L2 may persist are the session's, too.
#include <algorithm>
#include <array>
#include <mutex>

#include "scope/runtime/cudart/attributes.h"
#include "scope/runtime/cudart/guard.h"

namespace tilescope::runtime {
namespace {

// By cudaLimit; the defaults are those of an H200 (CUDA 13.0), but for what of L2 may persist, which is the device's.
// 0: the device has no such limit.
constexpr std::array<std::size_t, 7> kDefaults = {1024, kDefaultPrintBytes, 8388608, 0, 2048, 64, 11796480};

// A smaller buffer for printf is not to be had (an H100, driver 580).
constexpr std::size_t kLeastPrintBytes = 524288;

struct Settings {
    std::mutex mutex;
    std::array<std::size_t, kDefaults.size()> limits = kDefaults;
    bool has_set_persisting = false;
    cudaFuncCache cache = cudaFuncCachePreferNone;
};

Settings& settings() {
    static Settings* const kept = new Settings;
    return *kept;
}

// The most local memory that a thread can have (CUDA C++ Programming Guide, technical specifications).
constexpr std::size_t kMaxStack = 512 * 1024;

Status check_limit(cudaLimit limit) {
    if (limit < 0 || static_cast<std::size_t>(limit) >= kDefaults.size()) return Status::kInvalidValue;
    return kDefaults[limit] == 0 ? Status::kUnsupportedLimit : Status::kOk;
}

// Whole ways of L2.
std::size_t persisting_by_default(const models::Device& device) {
    return device.caches.l2_ways == 0 ? 0 : device.l2_bytes / device.caches.l2_ways * device.caches.l2_last_ways;
}

}  // namespace

std::optional<std::uint64_t> persisting_limit() {
    const std::lock_guard lock(settings().mutex);
    if (!settings().has_set_persisting) return std::nullopt;
    return settings().limits[cudaLimitPersistingL2CacheSize];
}

TILESCOPE_API cudaError cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    return on_device([&](Runtime& runtime) {
        Status status = check_limit(limit);
        if (status == Status::kOk && limit == cudaLimitMallocHeapSize &&
            !runtime.session().memory().heap().set_size(value))
            status = Status::kInvalidValue;  // it is in use
        if (status == Status::kOk && limit == cudaLimitStackSize) {
            if (value > kMaxStack) return Status::kInvalidValue;
            runtime.session().set_stack_limit(value);
        }
        if (status == Status::kOk && limit == cudaLimitPrintfFifoSize) {
            value = std::max(value, kLeastPrintBytes);
            runtime.session().set_print_bytes(value);
        }
        const std::lock_guard lock(settings().mutex);
        if (status == Status::kOk) settings().limits[limit] = value;
        if (status == Status::kOk && limit == cudaLimitPersistingL2CacheSize) settings().has_set_persisting = true;
        return status;
    });
}

TILESCOPE_API cudaError cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    return on_device([&](Runtime& runtime) {
        const Status status = value == nullptr ? Status::kInvalidValue : check_limit(limit);
        const std::lock_guard lock(settings().mutex);
        if (status != Status::kOk) return status;
        *value = settings().limits[limit];
        if (limit == cudaLimitPersistingL2CacheSize && !settings().has_set_persisting)
            *value = persisting_by_default(runtime.session().device());
        return status;
    });
}

TILESCOPE_API cudaError cudaDeviceSetCacheConfig(cudaFuncCache config) {
    return on_device([&](Runtime&) -> Status {
        if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return Status::kInvalidValue;
        const std::lock_guard lock(settings().mutex);
        settings().cache = config;
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    return on_device([&](Runtime&) -> Status {
        if (config == nullptr) return Status::kInvalidValue;
        const std::lock_guard lock(settings().mutex);
        *config = settings().cache;
        return Status::kOk;
    });
}

// Banks are 4 bytes wide on every device since compute capability 5.0; asking for others changes nothing.
TILESCOPE_API cudaError cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
    return on_device([&](Runtime&) -> Status {
        const bool known = config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
        return known ? Status::kOk : Status::kInvalidValue;
    });
}

TILESCOPE_API cudaError cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return on_device([&](Runtime&) -> Status {
        if (config == nullptr) return Status::kInvalidValue;
        *config = cudaSharedMemBankSizeFourByte;
        return Status::kOk;
    });
}

TILESCOPE_ALIAS(cudaThreadSetLimit, cudaDeviceSetLimit);
TILESCOPE_ALIAS(cudaThreadGetLimit, cudaDeviceGetLimit);
TILESCOPE_ALIAS(cudaThreadSetCacheConfig, cudaDeviceSetCacheConfig);
TILESCOPE_ALIAS(cudaThreadGetCacheConfig, cudaDeviceGetCacheConfig);

}  // namespace tilescope::runtime
