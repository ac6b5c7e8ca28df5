// Floats that share an exponent: each is a whole number of the largest one's last place.
#pragma once
#include <cuda_runtime.h>
__global__ void to_block(const float* in, int* out, int shift, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __float2int_rn(scalbnf(in[i], shift));
}
__global__ void from_block(const int* in, float* out, int shift, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = ldexpf(__int2float_rn(in[i]), -shift);
}
