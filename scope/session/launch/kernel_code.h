// The PTX of the kernels of a run, by the lines of their source.
#pragma once

#include "scope/session/launch/prepare.h"

namespace tilescope {

// Takes down a kernel's code the first time that it comes; later ones of that name are only noted.
void keep_code(const Prepared& launch, Recording& recording);

}  // namespace tilescope
