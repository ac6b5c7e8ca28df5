// Which line of the program's own host code an address of machine code belongs to.
//
// Owns: own_line(). Guarantees: lines of libraries and of headers that come with a compiler, a system or CUDA are never
// named: who called them is. Without debug information a line is 0, and the function and the offset into it are what
// the executable's symbols tell. May be called from a signal handler of a fault in the program's own code; it
// allocates. Does not model: code that was compiled while the program ran.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace tilescope::runtime {

struct HostLine {
    std::string function;      // readable; empty when not known
    std::string file;          // of the source, or of the executable where line is 0
    std::uint32_t line = 0;    // 0: not known
    std::uint64_t offset = 0;  // into the function, or into the file where there is no function
};

// `frames`: addresses as backtrace() gives them, callee first. The first one is an instruction that was being executed
// if `first_is_exact`; the others are those after a call.
std::optional<HostLine> own_line(std::span<void* const> frames, bool first_is_exact);

}  // namespace tilescope::runtime
