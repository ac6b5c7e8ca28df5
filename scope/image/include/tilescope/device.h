// Everything that device code gets from cuda_runtime.h, in the order that clang's own headers need.
#pragma once

#include <limits.h>
#include <math.h>

#include "../cuda_device_runtime_api.h"
#include "../driver_types.h"
#include "../vector_functions.h"

#include <__clang_cuda_builtin_vars.h>

#include <__clang_cuda_libdevice_declares.h>
#include "libdevice_arithmetic.h"
#include "libdevice_math.h"

// Its functions of bytes and halves in a word are instructions that devices of today no longer have: simd_words.h.
#include "simd_names.h"

#include <__clang_cuda_device_functions.h>

#include "simd_words.h"

#include <__clang_cuda_math.h>

#include "system_calls.h"

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

#define pow __tilescope_clang_pow
#include <__clang_cuda_cmath.h>
#undef pow
#include "float_overloads.h"

#include <__clang_cuda_complex_builtins.h>

#include "memory_access.h"

#include "atomic_orders.h"
#include "atomics.h"
#include "cluster_access.h"
#include "integer_extremes.h"
#include "math_overloads.h"
#include "surfaces.h"
#include "textures.h"
#include "warp.h"

// What the compiler calls before a launch.
extern "C" unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem = 0, void* stream = 0);

#include <new>
