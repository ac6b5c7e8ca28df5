// Virtual memory management, as programs ask for it: what machine::VirtualMemory does, with the reasons why not.
//
// Guarantees: answers are those of an H200 (driver 580, November 2026; tests/truth/driver_misuse_h200.txt). Does not
// model: memory of the host or of other devices as physical memory, handles for other processes, compressed memory (it
// is taken and nothing is compressed).
#pragma once

#include <cstddef>
#include <cstdint>

#include "scope/machine/virtual_memory.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

using MappedAccess = machine::VirtualMemory::Access;

Status reserve_addresses(Runtime& runtime, std::size_t bytes, std::size_t alignment, std::uint64_t wanted,
                         std::uint64_t& base);
Status free_addresses(Runtime& runtime, std::uint64_t base, std::size_t bytes);
Status make_physical(Runtime& runtime, std::size_t bytes, std::uint64_t& handle);
Status release_physical(Runtime& runtime, std::uint64_t handle);
// Held once more.
Status physical_at(Runtime& runtime, std::uint64_t address, std::uint64_t& handle);
Status map_memory(Runtime& runtime, std::uint64_t at, std::size_t bytes, std::size_t offset, std::uint64_t handle);
Status unmap_memory(Runtime& runtime, std::uint64_t at, std::size_t bytes);
Status allow_access(Runtime& runtime, std::uint64_t at, std::size_t bytes, MappedAccess access);

}  // namespace tilescope::runtime
