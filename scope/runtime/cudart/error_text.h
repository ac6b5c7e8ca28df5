// What error codes mean, in CUDA's words.
#pragma once

#include "scope/image/include/tilescope/errors.h"

namespace tilescope::runtime {

const char* error_text(cudaError error) noexcept;

}  // namespace tilescope::runtime
