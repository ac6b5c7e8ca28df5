// Where managed memory should live: hints, which change nothing here and are accepted when they make sense.
#pragma once

#include <cstddef>

#include "scope/runtime/cudart/abi.h"

namespace tilescope::runtime {

// CUDA 11 and 12 name a place by a device number, -1 for the host.
abi::MemLocation location_of(int device);
cudaError prefetch(const void* pointer, std::size_t bytes, abi::MemLocation to, unsigned flags, void* stream,
                   const char* name = __builtin_FUNCTION());
cudaError advise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, abi::MemLocation to,
                 const char* name = __builtin_FUNCTION());

}  // namespace tilescope::runtime
