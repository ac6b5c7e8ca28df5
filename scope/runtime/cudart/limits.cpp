// Limits and cache preferences of the device.
#include <atomic>

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/limits.h"

namespace tilescope::runtime {
namespace {

// Kept and given back.
std::atomic<cudaFuncCache> cache_config{cudaFuncCachePreferNone};

}  // namespace

TILESCOPE_API cudaError cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    return on_device([&](Runtime& runtime) { return runtime.limits().set(runtime, static_cast<Limit>(limit), value); });
}

TILESCOPE_API cudaError cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    return on_device([&](Runtime& runtime) {
        return value == nullptr ? Status::kInvalidValue
                                : runtime.limits().get(runtime, static_cast<Limit>(limit), *value);
    });
}

TILESCOPE_API cudaError cudaDeviceSetCacheConfig(cudaFuncCache config) {
    return on_device([&](Runtime&) {
        if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return Status::kInvalidValue;
        cache_config = config;
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    return on_device([&](Runtime&) {
        if (config == nullptr) return Status::kInvalidValue;
        *config = cache_config;
        return Status::kOk;
    });
}

// Banks are 4 bytes wide on every device since compute capability 5.0; asking for others changes nothing.
TILESCOPE_API cudaError cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
    return on_device([&](Runtime&) {
        const bool known = config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
        return known ? Status::kOk : Status::kInvalidValue;
    });
}

TILESCOPE_API cudaError cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return on_device([&](Runtime&) {
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
