// Pinned host memory: allocated by the runtime or registered by the program. Kernels reach both at the same address.
#include <unistd.h>

#include "scope/report/format.h"
#include "scope/runtime/allocate.h"
#include "scope/runtime/capture.h"
#include "scope/runtime/guard.h"
#include "scope/runtime/memory_book.h"
#include "scope/runtime/spans.h"

namespace tilescope::runtime {
namespace {

using machine::AllocationKind;

constexpr unsigned kAllocFlags = 0x7;     // portable, mapped, write-combined
constexpr unsigned kRegisterFlags = 0xb;  // portable, mapped, read-only; a program's memory is no device's own (0x4)
constexpr unsigned kPortable = 0x1, kMapped = 0x2, kWriteCombined = 0x4, kReadOnly = 0x8;
// What cudaHostGetFlags tells, as an H200 does (driver 580, 26 November 2026): every allocation is mapped, and of what
// else was asked for only this is remembered.
constexpr unsigned kToldOfAllocated = kWriteCombined, kToldOfRegistered = kPortable;

// Pinned pages stay in memory: there is no more of them than the host has.
std::uint64_t host_bytes() {
    static const auto bytes =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

cudaError allocate_host(Runtime& runtime, void** pointer, std::size_t bytes, unsigned flags) {
    if (pointer == nullptr || (flags & ~kAllocFlags) != 0) return cudaErrorInvalidValue;
    if (const cudaError error = runtime.captures().forbid_unsafe(); error != cudaSuccess) return error;
    const std::uint64_t pinned = runtime.session().memory().budget().used(machine::Kept::kPinned);
    if (bytes > host_bytes() || pinned > host_bytes() - bytes) {
        *pointer = nullptr;
        return because(cudaErrorMemoryAllocation,
                       report::thousands(bytes) + " bytes of pinned memory asked for beside " +
                           report::thousands(pinned) + " in use; this host has " + report::thousands(host_bytes()));
    }
    const cudaError error = allocate(runtime, bytes, AllocationKind::kPinned, *pointer);
    if (error == cudaSuccess && *pointer != nullptr)
        runtime.memory_book().add(*pointer, (flags & kToldOfAllocated) | kMapped);
    return error;
}

// The pinned or registered allocation that holds the byte.
std::optional<machine::Allocation> find_host(Runtime& runtime, const void* pointer) {
    auto allocation = runtime.session().memory().find(reinterpret_cast<std::uint64_t>(pointer));
    if (!allocation) return std::nullopt;
    if (allocation->kind != AllocationKind::kPinned && allocation->kind != AllocationKind::kRegistered)
        return std::nullopt;
    return allocation;
}

bool overlaps_any(const machine::Memory& memory, std::uint64_t first, std::uint64_t bytes) {
    for (const machine::Allocation& allocation : memory.all()) {
        if (first < allocation.base + allocation.size && allocation.base < first + bytes) return true;
    }
    return false;
}

}  // namespace

TILESCOPE_API cudaError cudaMallocHost(void** pointer, std::size_t bytes) {
    return on_device([&](Runtime& runtime) { return allocate_host(runtime, pointer, bytes, 0); });
}

TILESCOPE_API cudaError cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
    return on_device([&](Runtime& runtime) { return allocate_host(runtime, pointer, bytes, flags); });
}

TILESCOPE_API cudaError cudaFreeHost(void* pointer) {
    return on_device([&](Runtime& runtime) {
        if (const cudaError error = runtime.captures().forbid_unsafe(); error != cudaSuccess) return error;
        const cudaError error =
            release(runtime, pointer, [](AllocationKind kind) { return kind == AllocationKind::kPinned; });
        if (error == cudaSuccess) runtime.memory_book().remove(pointer);
        return error;
    });
}

TILESCOPE_API cudaError cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
    return on_device([&](Runtime& runtime) -> cudaError {
        const auto first = reinterpret_cast<std::uint64_t>(pointer);
        std::uint64_t end = 0;
        if (pointer == nullptr || bytes == 0 || (flags & ~kRegisterFlags) != 0) return cudaErrorInvalidValue;
        if (__builtin_add_overflow(first, bytes, &end)) return cudaErrorInvalidValue;
        if (const cudaError error = runtime.captures().forbid_unsafe(); error != cudaSuccess) return error;
        const auto lock = runtime.work();
        machine::Memory& memory = runtime.session().memory();
        if (overlaps_any(memory, first, bytes)) return cudaErrorHostMemoryAlreadyRegistered;
        if (!host_span(memory, pointer, bytes)) return cudaErrorInvalidValue;
        if (!memory.adopt(pointer, bytes, AllocationKind::kRegistered, (flags & kReadOnly) == 0)) {
            return cudaErrorHostMemoryAlreadyRegistered;
        }
        runtime.memory_book().add(pointer, (flags & kToldOfRegistered) | kMapped);
        return cudaSuccess;
    });
}

TILESCOPE_API cudaError cudaHostUnregister(void* pointer) {
    return on_device([&](Runtime& runtime) -> cudaError {
        if (pointer == nullptr) return cudaErrorInvalidValue;
        const auto within = runtime.session().memory().find(reinterpret_cast<std::uint64_t>(pointer));
        const bool is_registered = within && within->kind == AllocationKind::kRegistered;
        const cudaError error =
            release(runtime, pointer, [](AllocationKind kind) { return kind == AllocationKind::kRegistered; });
        // From within a registered range it is the address that is wrong (seen on an H100).
        if (error != cudaSuccess) return is_registered ? cudaErrorInvalidValue : cudaErrorHostMemoryNotRegistered;
        runtime.memory_book().remove(pointer);
        return cudaSuccess;
    });
}

TILESCOPE_API cudaError cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
    return on_device([&](Runtime& runtime) -> cudaError {
        if (device == nullptr || flags != 0 || !find_host(runtime, host)) return cudaErrorInvalidValue;
        *device = host;
        return cudaSuccess;
    });
}

TILESCOPE_API cudaError cudaHostGetFlags(unsigned* flags, void* host) {
    return on_device([&](Runtime& runtime) -> cudaError {
        const auto allocation = find_host(runtime, host);
        if (flags == nullptr || !allocation) return cudaErrorInvalidValue;
        const auto known = runtime.memory_book().flags(allocation->base);
        if (!known) return cudaErrorInvalidValue;
        *flags = *known;
        return cudaSuccess;
    });
}

}  // namespace tilescope::runtime
