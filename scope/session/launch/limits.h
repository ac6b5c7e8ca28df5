// The checks that CUDA makes before a kernel runs. Internal to scope/session.
//
// Guarantees: the reason says what was asked for and what the device or the kernel takes.
// Does not model: a kernel whose registers are only estimated is never refused for them.
#pragma once

#include "scope/models/occupancy.h"
#include "scope/session/session.h"

namespace tilescope {

models::KernelResources resources_of(const models::Device& device, const KernelInfo& info,
                                     const LaunchRequest& request);

// kOk when it may run; else the status and the reason in words.
LaunchResult check_launch(const models::Device& device, const KernelInfo& info, const LaunchRequest& request,
                          const models::Occupancy& occupancy);

}  // namespace tilescope
