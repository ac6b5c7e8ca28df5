// cudaMalloc and its kin: device, pitched and managed memory, and what a pointer is.
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/pointer_attributes.h"
#include "scope/runtime/service/memory/allocate.h"

namespace tilescope::runtime {

TILESCOPE_API cudaError cudaMalloc(void** pointer, std::size_t bytes) {
    return on_device([&](Runtime& runtime) {
        return pointer == nullptr ? Status::kInvalidValue : allocate_device(runtime, bytes, *pointer);
    });
}

TILESCOPE_API cudaError cudaFree(void* pointer) {
    return on_device([&](Runtime& runtime) { return release_device(runtime, pointer); });
}

TILESCOPE_API cudaError cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
    return on_device([&](Runtime& runtime) {
        constexpr unsigned kAttachGlobal = 1, kAttachHost = 2;
        if (pointer == nullptr || (flags != kAttachGlobal && flags != kAttachHost)) return Status::kInvalidValue;
        return allocate_managed(runtime, bytes, *pointer);
    });
}

TILESCOPE_API cudaError cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    return on_device([&](Runtime& runtime) {
        if (pointer == nullptr || pitch == nullptr) return Status::kInvalidValue;
        return allocate_rows(runtime, width, height, *pointer, *pitch);
    });
}

TILESCOPE_API cudaError cudaMalloc3D(abi::PitchedPointer* volume, abi::Extent extent) {
    return on_device([&](Runtime& runtime) {
        std::size_t rows = 0;
        if (volume == nullptr || __builtin_mul_overflow(extent.height, extent.depth, &rows))
            return Status::kInvalidValue;
        const Status status = allocate_rows(runtime, extent.width, rows, volume->ptr, volume->pitch);
        volume->xsize = extent.width;
        volume->ysize = extent.height;
        return status;
    });
}

TILESCOPE_API cudaError cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
    return on_device([&](Runtime& runtime) {
        const MemoryLeft left = memory_left(runtime);
        if (free_bytes != nullptr) *free_bytes = left.free;
        if (total_bytes != nullptr) *total_bytes = left.total;
        return Status::kOk;
    });
}

abi::PointerAttributes pointer_attributes(Runtime& runtime, const void* pointer) {
    constexpr int kNoDevice = -2;
    const MemoryType type = type_of_memory(runtime, pointer);
    void* const same = const_cast<void*>(pointer);
    abi::PointerAttributes out{};
    out.device = type == MemoryType::kUnknown ? kNoDevice : 0;
    out.device_pointer = type == MemoryType::kUnknown ? nullptr : same;
    out.host_pointer = type == MemoryType::kDevice ? nullptr : same;
    switch (type) {
        case MemoryType::kUnknown: out.type = cudaMemoryTypeUnregistered; break;
        case MemoryType::kHost: out.type = cudaMemoryTypeHost; break;
        case MemoryType::kDevice: out.type = cudaMemoryTypeDevice; break;
        case MemoryType::kManaged: out.type = cudaMemoryTypeManaged; break;
    }
    return out;
}

}  // namespace tilescope::runtime
