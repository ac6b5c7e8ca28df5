// Pinned host memory: allocated by the runtime or registered by the program. Kernels reach both at the same address.
#include <unistd.h>

#include "scope/report/format.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/capture/capture.h"
#include "scope/runtime/service/memory/allocate.h"
#include "scope/runtime/service/memory/memory_book.h"
#include "scope/runtime/service/memory/spans.h"

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

Status allocate_host(Runtime& runtime, void** pointer, std::size_t bytes, unsigned flags) {
    if (pointer == nullptr || (flags & ~kAllocFlags) != 0) return Status::kInvalidValue;
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    const std::uint64_t pinned = runtime.session().memory().budget().used(machine::Kept::kPinned);
    if (bytes > host_bytes() || pinned > host_bytes() - bytes) {
        *pointer = nullptr;
        return because(Status::kOutOfMemory, report::thousands(bytes) + " bytes of pinned memory asked for beside " +
                                                 report::thousands(pinned) + " in use; this host has " +
                                                 report::thousands(host_bytes()));
    }
    const Status status = allocate(runtime, bytes, AllocationKind::kPinned, *pointer);
    if (status == Status::kOk && *pointer != nullptr)
        runtime.memory_book().add(*pointer, (flags & kToldOfAllocated) | kMapped);
    return status;
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
        if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
        const Status status =
            release(runtime, pointer, [](AllocationKind kind) { return kind == AllocationKind::kPinned; });
        if (status == Status::kOk) runtime.memory_book().remove(pointer);
        return status;
    });
}

TILESCOPE_API cudaError cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
    return on_device([&](Runtime& runtime) -> Status {
        const auto first = reinterpret_cast<std::uint64_t>(pointer);
        std::uint64_t end = 0;
        if (pointer == nullptr || bytes == 0 || (flags & ~kRegisterFlags) != 0) return Status::kInvalidValue;
        if (__builtin_add_overflow(first, bytes, &end)) return Status::kInvalidValue;
        if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
        const auto lock = runtime.work();
        machine::Memory& memory = runtime.session().memory();
        if (overlaps_any(memory, first, bytes)) return Status::kAlreadyRegistered;
        if (!host_span(memory, pointer, bytes)) return Status::kInvalidValue;
        if (!memory.adopt(pointer, bytes, AllocationKind::kRegistered, (flags & kReadOnly) == 0)) {
            return Status::kAlreadyRegistered;
        }
        runtime.memory_book().add(pointer, (flags & kToldOfRegistered) | kMapped);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaHostUnregister(void* pointer) {
    return on_device([&](Runtime& runtime) -> Status {
        if (pointer == nullptr) return Status::kInvalidValue;
        const auto within = runtime.session().memory().find(reinterpret_cast<std::uint64_t>(pointer));
        const bool is_registered = within && within->kind == AllocationKind::kRegistered;
        const Status status =
            release(runtime, pointer, [](AllocationKind kind) { return kind == AllocationKind::kRegistered; });
        // From within a registered range it is the address that is wrong (seen on an H100).
        if (status != Status::kOk) return is_registered ? Status::kInvalidValue : Status::kNotRegistered;
        runtime.memory_book().remove(pointer);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
    return on_device([&](Runtime& runtime) -> Status {
        if (device == nullptr || flags != 0 || !find_host(runtime, host)) return Status::kInvalidValue;
        *device = host;
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaHostGetFlags(unsigned* flags, void* host) {
    return on_device([&](Runtime& runtime) -> Status {
        const auto allocation = find_host(runtime, host);
        if (flags == nullptr || !allocation) return Status::kInvalidValue;
        const auto known = runtime.memory_book().flags(allocation->base);
        if (!known) return Status::kInvalidValue;
        *flags = *known;
        return Status::kOk;
    });
}

}  // namespace tilescope::runtime
