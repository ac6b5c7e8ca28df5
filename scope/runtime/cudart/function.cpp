// What programs ask and set about a kernel.
#include <cstring>

#include "scope/runtime/cudart/function_attributes.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/launch/kernels.h"
#include "scope/session/kernel_limits.h"

namespace tilescope::runtime {

Status find_kernel(Runtime& runtime, const void* function, Function*& record, KernelId& kernel) {
    const Status status = runtime.registry().find(runtime, function, record, kernel);
    const bool stray = function != nullptr && record == nullptr;
    if (status != Status::kInvalidFunction) return status;
    return because(stray ? Status::kStrayFunction : status,
                   function == nullptr ? "the kernel is a null pointer" : "this address is no kernel of the program");
}

std::uint64_t max_dynamic_shared(const models::Device& device, const KernelInfo& info, const Function& function) {
    const int raised = function.max_dynamic_shared.load(std::memory_order_relaxed);
    if (raised >= 0) return static_cast<std::uint64_t>(raised);
    const std::uint64_t most = device.shared_bytes_per_block;
    return most > info.static_shared_bytes ? most - info.static_shared_bytes : 0;
}

Status function_attributes(Runtime& runtime, const void* function, abi::FunctionAttributes& out) {
    Function* record = nullptr;
    KernelId kernel = 0;
    if (const Status status = find_kernel(runtime, function, record, kernel); status != Status::kOk) return status;
    const KernelInfo& info = runtime.session().kernel_info(kernel);
    out = {};
    out.shared_size = info.static_shared_bytes;
    out.const_size = info.constant_bytes;
    out.local_size = info.local_bytes;
    out.max_threads_per_block = static_cast<int>(max_threads_of(runtime.session().device(), info));
    out.num_regs = static_cast<int>(info.registers);
    out.ptx_version = static_cast<int>(info.ptx_version);
    out.binary_version = static_cast<int>(info.binary_version);
    out.max_dynamic_shared_size = static_cast<int>(max_dynamic_shared(runtime.session().device(), info, *record));
    out.preferred_carveout = record->carveout.load(std::memory_order_relaxed);
    return Status::kOk;
}

namespace {

Status set_attribute(Runtime& runtime, const void* function, cudaFuncAttribute attribute, int value) {
    Function* record = nullptr;
    KernelId kernel = 0;
    if (const Status status = find_kernel(runtime, function, record, kernel); status != Status::kOk) return status;
    const KernelInfo& info = runtime.session().kernel_info(kernel);
    const std::uint64_t most = runtime.session().device().shared_bytes_per_block_optin;
    switch (attribute) {
        case cudaFuncAttributeMaxDynamicSharedMemorySize:
            if (value < 0 || static_cast<std::uint64_t>(value) + info.static_shared_bytes > most)
                return Status::kInvalidValue;
            record->max_dynamic_shared = value;
            return Status::kOk;
        case cudaFuncAttributePreferredSharedMemoryCarveout:
            if (value < -1 || value > 100) return Status::kInvalidValue;
            record->carveout = value;
            return Status::kOk;
        case cudaFuncAttributeNonPortableClusterSizeAllowed:
        case cudaFuncAttributeClusterSchedulingPolicyPreference:
            return Status::kOk;  // matter to clusters alone, and those cannot be launched
        case cudaFuncAttributeClusterDimMustBeSet:
        case cudaFuncAttributeRequiredClusterWidth:
        case cudaFuncAttributeRequiredClusterHeight:
        case cudaFuncAttributeRequiredClusterDepth:
            runtime.warn_once("runtime-unsupported-attribute", "thread block clusters are not supported yet");
            return Status::kNotSupported;
        default: return Status::kInvalidValue;
    }
}

// A handle needs no loading, so a kernel whose module cannot be loaded fails when it is launched.
Status get_kernel(Runtime& runtime, const void** kernel, const void* function) {
    if (kernel == nullptr) return Status::kInvalidValue;
    *kernel = runtime.registry().record(function);
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
    return on_device([&](Runtime& runtime) -> Status {
        Function* record = nullptr;
        KernelId kernel = 0;
        if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return Status::kInvalidValue;
        return find_kernel(runtime, function, record, kernel);
    });
}

TILESCOPE_API cudaError cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config) {
    return on_device([&](Runtime& runtime) -> Status {
        Function* record = nullptr;
        KernelId kernel = 0;
        if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte)
            return Status::kInvalidValue;
        return find_kernel(runtime, function, record, kernel);
    });
}

TILESCOPE_API cudaError cudaFuncGetName(const char** name, const void* function) {
    return on_device([&](Runtime& runtime) -> Status {
        if (name == nullptr) return Status::kInvalidValue;
        const Function* record = runtime.registry().record(function);
        if (record == nullptr) return Status::kInvalidFunction;
        *name = record->entry.c_str();
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                             std::size_t* size) {
    return on_device([&](Runtime& runtime) -> Status {
        Function* record = nullptr;
        KernelId kernel = 0;
        if (offset == nullptr) return Status::kInvalidValue;
        if (const Status status = find_kernel(runtime, function, record, kernel); status != Status::kOk) return status;
        const KernelInfo& info = runtime.session().kernel_info(kernel);
        if (index >= info.parameters.size()) return Status::kInvalidValue;
        *offset = info.parameters[index].offset;
        if (size != nullptr) *size = info.parameters[index].size;
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
