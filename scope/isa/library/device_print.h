// printf on the device: the format and its arguments as one lane passed them.
#pragma once

#include <cstdint>
#include <string>

#include "scope/machine/worker.h"

namespace tilescope::isa {

// A zero-terminated string at a generic address, at most 4096 bytes of it. Raises a fault when it is not readable.
std::string read_string(machine::Warp& warp, const machine::Op& op, unsigned lane, std::uint64_t address);

// What vprintf(format, arguments) prints. arguments is the packed buffer of CUDA's ABI: each argument at its natural
// alignment, floats as doubles. Fills `conversions` with the number of arguments used.
std::string format_print(machine::Warp& warp, const machine::Op& op, unsigned lane, std::uint64_t format,
                         std::uint64_t arguments, unsigned& conversions);

}  // namespace tilescope::isa
