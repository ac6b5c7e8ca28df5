#include "scope/runtime/service/memory/spans.h"

#include "scope/report/format.h"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace tilescope::runtime {
namespace {

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

// The kernel reads the byte for us and says EFAULT where a load would end the program.
bool readable(const void* pointer) {
    char byte = 0;
    const iovec local{&byte, 1};
    const iovec remote{const_cast<void*>(pointer), 1};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1 || errno != EFAULT;
}

// Constants are read-only to kernels alone.
bool may_be_written(const machine::Allocation& allocation, bool writes) {
    return !writes || allocation.writable || allocation.kind != machine::AllocationKind::kMapped;
}

// What is wrong with one side of a copy.
std::string why_not(const machine::Memory& memory, const std::string& side, const void* pointer, std::size_t bytes,
                    bool on_device, bool is_copy) {
    const auto allocation = pointer != nullptr ? memory.find_joined(address_of(pointer)) : std::nullopt;
    if (allocation && allocation->contains(address_of(pointer), bytes) && !may_be_written(*allocation, true))
        return "the " + side + " is mapped to be read alone (cuMemSetAccess)";
    if (allocation)
        return report::thousands(bytes) + " bytes pass the end of the " + side + ", an allocation of " +
               report::thousands(allocation->size) + " bytes of which " +
               report::thousands(allocation->base + allocation->size - address_of(pointer)) + " are left";
    const machine::Place place = memory.classify(address_of(pointer));
    if (place.kind == machine::PlaceKind::kFreed)
        return "the " + side + " lies in an allocation of " + report::thousands(place.allocation->size) +
               " bytes that was freed";
    if (place.kind == machine::PlaceKind::kReserved)
        return "the " + side + " lies at reserved addresses, with nothing mapped there (cuMemMap)";
    if (place.kind == machine::PlaceKind::kForbidden)
        return "the " + side + " is mapped memory that the device was given no access to (cuMemSetAccess)";
    if (pointer == nullptr) return "the " + side + " is a null pointer";
    if (on_device)
        return "the " + side + " is no device memory" + (is_copy ? ", as the direction of the copy says" : "");
    return "the " + side + " is no memory that the host can reach";
}

// What --check memory calls such a copy or set: it passes an allocation's end, or comes after that was freed.
void note_kind(const machine::Memory& memory, const void* pointer) {
    const machine::Place place = memory.classify(address_of(pointer));
    if (place.kind == machine::PlaceKind::kFreed)
        failure().hazard = HazardKind::kUseAfterFree;
    else if (place.kind != machine::PlaceKind::kHost && place.kind != machine::PlaceKind::kNowhere)
        failure().hazard = HazardKind::kOutOfBounds;
}

}  // namespace

Status refuse_span(const machine::Memory& memory, const std::string& side, const void* pointer, std::size_t bytes,
                   bool on_device, bool is_copy) {
    note_kind(memory, pointer);
    return because(Status::kInvalidValue, why_not(memory, side, pointer, bytes, on_device, is_copy));
}

bool device_span(const machine::Memory& memory, const void* pointer, std::size_t bytes, bool writes) {
    const auto allocation = memory.find_joined(address_of(pointer));
    // CUDA's copies do not reach what malloc in a kernel gave.
    return allocation && allocation->kind != machine::AllocationKind::kHeap &&
           allocation->contains(address_of(pointer), bytes) && may_be_written(*allocation, writes);
}

bool host_span(const machine::Memory& memory, const void* pointer, std::size_t bytes, bool writes) {
    const std::uint64_t first = address_of(pointer);
    const std::uint64_t last = first + (bytes - 1);
    if (pointer == nullptr || last < first) return false;
    const auto allocation = memory.find_joined(first);
    // Registered memory is the program's own; what lies beyond it is ordinary host memory.
    if (allocation && allocation->kind != machine::AllocationKind::kRegistered)
        return allocation->contains(first, bytes) && may_be_written(*allocation, writes);
    return readable(pointer) && readable(reinterpret_cast<const void*>(last));
}

bool sides_of(Direction direction, Sides& sides) {
    using machine::CopyKind;
    if (!direction) return false;
    const bool from_device = *direction == CopyKind::kDeviceToHost || *direction == CopyKind::kDeviceToDevice;
    const bool to_device = *direction == CopyKind::kHostToDevice || *direction == CopyKind::kDeviceToDevice;
    sides = {.source_on_device = from_device, .target_on_device = to_device};
    return true;
}

Status check_copy(const machine::Memory& memory, const void* target, const void* source, std::size_t bytes,
                  Direction direction) {
    Sides sides;
    if (!sides_of(direction, sides))
        return because(Status::kInvalidDirection, "the direction is none of cudaMemcpyKind");
    if (bytes == 0) return Status::kOk;
    const auto reachable = [&](const void* pointer, bool on_device, bool writes) {
        return on_device ? device_span(memory, pointer, bytes, writes) : host_span(memory, pointer, bytes, writes);
    };
    if (!reachable(target, sides.target_on_device, true))
        return refuse_span(memory, "target", target, bytes, sides.target_on_device);
    if (!reachable(source, sides.source_on_device, false))
        return refuse_span(memory, "source", source, bytes, sides.source_on_device);
    return Status::kOk;
}

bool rows_extent(std::size_t pitch, std::size_t width, std::size_t height, std::size_t& bytes) {
    bytes = 0;
    if (width == 0 || height == 0) return true;
    std::size_t before_last = 0;
    return !__builtin_mul_overflow(pitch, height - 1, &before_last) &&
           !__builtin_add_overflow(before_last, width, &bytes);
}

}  // namespace tilescope::runtime
