// Taking and giving back memory, shared by the calls that allocate.
#pragma once

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

// 0 bytes give a null pointer, as CUDA does. cudaErrorMemoryAllocation when the device or the host has no more.
Status allocate(Runtime& runtime, std::size_t bytes, machine::AllocationKind kind, void*& base,
                const machine::Issue& issue = {});
// A null pointer is fine. cudaErrorInvalidValue unless `base` is the start of an allocation of an accepted kind.
Status release(Runtime& runtime, void* base, bool (*accepts)(machine::AllocationKind),
               const machine::Issue& issue = {});

Status pointer_attributes(Runtime& runtime, const void* pointer, abi::PointerAttributes& out);

}  // namespace tilescope::runtime
