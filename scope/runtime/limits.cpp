// Limits and cache preferences of the device. They are kept and given back. Those of the stack, the heap, the buffer of
// printf and what of L2 may persist are the session's, too.
#include <algorithm>
#include <array>
#include <mutex>

#include "scope/runtime/attributes.h"
#include "scope/runtime/guard.h"

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

cudaError check_limit(cudaLimit limit) {
    if (limit < 0 || static_cast<std::size_t>(limit) >= kDefaults.size()) return cudaErrorInvalidValue;
    return kDefaults[limit] == 0 ? cudaErrorUnsupportedLimit : cudaSuccess;
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
        cudaError error = check_limit(limit);
        if (error == cudaSuccess && limit == cudaLimitMallocHeapSize &&
            !runtime.session().memory().heap().set_size(value))
            error = cudaErrorInvalidValue;  // it is in use
        if (error == cudaSuccess && limit == cudaLimitStackSize) {
            if (value > kMaxStack) return cudaErrorInvalidValue;
            runtime.session().set_stack_limit(value);
        }
        if (error == cudaSuccess && limit == cudaLimitPrintfFifoSize) {
            value = std::max(value, kLeastPrintBytes);
            runtime.session().set_print_bytes(value);
        }
        const std::lock_guard lock(settings().mutex);
        if (error == cudaSuccess) settings().limits[limit] = value;
        if (error == cudaSuccess && limit == cudaLimitPersistingL2CacheSize) settings().has_set_persisting = true;
        return error;
    });
}

TILESCOPE_API cudaError cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    return on_device([&](Runtime& runtime) {
        const cudaError error = value == nullptr ? cudaErrorInvalidValue : check_limit(limit);
        const std::lock_guard lock(settings().mutex);
        if (error != cudaSuccess) return error;
        *value = settings().limits[limit];
        if (limit == cudaLimitPersistingL2CacheSize && !settings().has_set_persisting)
            *value = persisting_by_default(runtime.session().device());
        return error;
    });
}

TILESCOPE_API cudaError cudaDeviceSetCacheConfig(cudaFuncCache config) {
    return on_device([&](Runtime&) -> cudaError {
        if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
        const std::lock_guard lock(settings().mutex);
        settings().cache = config;
        return cudaSuccess;
    });
}

TILESCOPE_API cudaError cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    return on_device([&](Runtime&) -> cudaError {
        if (config == nullptr) return cudaErrorInvalidValue;
        const std::lock_guard lock(settings().mutex);
        *config = settings().cache;
        return cudaSuccess;
    });
}

// Banks are 4 bytes wide on every device since compute capability 5.0; asking for others changes nothing.
TILESCOPE_API cudaError cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
    return on_device([&](Runtime&) -> cudaError {
        const bool known = config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
        return known ? cudaSuccess : cudaErrorInvalidValue;
    });
}

TILESCOPE_API cudaError cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return on_device([&](Runtime&) -> cudaError {
        if (config == nullptr) return cudaErrorInvalidValue;
        *config = cudaSharedMemBankSizeFourByte;
        return cudaSuccess;
    });
}

TILESCOPE_ALIAS(cudaThreadSetLimit, cudaDeviceSetLimit);
TILESCOPE_ALIAS(cudaThreadGetLimit, cudaDeviceGetLimit);
TILESCOPE_ALIAS(cudaThreadSetCacheConfig, cudaDeviceSetCacheConfig);
TILESCOPE_ALIAS(cudaThreadGetCacheConfig, cudaDeviceGetCacheConfig);

}  // namespace tilescope::runtime
