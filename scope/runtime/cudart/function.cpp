// What programs ask and set about a kernel.
#include "scope/runtime/cudart/function_attributes.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/registration.h"
#include "scope/runtime/service/launch/functions.h"

namespace tilescope::runtime {

Status function_attributes(Runtime& runtime, const void* function, abi::FunctionAttributes& out) {
    FunctionFacts facts;
    if (const Status status = ask_function(runtime, function_at(function), facts); status != Status::kOk) return status;
    out = {};
    out.shared_size = facts.info->static_shared_bytes;
    out.const_size = facts.info->constant_bytes;
    out.local_size = facts.info->local_bytes;
    out.max_threads_per_block = static_cast<int>(facts.max_threads);
    out.num_regs = static_cast<int>(facts.info->registers);
    out.ptx_version = static_cast<int>(facts.info->ptx_version);
    out.binary_version = static_cast<int>(facts.info->binary_version);
    out.max_dynamic_shared_size = static_cast<int>(facts.max_dynamic_shared);
    out.preferred_carveout = facts.carveout;
    return Status::kOk;
}

namespace {

Status set_attribute(Runtime& runtime, const void* function, cudaFuncAttribute attribute, int value) {
    const FunctionName name = function_at(function);
    switch (attribute) {
        case cudaFuncAttributeMaxDynamicSharedMemorySize: return set_max_dynamic_shared(runtime, name, value);
        case cudaFuncAttributePreferredSharedMemoryCarveout: return set_carveout(runtime, name, value);
        case cudaFuncAttributeNonPortableClusterSizeAllowed:
        case cudaFuncAttributeClusterSchedulingPolicyPreference:
            return check_function(runtime, name);  // matter to clusters alone, and those cannot be launched
        case cudaFuncAttributeClusterDimMustBeSet:
        case cudaFuncAttributeRequiredClusterWidth:
        case cudaFuncAttributeRequiredClusterHeight:
        case cudaFuncAttributeRequiredClusterDepth: return refuse_clusters(runtime, name);
        default: break;
    }
    const Status status = check_function(runtime, name);
    return status != Status::kOk ? status : Status::kInvalidValue;
}

// A handle needs no loading, so a kernel whose module cannot be loaded fails when it is launched.
Status get_kernel(Runtime& runtime, const void** kernel, const void* function) {
    if (kernel == nullptr) return Status::kInvalidValue;
    *kernel = runtime.modules().first(function_at(function));
    return *kernel != nullptr ? Status::kOk : Status::kInvalidFunction;
}

}  // namespace

TILESCOPE_API cudaError cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    return on_device([&](Runtime& runtime) { return set_attribute(runtime, function, attribute, value); });
}

TILESCOPE_API cudaError cudaKernelSetAttributeForDevice(const void* kernel, cudaFuncAttribute attribute, int value,
                                                        int device) {
    return on_device([&](Runtime& runtime) {
        return device != 0 ? Status::kInvalidDevice : set_attribute(runtime, kernel, attribute, value);
    });
}

// Hints about the split between L1 and shared memory: accepted, for they change no count.
TILESCOPE_API cudaError cudaFuncSetCacheConfig(const void* function, cudaFuncCache config) {
    return on_device([&](Runtime& runtime) {
        if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return Status::kInvalidValue;
        return check_function(runtime, function_at(function));
    });
}

TILESCOPE_API cudaError cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config) {
    return on_device([&](Runtime& runtime) {
        if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte)
            return Status::kInvalidValue;
        return check_function(runtime, function_at(function));
    });
}

TILESCOPE_API cudaError cudaFuncGetName(const char** name, const void* function) {
    return on_device([&](Runtime& runtime) {
        if (name == nullptr) return Status::kInvalidValue;
        const Function* const known = runtime.modules().first(function_at(function));
        if (known == nullptr) return Status::kInvalidFunction;
        *name = known->entry.c_str();
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                             std::size_t* size) {
    return on_device([&](Runtime& runtime) {
        FunctionFacts facts;
        if (offset == nullptr) return Status::kInvalidValue;
        if (const Status status = ask_function(runtime, function_at(function), facts); status != Status::kOk)
            return status;
        if (index >= facts.info->parameters.size()) return Status::kInvalidValue;
        *offset = facts.info->parameters[index].offset;
        if (size != nullptr) *size = facts.info->parameters[index].size;
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGetKernel(const void** kernel, const void* function) {
    return on_device([&](Runtime& runtime) { return get_kernel(runtime, kernel, function); });
}

TILESCOPE_API cudaError __cudaGetKernel(const void** kernel, const void* function) {
    return call([&] { return get_kernel(Runtime::get(), kernel, function); });
}

}  // namespace tilescope::runtime
