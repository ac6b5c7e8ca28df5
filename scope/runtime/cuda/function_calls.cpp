// What programs ask and set about a kernel, be it a module's function or a library's kernel.
#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/launch/functions.h"

namespace tilescope::runtime::driver {
namespace {

// CUfunction_attribute.
enum FunctionAttribute {
    kMaxThreads = 0,
    kSharedBytes = 1,
    kConstantBytes = 2,
    kLocalBytes = 3,
    kRegisters = 4,
    kPtxVersion = 5,
    kBinaryVersion = 6,
    kCacheMode = 7,
    kMaxDynamicShared = 8,
    kPreferredCarveout = 9,
    kClusterMustBeSet = 10,
    kClusterDepth = 13,
    kNonPortableCluster = 14,
    kClusterPolicy = 15,
};

Status get_attribute(Runtime& runtime, void* function, int which, int* out) {
    if (out == nullptr) return Status::kInvalidValue;
    FunctionFacts facts;
    const Status status = ask_function(runtime, runtime.modules().by_handle(function), facts);
    if (status != Status::kOk) return status;
    switch (which) {
        case kMaxThreads: *out = static_cast<int>(facts.max_threads); break;
        case kSharedBytes: *out = static_cast<int>(facts.info->static_shared_bytes); break;
        case kConstantBytes: *out = static_cast<int>(facts.info->constant_bytes); break;
        case kLocalBytes: *out = static_cast<int>(facts.info->local_bytes); break;
        case kRegisters: *out = static_cast<int>(facts.info->registers); break;
        case kPtxVersion: *out = static_cast<int>(facts.info->ptx_version); break;
        case kBinaryVersion: *out = static_cast<int>(facts.info->binary_version); break;
        case kMaxDynamicShared: *out = static_cast<int>(facts.max_dynamic_shared); break;
        case kPreferredCarveout: *out = facts.carveout; break;
        default:
            if (which < kMaxThreads || which > kClusterPolicy) return Status::kInvalidValue;
            *out = 0;
    }
    return Status::kOk;
}

Status set_attribute(Runtime& runtime, void* function, int which, int value) {
    const FunctionName name = runtime.modules().by_handle(function);
    switch (which) {
        case kMaxDynamicShared: return set_max_dynamic_shared(runtime, name, value);
        case kPreferredCarveout: return set_carveout(runtime, name, value);
        case kNonPortableCluster:
        case kClusterPolicy: return check_function(runtime, name);  // of clusters alone, which cannot be launched
        default: break;
    }
    if (which >= kClusterMustBeSet && which <= kClusterDepth) return refuse_clusters(runtime, name);
    const Status status = check_function(runtime, name);
    return status != Status::kOk ? status : Status::kInvalidValue;
}

// A hint, which changes no count.
Status take_hint(Runtime& runtime, void* function, int hint, int most) {
    if (hint < 0 || hint > most) return Status::kInvalidValue;
    return check_function(runtime, runtime.modules().by_handle(function));
}

Code give_name(const char** out, void* function, const char* name = __builtin_FUNCTION(),
               const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) {
            if (out == nullptr) return Status::kInvalidValue;
            const Function* const known = runtime.modules().first(runtime.modules().by_handle(function));
            if (known == nullptr) return Status::kInvalidFunction;
            *out = known->entry.c_str();
            return Status::kOk;
        },
        name, from);
}

Code give_parameter(void* function, std::size_t index, std::size_t* offset, std::size_t* size,
                    const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) {
            if (offset == nullptr) return Status::kInvalidValue;
            FunctionFacts facts;
            const Status status = ask_function(runtime, runtime.modules().by_handle(function), facts);
            if (status != Status::kOk) return status;
            if (index >= facts.info->parameters.size()) return Status::kInvalidValue;
            *offset = facts.info->parameters[index].offset;
            if (size != nullptr) *size = facts.info->parameters[index].size;
            return Status::kOk;
        },
        name, from);
}

// body(Function&) gives something of a known function to `out`.
template <class Body>
Code give_of(const void* out, void* function, Body&& body, const char* name = __builtin_FUNCTION(),
             const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) {
            if (out == nullptr) return Status::kInvalidValue;
            Function* const known = runtime.modules().first(runtime.modules().by_handle(function));
            if (known == nullptr) return Status::kInvalidFunction;
            body(*known);
            return Status::kOk;
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuFuncGetAttribute(int* value, int which, void* function) {
    return on_context([&](Runtime& runtime) { return get_attribute(runtime, function, which, value); });
}
TILESCOPE_DRIVER Code cuFuncSetAttribute(void* function, int which, int value) {
    return on_context([&](Runtime& runtime) { return set_attribute(runtime, function, which, value); });
}
TILESCOPE_DRIVER Code cuFuncSetCacheConfig(void* function, int config) {
    return on_context([&](Runtime& runtime) { return take_hint(runtime, function, config, 3); });
}
TILESCOPE_DRIVER Code cuFuncSetSharedMemConfig(void* function, int config) {
    return on_context([&](Runtime& runtime) { return take_hint(runtime, function, config, 2); });
}
TILESCOPE_DRIVER Code cuFuncGetName(const char** name, void* function) { return give_name(name, function); }
TILESCOPE_DRIVER Code cuFuncGetParamInfo(void* function, std::size_t index, std::size_t* offset, std::size_t* size) {
    return give_parameter(function, index, offset, size);
}
TILESCOPE_DRIVER Code cuFuncGetModule(void** module, void* function) {
    return give_of(module, function, [&](Function& known) { *module = known.module; });
}
TILESCOPE_DRIVER Code cuFuncIsLoaded(int* state, void* function) {
    return give_of(state, function, [&](Function&) { *state = 1; });
}
TILESCOPE_DRIVER Code cuFuncLoad(void* function) {
    return give_of(&function, function, [](Function&) {});
}

TILESCOPE_DRIVER Code cuKernelGetFunction(void** function, void* kernel) {
    return give_of(function, kernel, [&](Function& known) { *function = &known; });
}
TILESCOPE_DRIVER Code cuKernelGetLibrary(void** library, void* kernel) {
    return give_of(library, kernel, [&](Function& known) { *library = known.module; });
}
TILESCOPE_DRIVER Code cuKernelGetAttribute(int* value, int which, void* kernel, int device) {
    return on_context([&](Runtime& runtime) {
        return device != 0 ? Status::kInvalidDevice : get_attribute(runtime, kernel, which, value);
    });
}
TILESCOPE_DRIVER Code cuKernelSetAttribute(int which, int value, void* kernel, int device) {
    return on_context([&](Runtime& runtime) {
        return device != 0 ? Status::kInvalidDevice : set_attribute(runtime, kernel, which, value);
    });
}
TILESCOPE_DRIVER Code cuKernelSetCacheConfig(void* kernel, int config, int device) {
    return on_context(
        [&](Runtime& runtime) { return device != 0 ? Status::kInvalidDevice : take_hint(runtime, kernel, config, 3); });
}
TILESCOPE_DRIVER Code cuKernelGetName(const char** name, void* kernel) { return give_name(name, kernel); }
TILESCOPE_DRIVER Code cuKernelGetParamInfo(void* kernel, std::size_t index, std::size_t* offset, std::size_t* size) {
    return give_parameter(kernel, index, offset, size);
}

std::span<const Entry> function_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuFuncGetAttribute),   TILESCOPE_THERE(cuFuncSetAttribute),
        TILESCOPE_THERE(cuFuncSetCacheConfig), TILESCOPE_THERE(cuFuncSetSharedMemConfig),
        TILESCOPE_THERE(cuFuncGetName),        TILESCOPE_THERE(cuFuncGetParamInfo),
        TILESCOPE_THERE(cuFuncGetModule),      TILESCOPE_THERE(cuFuncIsLoaded),
        TILESCOPE_THERE(cuFuncLoad),           TILESCOPE_THERE(cuKernelGetFunction),
        TILESCOPE_THERE(cuKernelGetLibrary),   TILESCOPE_THERE(cuKernelGetAttribute),
        TILESCOPE_THERE(cuKernelSetAttribute), TILESCOPE_THERE(cuKernelSetCacheConfig),
        TILESCOPE_THERE(cuKernelGetName),      TILESCOPE_THERE(cuKernelGetParamInfo),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
