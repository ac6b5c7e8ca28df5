// cudaMalloc and its kin: device, pitched and managed memory, and what a pointer is.
#include <algorithm>
#include <cstring>

#include "scope/report/format.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/capture/capture.h"
#include "scope/runtime/service/memory/allocate.h"
#include "scope/runtime/service/memory/memory_book.h"
#include "scope/runtime/service/memory/spans.h"
#include "scope/runtime/service/modules/registry.h"
#include "scope/runtime/service/watch/host_hazards.h"

namespace tilescope::runtime {
namespace {

using machine::AllocationKind;

constexpr std::size_t kPitch = 512;  // what an H200 rounds rows to (CUDA 13.0)

// Rows of `width` bytes padded to the pitch. cudaErrorInvalidValue when the product is no size.
Status allocate_rows(Runtime& runtime, std::size_t width, std::size_t rows, void*& base, std::size_t& pitch) {
    std::size_t padded = 0;
    std::size_t bytes = 0;
    if (__builtin_add_overflow(width, kPitch - 1, &padded)) return Status::kInvalidValue;
    pitch = padded / kPitch * kPitch;
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    if (__builtin_mul_overflow(pitch, rows, &bytes)) return Status::kInvalidValue;
    return allocate(runtime, bytes, AllocationKind::kDevice, base);
}

// What is wrong with a pointer that is to be freed.
std::string why_not_freed(Runtime& runtime, const std::optional<machine::Allocation>& allocation, const void* base) {
    if (allocation && allocation->base != reinterpret_cast<std::uint64_t>(base))
        return "the pointer is inside an allocation, not at its start";
    if (allocation) return "the memory was allocated in another way than by cudaMalloc";
    if (is_checked(runtime, Check::kMemory)) {
        const machine::Place place = runtime.session().memory().classify(reinterpret_cast<std::uint64_t>(base));
        if (place.kind == machine::Place::Kind::kHost)
            return "it is the host program's own memory, which CUDA never gave";
        if (place.kind == machine::Place::Kind::kFreed) {
            const std::string made = origin(runtime, place.allocation->id);
            return "it was freed before: " + report::thousands(place.allocation->size) + " bytes" +
                   (made.empty() ? made : ", " + made);
        }
    }
    return "nothing is allocated there: it was freed before, or never allocated";
}

}  // namespace

Status allocate(Runtime& runtime, std::size_t bytes, AllocationKind kind, void*& base, const machine::Issue& issue) {
    base = nullptr;
    if (bytes == 0) return Status::kOk;
    machine::Memory& memory = runtime.session().memory();
    base = memory.allocate(bytes, kind, issue);
    if (base != nullptr) {
        if (kind == AllocationKind::kDevice || looks_for_leaks(runtime) || is_checked(runtime, Check::kStreams))
            if (const auto made = memory.find(reinterpret_cast<std::uint64_t>(base)))
                runtime.memory_book().note_site(made->id, CallSite::here());
        return Status::kOk;
    }
    if (const machine::MemoryBudget& budget = memory.budget(); !budget.fits(bytes)) {
        runtime.session().set_outcome(Outcome::kLimit);
        runtime.tell({error(kMemoryLimitCode, {}, budget.refusal(bytes, "an allocation"), kMemoryLimitHint)});
    }
    return because(Status::kOutOfMemory, report::thousands(bytes) + " bytes asked for beside " +
                                             report::thousands(runtime.session().memory().in_use()) + " in use; the " +
                                             runtime.session().device().name + " has " +
                                             report::thousands(runtime.session().memory().capacity()));
}

Status release(Runtime& runtime, void* base, bool (*accepts)(AllocationKind), const machine::Issue& issue) {
    if (base == nullptr) return Status::kOk;
    const auto lock = runtime.work();
    machine::Memory& memory = runtime.session().memory();
    const auto allocation = memory.find(reinterpret_cast<std::uint64_t>(base));
    if (!allocation || allocation->base != reinterpret_cast<std::uint64_t>(base) || !accepts(allocation->kind)) {
        failure().hazard = HazardKind::kInvalidFree;
        return because(Status::kInvalidValue, why_not_freed(runtime, allocation, base));
    }
    if (allocation->kind == AllocationKind::kDevice || is_checked(runtime, Check::kMemory))
        runtime.memory_book().note_freed(allocation->id, CallSite::here());
    return memory.release(base, issue) ? Status::kOk : Status::kInvalidValue;
}

TILESCOPE_API cudaError cudaMalloc(void** pointer, std::size_t bytes) {
    return on_device([&](Runtime& runtime) -> Status {
        if (pointer == nullptr) return Status::kInvalidValue;
        if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
        return allocate(runtime, bytes, AllocationKind::kDevice, *pointer);
    });
}

TILESCOPE_API cudaError cudaFree(void* pointer) {
    return on_device([&](Runtime& runtime) {
        if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
        return release(runtime, pointer, [](AllocationKind kind) {
            return kind == AllocationKind::kDevice || kind == AllocationKind::kManaged;
        });
    });
}

TILESCOPE_API cudaError cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
    return on_device([&](Runtime& runtime) -> Status {
        constexpr unsigned kAttachGlobal = 1, kAttachHost = 2;
        if (pointer == nullptr || (flags != kAttachGlobal && flags != kAttachHost)) return Status::kInvalidValue;
        if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
        return allocate(runtime, bytes, AllocationKind::kManaged, *pointer);
    });
}

TILESCOPE_API cudaError cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    return on_device([&](Runtime& runtime) -> Status {
        if (pointer == nullptr || pitch == nullptr) return Status::kInvalidValue;
        return allocate_rows(runtime, width, height, *pointer, *pitch);
    });
}

TILESCOPE_API cudaError cudaMalloc3D(abi::PitchedPointer* volume, abi::Extent extent) {
    return on_device([&](Runtime& runtime) -> Status {
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
    return on_device([&](Runtime& runtime) -> Status {
        const machine::Memory& memory = runtime.session().memory();
        const machine::MemoryBudget& budget = memory.budget();
        const std::uint64_t total = memory.capacity();
        const std::uint64_t used = memory.in_use();
        std::uint64_t free = used < total ? total - used : 0;
        if (budget.limit() != 0) free = std::min(free, budget.limit() - std::min(budget.limit(), budget.used()));
        if (free_bytes != nullptr) *free_bytes = free;
        if (total_bytes != nullptr) *total_bytes = total;
        return Status::kOk;
    });
}

// What cudaPointerGetAttributes says, in the layout of CUDA 13; versioned.cpp cuts it to the caller's.
Status pointer_attributes(Runtime& runtime, const void* pointer, abi::PointerAttributes& out) {
    constexpr int kNoDevice = -2;
    out = {};
    out.device = kNoDevice;
    const auto allocation = runtime.session().memory().find(reinterpret_cast<std::uint64_t>(pointer));
    void* const same = const_cast<void*>(pointer);
    if (!allocation) {
        out.type = cudaMemoryTypeUnregistered;
        out.host_pointer = same;
        return Status::kOk;
    }
    out.device = 0;
    out.device_pointer = same;
    switch (allocation->kind) {
        case AllocationKind::kDevice:
        case AllocationKind::kHeap:
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
    return Status::kOk;
}

}  // namespace tilescope::runtime
