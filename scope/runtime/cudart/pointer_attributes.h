// What cudaPointerGetAttributes says, in the layout of CUDA 13; versioned.cpp cuts it to the caller's.
#pragma once

#include "scope/runtime/cudart/abi.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

abi::PointerAttributes pointer_attributes(Runtime& runtime, const void* pointer);

}  // namespace tilescope::runtime
