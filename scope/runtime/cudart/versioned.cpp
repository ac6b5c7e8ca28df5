// The calls whose layouts or meaning differ between CUDA 11, 12 and 13; built once for each library.
#include "scope/runtime/cudart/versioned.h"
#include "scope/runtime/cudart/per_thread.h"

#include <cstring>

#include "scope/runtime/cudart/device_attributes.h"
#include "scope/runtime/cudart/function_attributes.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/hints.h"
#include "scope/runtime/cudart/pointer_attributes.h"

#if TILESCOPE_CUDART != 11 && TILESCOPE_CUDART != 12 && TILESCOPE_CUDART != 13
#error "TILESCOPE_CUDART says which release's library this is"
#endif

namespace tilescope::runtime {
namespace {

template <class Layout>
cudaError give_properties(void* out, std::size_t bytes, int device, const char* name = __builtin_FUNCTION()) {
    return ask_device(
        [&](Runtime& runtime) -> Status {
            if (out == nullptr) return Status::kInvalidValue;
            if (device != 0) return Status::kInvalidDevice;
            Layout properties;
            fill_properties(runtime.session().device(), properties);
            std::memcpy(out, &properties, bytes);
            return Status::kOk;
        },
        name);
}

}  // namespace

#if TILESCOPE_CUDART == 11
int runtime_version() { return 11080; }
#elif TILESCOPE_CUDART == 12
int runtime_version() { return 12080; }
#else
int runtime_version() { return 13000; }
#endif

// CUDA 12 kept the old name for programs built with CUDA 11 and gave its own layout a new one.
TILESCOPE_API cudaError cudaGetDeviceProperties(void* properties, int device) {
#if TILESCOPE_CUDART == 13
    return give_properties<abi::DeviceProperties13>(properties, sizeof(abi::DeviceProperties13), device);
#else
    return give_properties<cudaDeviceProp>(properties, abi::kDeviceProperties11, device);
#endif
}

TILESCOPE_API cudaError cudaGetDeviceProperties_v2(void* properties, int device) {
    return give_properties<cudaDeviceProp>(properties, sizeof(cudaDeviceProp), device);
}

TILESCOPE_API cudaError cudaFuncGetAttributes(void* attributes, const void* function) {
    return on_device([&](Runtime& runtime) -> Status {
        if (attributes == nullptr) return Status::kInvalidValue;
        abi::FunctionAttributes whole;
        if (const Status status = function_attributes(runtime, function, whole); status != Status::kOk) return status;
        std::memcpy(attributes, &whole, TILESCOPE_CUDART == 11 ? abi::kFunctionAttributes11 : sizeof(whole));
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaPointerGetAttributes(void* attributes, const void* pointer) {
    return on_device([&](Runtime& runtime) -> Status {
        if (attributes == nullptr) return Status::kInvalidValue;
        const abi::PointerAttributes whole = pointer_attributes(runtime, pointer);
        std::memcpy(attributes, &whole, TILESCOPE_CUDART == 13 ? sizeof(whole) : abi::kPointerAttributes12);
        return Status::kOk;
    });
}

#if TILESCOPE_CUDART == 13
TILESCOPE_API cudaError cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, abi::MemLocation to,
                                             unsigned flags, void* stream) {
    return prefetch(pointer, bytes, to, flags, stream);
}
TILESCOPE_API cudaError cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                                      abi::MemLocation to) {
    return advise(pointer, bytes, advice, to);
}
#else
TILESCOPE_API cudaError cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device, void* stream) {
    return prefetch(pointer, bytes, location_of(device), 0, stream);
}
TILESCOPE_API cudaError cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device) {
    return advise(pointer, bytes, advice, location_of(device));
}
#endif

TILESCOPE_API cudaError cudaMemPrefetchAsync_v2(const void* pointer, std::size_t bytes, abi::MemLocation to,
                                                unsigned flags, void* stream) {
    return prefetch(pointer, bytes, to, flags, stream);
}
TILESCOPE_API cudaError cudaMemAdvise_v2(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                                         abi::MemLocation to) {
    return advise(pointer, bytes, advice, to);
}

TILESCOPE_PER_THREAD(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync);
TILESCOPE_PER_THREAD(cudaMemPrefetchAsync_v2_ptsz, cudaMemPrefetchAsync_v2);

}  // namespace tilescope::runtime
