// The CUDA runtime for programs that clang compiles with no CUDA toolkit: types, the C interface, its C++ overloads,
// and in device code the functions and variables of CUDA C++.
//
// Guarantees: names, numbers and layouts of CUDA 12, to be linked with libcudart.so.12. Include it first; clang is
// told to do so on the command line, as nvcc does, because the device overloads must stand before <cmath>.
// Does not model: texture and surface references, dynamic parallelism, thread block clusters.
#pragma once

// Libraries ask whether the toolkit's header has been read by its guard.
#define __CUDA_RUNTIME_H__

#if defined(__CUDA__) && defined(__clang__)
#include "tilescope/device_first.h"
#endif

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "host_defines.h"
#include "vector_functions.h"
#include "vector_types.h"

#if defined(__cplusplus)
#include "tilescope/graph_overloads.h"
#include "tilescope/runtime_overloads.h"
#endif

#if defined(__CUDA__) && defined(__clang__)
#include "tilescope/device.h"
#endif
