// Pinned host memory: cudaMallocHost, cudaHostRegister and what they say of a pointer.
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/memory/pinned.h"

namespace tilescope::runtime {

TILESCOPE_API cudaError cudaMallocHost(void** pointer, std::size_t bytes) {
    return on_device([&](Runtime& runtime) {
        return pointer == nullptr ? Status::kInvalidValue : allocate_pinned(runtime, bytes, 0, *pointer);
    });
}

TILESCOPE_API cudaError cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
    return on_device([&](Runtime& runtime) {
        return pointer == nullptr ? Status::kInvalidValue : allocate_pinned(runtime, bytes, flags, *pointer);
    });
}

TILESCOPE_API cudaError cudaFreeHost(void* pointer) {
    return on_device([&](Runtime& runtime) { return release_pinned(runtime, pointer); });
}

TILESCOPE_API cudaError cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
    return on_device([&](Runtime& runtime) { return register_memory(runtime, pointer, bytes, flags); });
}

TILESCOPE_API cudaError cudaHostUnregister(void* pointer) {
    return on_device([&](Runtime& runtime) { return unregister_memory(runtime, pointer); });
}

TILESCOPE_API cudaError cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
    return on_device([&](Runtime& runtime) {
        if (device == nullptr || flags != 0 || !is_host_memory(runtime, host)) return Status::kInvalidValue;
        *device = host;
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaHostGetFlags(unsigned* flags, void* host) {
    return on_device([&](Runtime& runtime) {
        const auto known = flags_of_host_memory(runtime, host);
        if (flags == nullptr || !known) return Status::kInvalidValue;
        *flags = *known;
        return Status::kOk;
    });
}

}  // namespace tilescope::runtime
