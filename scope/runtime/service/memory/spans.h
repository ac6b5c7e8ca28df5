// Whether a call may read or write the bytes that a pointer names, before it does.
//
// Guarantees: a span that passes can be copied without a crash, as far as the host can tell (a page that another thread
// unmaps meanwhile, or a hole inside a span of ordinary host memory, is not seen).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "scope/machine/memory.h"
#include "scope/machine/run_observer.h"
#include "scope/runtime/service/status.h"

namespace tilescope::runtime {

// bytes > 0. All of them lie in one allocation that kernels can reach; mapped memory that lies side by side counts as
// one. `writes`: and was not mapped to be read alone.
bool device_span(const machine::Memory& memory, const void* pointer, std::size_t bytes, bool writes = false);
// bytes > 0. They lie in one allocation, or are ordinary host memory whose first and last byte can be read.
bool host_span(const machine::Memory& memory, const void* pointer, std::size_t bytes, bool writes = false);

// kInvalidValue for a span that does not pass, with the reason. `side`: "target" or "source"; a set has
// only the one, and no direction.
Status refuse_span(const machine::Memory& memory, const std::string& side, const void* pointer, std::size_t bytes,
                   bool on_device, bool is_copy = true);

// The direction that a call names; nothing: none that there is.
using Direction = std::optional<machine::CopyKind>;

// Which side of a copy its direction says is on the device; false where it names none. kByAddress asks nothing.
struct Sides {
    bool source_on_device = false, target_on_device = false;
};
bool sides_of(Direction direction, Sides& sides);
// kInvalidDirection or kInvalidValue for a copy of `bytes` that CUDA refuses; bytes may be 0.
Status check_copy(const machine::Memory& memory, const void* target, const void* source, std::size_t bytes,
                  Direction direction);

// The bytes from the first to past the last of `height` rows; false when that overflows.
bool rows_extent(std::size_t pitch, std::size_t width, std::size_t height, std::size_t& bytes);

}  // namespace tilescope::runtime
