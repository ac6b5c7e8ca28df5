#include <assert.h>
#include <cuda.h>
#include "conv.h"
#define BX 16
#define BY 4
__constant__ float c_kernel[KERNEL_LENGTH];
extern "C" void set_kernel(const float* kernel) { cudaMemcpyToSymbol(c_kernel, kernel, KERNEL_LENGTH * sizeof(float)); }
__global__ void rows(float* __restrict__ dst, const float* __restrict__ src, int width, int height, int pitch) {
    __shared__ float s[BY][BX * 3];
    const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
#pragma unroll
    for (int part = 0; part < 3; part++) {
        int at = x + (part - 1) * BX;
        s[threadIdx.y][threadIdx.x + part * BX] = at >= 0 && at < width ? src[y * pitch + at] : 0.f;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
        sum += c_kernel[KERNEL_RADIUS - j] * s[threadIdx.y][threadIdx.x + BX + j];
    dst[y * pitch + x] = sum;
}
extern "C" void convolution_rows(float* dst, const float* src, int width, int height, int pitch) {
    assert(width % BX == 0);
    assert(height % BY == 0);
    rows<<<dim3(width / BX, height / BY), dim3(BX, BY)>>>(dst, src, width, height, pitch);
}
