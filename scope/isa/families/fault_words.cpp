#include "scope/isa/families/fault_words.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "scope/isa/table/memory_flags.h"
#include "scope/machine/describe.h"

namespace tilescope::isa {
namespace {

using machine::Allocation;
using machine::Space;

constexpr std::uint64_t kFar = 1ULL << 32U;  // farther from a buffer than any slip of an index

constexpr std::uint64_t kNearNull = 65'536;

// A slip of an index stays within a few times its array's size; farther away another array may have been meant.
bool is_slip(std::uint64_t distance, std::uint64_t size) {
    constexpr std::uint64_t kRows = 16, kSmall = 4096;
    return distance < std::max(kSmall, std::min(size, kFar) * kRows);
}

std::string bytes_text(std::uint64_t count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }

// Where an access of `width` bytes lies, seen from the start and the end of `what`, in elements of its own width.
std::string relative_text(std::uint64_t address, unsigned width, std::uint64_t base, std::uint64_t size,
                          const std::string& what) {
    const std::uint64_t end = base + size;
    if (address < base) {
        const std::uint64_t before = base - address;
        if (before == width) return "just before " + what;
        if (before % width != 0 || width == 1) return bytes_text(before) + " before " + what;
        return fmt::format("{} elements ({}) before {}", before / width, bytes_text(before), what);
    }
    if (address < end) return "it crosses the end of " + what;
    const bool in_elements = size >= width && size % width == 0 && (address - base) % width == 0;
    std::string text;
    if (in_elements) text = fmt::format("element {} of {}, ", (address - base) / width, size / width);
    if (address == end) return text + "just past the end of " + what;
    return in_elements ? text + "past the end of " + what : bytes_text(address - end) + " past the end of " + what;
}

std::uint64_t distance_to(const Allocation& allocation, std::uint64_t address) {
    if (address < allocation.base) return allocation.base - address;
    const std::uint64_t end = allocation.base + allocation.size;
    return address < end ? 0 : address - end;
}

// "400 bytes", with where it was allocated if somebody knows.
std::string size_and_origin(const machine::Memory& memory, const Allocation& allocation) {
    const std::string origin = machine::origin_text(memory.origin(allocation));
    return bytes_text(allocation.size) + (origin.empty() ? origin : " (" + origin + ")");
}

std::string null_place(const machine::Worker& worker, std::uint64_t address) {
    std::string text = fmt::format(" at {:#x} is out of bounds: that is a null pointer or an offset from one", address);
    if (const std::uint64_t size = worker.memory->heap().full_size(); size != 0)
        text += fmt::format(
            "; malloc or new in a kernel returned null because the device's heap of {} is full: check the result, free "
            "what is no longer needed, or call cudaDeviceSetLimit(cudaLimitMallocHeapSize, ...) before the first "
            "launch",
            bytes_text(size));
    return text;
}

// A signed 32-bit index that wrapped lies 2^30 to 2^31 units below its array, of bytes or of elements, and 2^32 units
// farther up is inside it. An access at the edge of another array is a slip there, whatever lies 2^32 away.
std::string wrapped_text(const machine::Memory& memory, std::uint64_t address, unsigned width) {
    const std::optional<Allocation> near = memory.nearest(address);
    for (const std::uint64_t unit : {std::uint64_t{1}, std::uint64_t{width}}) {
        const std::optional<Allocation> found = memory.find(address + unit * kFar);
        if (!found || !found->contains(address + unit * kFar, width) || address >= found->base) continue;
        const std::uint64_t before = found->base - address;
        if (before < unit * (kFar / 4) || before > unit * (kFar / 2)) continue;
        if (near && near->base != found->base && is_slip(distance_to(*near, address), near->size)) continue;
        return fmt::format(
            "; plus 2^32{} the address lies in an allocation of {}: a 32-bit index wrapped, compute it in "
            "64 bits (size_t)",
            unit == 1 ? "" : fmt::format(" × {}", width), bytes_text(found->size));
    }
    return {};
}

// Whether a parameter of the kernel names the object of the host at this address, and one of them is a reference.
bool may_be_reference(const machine::Worker& worker, std::uint64_t address) {
    constexpr std::uint64_t kLargestObject = 4096;  // geometry: of parameters, which people pass by reference
    int status = 0;
    char* const signature = abi::__cxa_demangle(worker.program->functions[0].name.c_str(), nullptr, nullptr, &status);
    const bool has_reference = status == 0 && std::strchr(signature, '&') != nullptr;
    std::free(signature);
    if (!has_reference) return false;
    for (std::uint64_t at = 0; at + sizeof(std::uint64_t) <= worker.parameter_bytes; at += sizeof(std::uint64_t)) {
        std::uint64_t value = 0;
        std::memcpy(&value, worker.parameters + at, sizeof value);
        if (value <= address && address - value < kLargestObject) return true;
    }
    return false;
}

std::string global_place(const machine::Worker& worker, std::uint64_t address, unsigned width) {
    const machine::Memory& memory = *worker.memory;
    const machine::Place place = memory.classify(address);
    const auto relative = [&](const std::string& what) {
        const Allocation& near = *place.allocation;
        return " is out of bounds: " +
               relative_text(address, width, near.base, near.size, what + " of " + size_and_origin(memory, near));
    };
    switch (place.kind) {
        case machine::PlaceKind::kAllocated:
            if (place.allocation->contains(address, width))
                return " is out of bounds: that allocation can only be read";
            return relative("the allocation");
        case machine::PlaceKind::kFreed:
            return fmt::format(" is out of bounds: it lies {} into an allocation of {} that was freed",
                               bytes_text(address - place.allocation->base),
                               size_and_origin(memory, *place.allocation));
        case machine::PlaceKind::kReserved:
            return " is out of bounds: these addresses are reserved, and nothing is mapped there (cuMemMap)";
        case machine::PlaceKind::kForbidden:
            return " is out of bounds: the device was given no access to what is mapped there (cuMemSetAccess)";
        case machine::PlaceKind::kHost:
            // Managed and pinned memory lie among the host's own: what runs over their end lands there.
            if (const std::optional<Allocation> near = memory.nearest(address);
                near && distance_to(*near, address) < near->size)
                return " is out of bounds: " + relative_text(address, width, near->base, near->size,
                                                             "the allocation of " + size_and_origin(memory, *near));
            if (may_be_reference(worker, address))
                return " is out of bounds: that is the host program's memory; pass what cudaMalloc gave, or copy it (a "
                       "parameter of this kernel is a C++ reference, which passes the host's address: pass it by "
                       "value)";
            return " is out of bounds: that is the host program's memory; pass what cudaMalloc gave, or copy it";
        case machine::PlaceKind::kDevice:
        case machine::PlaceKind::kNowhere: break;
    }
    if (const std::optional<Allocation> near = memory.nearest(address); near && distance_to(*near, address) < kFar) {
        const std::uint64_t distance = distance_to(*near, address);
        const std::string whole = size_and_origin(memory, *near);
        if (!is_slip(distance, near->size))
            return fmt::format(" is out of bounds: nothing is allocated there; the nearest allocation, of {}, is {} {}",
                               whole, bytes_text(distance), address < near->base ? "farther up" : "farther down");
        return " is out of bounds: " +
               relative_text(address, width, near->base, near->size, "the allocation of " + whole);
    }
    // Device addresses differ from run to run; values that were no pointer to begin with are shown.
    if (place.kind == machine::PlaceKind::kDevice) return " is out of bounds: nothing is allocated there or near";
    return fmt::format(" at {:#x} is out of bounds: nothing is allocated there or near", address);
}

// Addresses in a window of shared or local memory, of which `size` bytes from `base` on are there.
std::string window_place(std::uint64_t address, unsigned width, std::uint64_t base, std::uint64_t size,
                         const std::string& what) {
    if (size == 0) return fmt::format(" at {:#x} is out of bounds: {} has none", address, what);
    const std::string whole = fmt::format("the {} of {}", bytes_text(size), what);
    if (address >= kFar) return fmt::format(" at {:#x} is out of bounds: far from {}", address, whole);
    const std::string relative = relative_text(address, width, base, size, whole);
    if (address == 0 && base != 0) return " is out of bounds: that is a null pointer, " + relative;
    return " is out of bounds: " + relative;
}

std::string shared_place(const machine::Worker& worker, const machine::Op& op, std::uint64_t place) {
    const std::uint64_t base = worker.program->shared_base, own = worker.shared_own;
    // A 32-bit address below zero is one beyond 2 GiB.
    const std::uint64_t address = op.flags & kNarrowAddress ? (place + base) & 0xffffffffu : place + base;
    return window_place(address, op.width, base + own, worker.shared_bytes - own, "the block's shared memory");
}

// Whether an op loads what the call at the end of its basic block goes to: an entry of a virtual table.
bool loads_callee(const machine::Program& program, const machine::Op& op) {
    const auto behind = std::upper_bound(program.blocks.begin(), program.blocks.end(), op.index,
                                         [](std::uint32_t at, const auto& block) { return at < block.first; });
    if (behind == program.blocks.begin()) return false;
    const machine::BasicBlock& block = *(behind - 1);
    if (block.end.kind != machine::TerminatorKind::kCall) return false;
    const machine::CallSite& site = program.call_sites[block.end.extra];
    return site.function == machine::kNoBlock && site.pointer == op.dst;
}

}  // namespace

const char* name_of(Space space) {
    switch (space) {
        case Space::kShared: return "shared";
        case Space::kLocal: return "local";
        case Space::kConstant: return "constant";
        case Space::kParam: return "param";
        default: return "global";
    }
}

std::string misaligned_text(const machine::Worker& worker, const machine::Op& op, Space space, std::uint64_t address,
                            bool writes) {
    const std::uint64_t beyond = address & (op.width - 1u);
    std::string text = fmt::format("{}-byte {} of {} memory is misaligned: {} beyond a multiple of {}", op.width,
                                   writes ? "write" : "read", name_of(space), bytes_text(beyond), op.width);
    if (space != Space::kGlobal && space != Space::kConstant) return text;
    if (const auto allocation = worker.memory->find(address)) {
        const std::uint64_t offset = address - allocation->base;
        text += fmt::format(", {} into element {} of {} of the allocation of {}", bytes_text(offset % op.width),
                            offset / op.width, bytes_text(op.width), size_and_origin(*worker.memory, *allocation));
    }
    return text;
}

std::string outside_text(const machine::Worker& worker, const machine::Op& op, Space space, std::uint64_t address,
                         bool writes) {
    std::string place;
    if (space == Space::kShared)
        place = shared_place(worker, op, address);
    else if (space == Space::kLocal)
        place = window_place(op.flags & kNarrowAddress ? address & 0xffffffffu : address, op.width, 0,
                             worker.local_bytes, "the thread's stack");
    else if (space == Space::kParam)
        place = writes ? " is out of bounds: a kernel's parameters can only be read"
                       : " is out of bounds: the kernel's parameters have " + bytes_text(worker.parameter_bytes);
    else if (!writes && worker.memory->classify(address).kind == machine::PlaceKind::kHost &&
             loads_callee(*worker.program, op))
        place =
            " is out of bounds: this looks up a virtual function of an object that the host constructed, whose virtual "
            "table lies in the host program's memory and means nothing on the device; construct the object in a kernel "
            "(placement new)";
    else
        place = address < kNearNull
                    ? null_place(worker, address)
                    : global_place(worker, address, op.width) + wrapped_text(*worker.memory, address, op.width);
    return fmt::format("{}-byte {} of {} memory{}", op.width, writes ? "write" : "read", name_of(space), place);
}

}  // namespace tilescope::isa
