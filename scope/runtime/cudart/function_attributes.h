// cudaFuncGetAttributes in the layout of CUDA 13; versioned.cpp cuts it to the caller's.
#pragma once

#include "scope/runtime/cudart/abi.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

Status function_attributes(Runtime& runtime, const void* function, abi::FunctionAttributes& out);

}  // namespace tilescope::runtime
