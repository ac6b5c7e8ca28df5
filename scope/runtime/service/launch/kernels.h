// A kernel as the calls about functions see it.
#pragma once

#include "scope/runtime/service/modules/registry.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

// Registry::find(), with the error that this release of CUDA gives for an address that is no kernel.
Status find_kernel(Runtime& runtime, const void* function, Function*& record, KernelId& kernel);

// Bytes of dynamic shared memory that a launch may ask for: what the device gives without asking, or what
// cudaFuncSetAttribute raised it to.
std::uint64_t max_dynamic_shared(const models::Device& device, const KernelInfo& info, const Function& function);

}  // namespace tilescope::runtime
