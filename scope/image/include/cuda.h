// The driver's interface: types, numbers and calls of CUDA 13.0 by the names that they have in release 12.8.
//
// Guarantees: handles are the runtime's own types, so that a CUstream is a cudaStream_t; numbers, layouts and calls are
// those of CUDA 13.0 (tests/driver/check_cuda_h.py). A name without a number means the form that it has in release
// 12.8, as CUDA_VERSION says (cuCtxCreate is cuCtxCreate_v2); newer forms go by their own names. The calls are in our
// libcuda.so.1 (-lcuda); docs/reference/driver-calls.md says which of them are there. Does not model: forms of before
// CUDA 3.2, when an address was 32 bits wide.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tilescope/uuid.h"

#undef CUDA_VERSION
#define CUDA_VERSION 12080
#define CU_UUID_HAS_BEEN_DEFINED
#define CUDAAPI
#define CUDA_CB

#if defined(__cplusplus)
extern "C" {
#endif

#include "tilescope/driver/constants.h"
#include "tilescope/driver/device_calls.h"
#include "tilescope/driver/memory_calls.h"
#include "tilescope/driver/work_calls.h"

#if defined(__cplusplus)
}
#endif
