// Half precision: conversions, arithmetic, comparisons, in device and host code.
#include <cuda_fp16.h>

__global__ void scalars(half* o, const half* a, float* f, int* i) {
    const half x = a[0], y = a[1];
    o[0] = x + y;
    o[1] = x - y * x / y;
    o[2] = __hfma(x, y, __float2half(2.5f));
    o[3] = __hmin(x, y);
    o[4] = hsqrt(x);
    o[5] = -x;
    o[6] = __hmax(__habs(x), y);
    f[0] = __half2float(x);
    i[0] = x < y || x == y || __hisnan(x) || __hgt(x, y);
    o[7] = __shfl_xor_sync(0xffffffffu, x, 1);
    o[8] = __ushort_as_half(__half_as_ushort(x));
}

__global__ void pairs(half2* o, const half2* a, float2* f) {
    const half2 x = a[0], y = a[1];
    o[0] = x + y;
    o[1] = __hfma2(x, y, __float2half2_rn(1.0f));
    o[2] = __hmul2(x, __floats2half2_rn(1.0f, 2.0f));
    o[3] = __halves2half2(__low2half(x), __high2half(y));
    f[0] = __half22float2(x);
}

__global__ void sums(half* one, half2* two, const half* a) {
    atomicAdd(one, a[threadIdx.x]);
    const half2 old = atomicAdd(two, __halves2half2(a[threadIdx.x], a[0]));
    two[1 + threadIdx.x] = old;
}

int main() {
    const half x = __float2half(1.5f);
    return __half2float(x) == 1.5f ? 0 : 1;
}
