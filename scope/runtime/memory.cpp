// cudaMalloc and its kin: device, pitched and managed memory, and what a pointer is.
#include <cstring>

#include "scope/runtime/allocate.h"
#include "scope/runtime/guard.h"
#include "scope/runtime/memory_book.h"
#include "scope/runtime/registry.h"
#include "scope/runtime/spans.h"

namespace tilescope::runtime {
namespace {

using machine::AllocationKind;

constexpr std::size_t kPitch = 512;  // what an H200 rounds rows to (CUDA 13.0)

// Rows of `width` bytes padded to the pitch. cudaErrorInvalidValue when the product is no size.
cudaError allocate_rows(Runtime& runtime, std::size_t width, std::size_t rows, void*& base, std::size_t& pitch) {
    std::size_t padded = 0;
    std::size_t bytes = 0;
    if (__builtin_add_overflow(width, kPitch - 1, &padded)) return cudaErrorInvalidValue;
    pitch = padded / kPitch * kPitch;
    if (__builtin_mul_overflow(pitch, rows, &bytes)) return cudaErrorInvalidValue;
    return allocate(runtime, bytes, AllocationKind::kDevice, base);
}

}  // namespace

cudaError allocate(Runtime& runtime, std::size_t bytes, AllocationKind kind, void*& base) {
    base = nullptr;
    if (bytes == 0) return cudaSuccess;
    base = runtime.session().memory().allocate(bytes, kind);
    if (base != nullptr) return cudaSuccess;
    if (const std::uint64_t limit = runtime.session().options().memory_limit; limit != 0) {
        const std::uint64_t used = runtime.session().memory().in_use();
        runtime.session().set_outcome(Outcome::kLimit);
        runtime.session().note(error("runtime-memory-limit", {},
                                     "an allocation of " + std::to_string(bytes) + " bytes beside " +
                                         std::to_string(used) + " in use passes the memory limit of " +
                                         std::to_string(limit)));
        runtime.touch();
    }
    return cudaErrorMemoryAllocation;
}

cudaError release(Runtime& runtime, void* base, bool (*accepts)(AllocationKind)) {
    if (base == nullptr) return cudaSuccess;
    const auto lock = runtime.work();
    machine::Memory& memory = runtime.session().memory();
    const auto allocation = memory.find(reinterpret_cast<std::uint64_t>(base));
    if (!allocation || allocation->base != reinterpret_cast<std::uint64_t>(base) || !accepts(allocation->kind)) {
        return cudaErrorInvalidValue;
    }
    return memory.release(base) ? cudaSuccess : cudaErrorInvalidValue;
}

TILESCOPE_API cudaError cudaMalloc(void** pointer, std::size_t bytes) {
    return on_device([&](Runtime& runtime) -> cudaError {
        if (pointer == nullptr) return cudaErrorInvalidValue;
        return allocate(runtime, bytes, AllocationKind::kDevice, *pointer);
    });
}

TILESCOPE_API cudaError cudaFree(void* pointer) {
    return on_device([&](Runtime& runtime) {
        return release(runtime, pointer, [](AllocationKind kind) {
            return kind == AllocationKind::kDevice || kind == AllocationKind::kManaged;
        });
    });
}

TILESCOPE_API cudaError cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
    return on_device([&](Runtime& runtime) -> cudaError {
        constexpr unsigned kAttachGlobal = 1, kAttachHost = 2;
        if (pointer == nullptr || (flags != kAttachGlobal && flags != kAttachHost)) return cudaErrorInvalidValue;
        return allocate(runtime, bytes, AllocationKind::kManaged, *pointer);
    });
}

TILESCOPE_API cudaError cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    return on_device([&](Runtime& runtime) -> cudaError {
        if (pointer == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
        return allocate_rows(runtime, width, height, *pointer, *pitch);
    });
}

TILESCOPE_API cudaError cudaMalloc3D(abi::PitchedPointer* volume, abi::Extent extent) {
    return on_device([&](Runtime& runtime) -> cudaError {
        std::size_t rows = 0;
        if (volume == nullptr || __builtin_mul_overflow(extent.height, extent.depth, &rows))
            return cudaErrorInvalidValue;
        const cudaError error = allocate_rows(runtime, extent.width, rows, volume->ptr, volume->pitch);
        volume->xsize = extent.width;
        volume->ysize = extent.height;
        return error;
    });
}

TILESCOPE_API cudaError cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
    return on_device([&](Runtime& runtime) -> cudaError {
        const machine::Memory& memory = runtime.session().memory();
        const std::uint64_t total = memory.capacity() != 0 ? memory.capacity() : runtime.session().device().dram_bytes;
        const std::uint64_t used = memory.in_use();
        if (free_bytes != nullptr) *free_bytes = used < total ? total - used : 0;
        if (total_bytes != nullptr) *total_bytes = total;
        return cudaSuccess;
    });
}

// What cudaPointerGetAttributes says, in the layout of CUDA 13; versioned.cpp cuts it to the caller's.
cudaError pointer_attributes(Runtime& runtime, const void* pointer, abi::PointerAttributes& out) {
    constexpr int kNoDevice = -2;
    out = {};
    out.device = kNoDevice;
    const auto allocation = runtime.session().memory().find(reinterpret_cast<std::uint64_t>(pointer));
    void* const same = const_cast<void*>(pointer);
    if (!allocation) {
        out.type = cudaMemoryTypeUnregistered;
        out.host_pointer = same;
        return cudaSuccess;
    }
    out.device = 0;
    out.device_pointer = same;
    switch (allocation->kind) {
        case AllocationKind::kDevice:
        case AllocationKind::kModule:
        case AllocationKind::kConstant: out.type = cudaMemoryTypeDevice; break;
        case AllocationKind::kManaged:
            out.type = cudaMemoryTypeManaged;
            out.host_pointer = same;
            break;
        case AllocationKind::kPinned:
        case AllocationKind::kRegistered:
            out.type = cudaMemoryTypeHost;
            out.host_pointer = same;
            break;
    }
    return cudaSuccess;
}

}  // namespace tilescope::runtime
