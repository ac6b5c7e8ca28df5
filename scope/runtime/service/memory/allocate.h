// Taking and giving back memory of the device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

// 0 bytes give a null pointer, as CUDA does. kOutOfMemory when the device or the host has no more.
Status allocate(Runtime& runtime, std::size_t bytes, machine::AllocationKind kind, void*& base,
                const machine::Issue& issue = {});
// A null pointer is fine. kInvalidValue unless `base` is the start of an allocation of an accepted kind.
Status release(Runtime& runtime, void* base, bool (*accepts)(machine::AllocationKind),
               const machine::Issue& issue = {});

// Calls that name no stream and that a capture may forbid.
Status allocate_device(Runtime& runtime, std::size_t bytes, void*& base);
Status allocate_managed(Runtime& runtime, std::size_t bytes, void*& base);
// Rows of `width` bytes padded to the pitch. kInvalidValue when the product is no size.
Status allocate_rows(Runtime& runtime, std::size_t width, std::size_t rows, void*& base, std::size_t& pitch);
// Device or managed memory.
Status release_device(Runtime& runtime, void* base);

struct MemoryLeft {
    std::uint64_t free = 0, total = 0;
};
MemoryLeft memory_left(Runtime& runtime);

// What lies at an address, as programs are told.
enum class MemoryType : std::uint8_t { kUnknown, kHost, kDevice, kManaged };
MemoryType type_of_memory(Runtime& runtime, const void* pointer);

}  // namespace tilescope::runtime
