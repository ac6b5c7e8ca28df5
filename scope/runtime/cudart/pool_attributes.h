// Attributes of memory pools, whose numbers and values are those of runtime and driver alike.
#pragma once

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

Status set_pool_attribute(void* handle, int attribute, void* value);
Status get_pool_attribute(Runtime& runtime, void* handle, int attribute, void* value);

}  // namespace tilescope::runtime
