// Where managed memory should live: hints, which change nothing here and are accepted when they make sense.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

// Of the device, or of the host: a face's own numbers for places are not known here. kInvalidDevice is another device,
// kInvalidValue no place at all.
enum class MemoryPlace : std::uint8_t { kDevice, kHost, kOtherDevice, kNowhere };

Status prefetch_managed(Runtime& runtime, const void* pointer, std::size_t bytes, MemoryPlace to, void* stream);

// is_set: or taken back. What is said of reading, and that no place is preferred, names none.
Status advise_managed(Runtime& runtime, const void* pointer, std::size_t bytes, machine::AdviceKind kind, bool is_set,
                      MemoryPlace to);
// Whether all the bytes are managed memory, that of variables included.
bool is_managed(Runtime& runtime, const void* pointer, std::size_t bytes);

}  // namespace tilescope::runtime
