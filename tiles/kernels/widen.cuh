// Elements as fp32 and back, for kernels that are written once for all types of C.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace tiles {

__device__ inline float widened(float x) { return x; }
__device__ inline float widened(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ inline float widened(__half x) { return __half2float(x); }
__device__ inline void narrow(float x, float* to) { *to = x; }
__device__ inline void narrow(float x, __nv_bfloat16* to) { *to = __float2bfloat16(x); }
__device__ inline void narrow(float x, __half* to) { *to = __float2half(x); }

}  // namespace tiles
