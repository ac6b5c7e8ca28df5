// Casts from floating point to integers, as the device makes them.
//
// To C++ a value that the integer cannot hold has no meaning, and LLVM makes of it what it likes; to a GPU it is the
// nearest value that fits, of 32 or 64 bits, and programs lean on that. Clang is told to keep to nearest values
// (-fno-strict-float-cast-overflow), which the optimizer then knows as calls of llvm.fptosi.sat and llvm.fptoui.sat.
// What is left of these afterwards is one PTX instruction each, and becomes so here.
#pragma once

#include <string>
#include <string_view>

namespace tilescope::image {

// Each call of llvm.fptosi.sat or llvm.fptoui.sat as a plain cast, whose PTX saturates; to fewer than 32 bits through
// 32, as nvcc has it.
std::string use_device_casts(std::string_view llvm_ir);

}  // namespace tilescope::image
