// What launches ask for beside their shapes, whose numbers and values are those of runtime and driver alike.
#pragma once

#include "scope/runtime/cudart/abi.h"
#include "scope/runtime/service/launch/launch.h"

namespace tilescope::runtime {

// Into the call; one that is not there is refused by name, and nothing is taken.
Status take_attributes(Runtime& runtime, LaunchCall& call, const abi::LaunchAttribute* attributes, unsigned count);

}  // namespace tilescope::runtime
