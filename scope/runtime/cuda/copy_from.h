// What programs say of a copy, as the services take it.
#pragma once

#include "scope/runtime/cuda/abi.h"
#include "scope/runtime/service/memory/copies.h"

namespace tilescope::runtime::driver {

// kInvalidValue for none, and for kinds of memory that there are not.
Status copy_from(const Memcpy2D* said, Copy& copy);
Status copy_from(const Memcpy3D* said, Copy& copy);

}  // namespace tilescope::runtime::driver
