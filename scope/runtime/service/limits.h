// Limits of the device. They are kept and given back. Those of the stack, the heap, the buffer of printf and what of L2
// may persist are the session's, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "scope/runtime/service/status.h"

namespace tilescope::runtime {

class Runtime;

// The numbers are those of runtime and driver alike.
enum class Limit : int { kStack = 0, kPrintBuffer = 1, kHeap = 2, kPersistingL2 = 6 };

class Limits {
public:
    // Limits beyond those named are kept, too, as far as a device has them.
    Status set(Runtime& runtime, Limit limit, std::size_t value);
    Status get(Runtime& runtime, Limit limit, std::size_t& value);
    // Bytes of L2 that may persist, if the program has set it.
    std::optional<std::uint64_t> persisting();

private:
    static constexpr std::size_t kCount = 7;
    std::mutex mutex_;
    std::array<std::optional<std::size_t>, kCount> set_{};
};

}  // namespace tilescope::runtime
