// What cudaDeviceGetAttribute and the device properties say about a device.
//
// Guarantees: figures that a device file holds come from there. What every device of compute capability 7.0 and later
// has alike is a table (values: an H200, CUDA 13.0; the CUDA Programming Guide's technical specifications).
// Services of the driver that this runtime does not offer (handles between processes, external semaphores, sparse
// arrays, page tables shared with the host) are 0.
#pragma once

#include <optional>

#include "scope/models/device.h"
#include "scope/runtime/cudart/abi.h"

namespace tilescope::runtime {

// nullopt: no attribute of CUDA 11 to 13 has that number.
std::optional<int> device_attribute(const models::Device& device, int attribute);

// Properties: cudaDeviceProp or abi::DeviceProperties13.
template <class Properties>
void fill_properties(const models::Device& device, Properties& out);

}  // namespace tilescope::runtime
