#include "scope/runtime/service/memory/pinned.h"

#include <unistd.h>

#include <string>

#include "scope/report/format.h"
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
// What cudaHostGetFlags tells, as an H200 does (driver 580.159.04, 26 November 2026): every allocation is mapped, and
// of what else it was asked for these are remembered.
constexpr unsigned kToldOfAllocated = kPortable | kWriteCombined, kToldOfRegistered = kPortable;
// Smaller ones share a piece that is portable if the first of them was. Seen of 8 KiB; 4 MiB have one of their own.
constexpr std::uint64_t kPieceBytes = 2 << 20;

// Pinned pages stay in memory: there is no more of them than the host has.
std::uint64_t host_bytes() {
    static const auto bytes =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return bytes;
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

Status allocate_pinned(Runtime& runtime, std::size_t bytes, unsigned flags, void*& base) {
    if ((flags & ~kAllocFlags) != 0) return Status::kInvalidValue;
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    const std::uint64_t pinned = runtime.session().memory().budget().used(machine::Kept::kPinned);
    if (bytes > host_bytes() || pinned > host_bytes() - bytes) {
        base = nullptr;
        return because(Status::kOutOfMemory, report::thousands(bytes) + " bytes of pinned memory asked for beside " +
                                                 report::thousands(pinned) + " in use; this host has " +
                                                 report::thousands(host_bytes()));
    }
    const Status status = allocate(runtime, bytes, AllocationKind::kPinned, base);
    if (status != Status::kOk || base == nullptr) return status;
    if (bytes < kPieceBytes) flags = runtime.memory_book().flags_of_piece(flags, kWriteCombined);
    runtime.memory_book().add(base, (flags & kToldOfAllocated) | kMapped);
    return status;
}

Status release_pinned(Runtime& runtime, void* base) {
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    const Status status = release(runtime, base, [](AllocationKind kind) { return kind == AllocationKind::kPinned; });
    if (status == Status::kOk) runtime.memory_book().remove(base);
    return status;
}

Status register_memory(Runtime& runtime, void* base, std::size_t bytes, unsigned flags) {
    const auto first = reinterpret_cast<std::uint64_t>(base);
    std::uint64_t end = 0;
    if (base == nullptr || bytes == 0 || (flags & ~kRegisterFlags) != 0) return Status::kInvalidValue;
    if (__builtin_add_overflow(first, bytes, &end)) return Status::kInvalidValue;
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    const auto lock = runtime.work();
    machine::Memory& memory = runtime.session().memory();
    if (overlaps_any(memory, first, bytes)) return Status::kAlreadyRegistered;
    if (!host_span(memory, base, bytes)) return Status::kInvalidValue;
    if (!memory.adopt(base, bytes, AllocationKind::kRegistered, (flags & kReadOnly) == 0))
        return Status::kAlreadyRegistered;
    runtime.memory_book().add(base, (flags & kToldOfRegistered) | kMapped);
    return Status::kOk;
}

Status unregister_memory(Runtime& runtime, void* base) {
    if (base == nullptr) return Status::kInvalidValue;
    const auto within = runtime.session().memory().find(reinterpret_cast<std::uint64_t>(base));
    const bool is_registered = within && within->kind == AllocationKind::kRegistered;
    const Status status =
        release(runtime, base, [](AllocationKind kind) { return kind == AllocationKind::kRegistered; });
    // From within a registered range it is the address that is wrong (seen on an H100).
    if (status != Status::kOk) return is_registered ? Status::kInvalidValue : Status::kNotRegistered;
    runtime.memory_book().remove(base);
    return Status::kOk;
}

bool is_host_memory(Runtime& runtime, const void* pointer) { return find_host(runtime, pointer).has_value(); }

std::optional<unsigned> flags_of_host_memory(Runtime& runtime, const void* pointer) {
    const auto allocation = find_host(runtime, pointer);
    return allocation ? runtime.memory_book().flags(allocation->base) : std::nullopt;
}

}  // namespace tilescope::runtime
