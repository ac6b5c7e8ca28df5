// The launch limits of each compute capability as a device, without any product's own figures.
#pragma once

#include <string>
#include <vector>

#include "scope/models/device.h"
#include "scope/models/occupancy.h"

namespace tilescope::models {

// "7.0" to "12.1". Table of technical specifications in the CUDA C++ Programming Guide 13.0; carve-outs, allocation
// units and barriers as in cuda_occupancy.h of CUDA 13.0.
std::vector<std::string> known_capabilities();
Device device_of(const std::string& capability);

KernelResources kernel_of(std::uint64_t threads, std::uint32_t registers, std::uint64_t shared);

}  // namespace tilescope::models
