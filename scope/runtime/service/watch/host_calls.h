// What the library of host_calls.cpp offers to the CUDA runtime: who wants to know of the memory that a program hands
// to the system. The system refuses pages that a program may not touch, where the program itself would only fault.
#pragma once

#include <cstddef>

namespace tilescope::runtime {

struct HostCalls {
    // Before a call that returns to `from`; whether `end` is wanted behind it. Null: nobody wants to know.
    bool (*begin)(const void* address, std::size_t bytes, bool writes, void* from);
    void (*end)();
};
inline constexpr const char* kHostCallsSymbol = "tilescope_host_calls";

}  // namespace tilescope::runtime
