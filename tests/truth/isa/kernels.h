// Kernels for lines of the table, to be run by the emulator and by a GPU alike: one kernel a line, named line_N by the
// line's number in the file, launched with one block of kLanes threads and the address of its outputs.
//
// Lane L's result R begins at byte (R * kLanes + L) * kOutputBytes, little endian; what is behind it stays as it was.
#pragma once

#include <span>
#include <string>

#include "tests/truth/isa/table.h"

namespace tilescope::truth {

inline constexpr unsigned kOutputBytes = 16;

std::string kernel_name(const Line& line);

// A module in PTX.
std::string ptx_for(std::span<const Line* const> lines);

// The same kernels in CUDA, for calls of the device library: it has no body in PTX, and nvcc gives it one.
std::string cuda_for(std::span<const Line* const> lines);

}  // namespace tilescope::truth
