// Pinned host memory: allocated by the runtime or registered by the program. Kernels reach both at the same address.
//
// Flags are the bits of runtime and driver alike: 1 portable, 2 mapped, 4 write-combined (of what is allocated), 8 read
// only (of what is registered).
#pragma once

#include <cstddef>
#include <optional>

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

Status allocate_pinned(Runtime& runtime, std::size_t bytes, unsigned flags, void*& base);
Status release_pinned(Runtime& runtime, void* base);
Status register_memory(Runtime& runtime, void* base, std::size_t bytes, unsigned flags);
Status unregister_memory(Runtime& runtime, void* base);
// Of either kind.
bool is_host_memory(Runtime& runtime, const void* pointer);
std::optional<unsigned> flags_of_host_memory(Runtime& runtime, const void* pointer);

}  // namespace tilescope::runtime
