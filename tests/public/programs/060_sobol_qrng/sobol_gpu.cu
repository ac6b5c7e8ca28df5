#include <cooperative_groups.h>
#include "sobol.h"
namespace cg = cooperative_groups;
#include <helper_cuda.h>
#define k_2powneg32 2.3283064E-10F
__global__ void sobolGPU_kernel(unsigned n, unsigned int* d_directions, float* d_output) {
    cg::thread_block cta = cg::this_thread_block();
    __shared__ unsigned int v[n_directions];
    if (threadIdx.x < n_directions) v[threadIdx.x] = d_directions[threadIdx.x];
    cg::sync(cta);
    int i0 = threadIdx.x + blockIdx.x * blockDim.x, stride = gridDim.x * blockDim.x;
    unsigned int g = i0 ^ (i0 >> 1), X = 0, mask, v_log2stridem1 = v[__ffs(stride) - 2];
    for (unsigned int k = 0; k < __ffs(stride) - 1; k++) {
        mask = -(g & 1);
        X ^= mask & v[k];
        g = g >> 1;
    }
    unsigned v_log2stridemask = stride - 1;
    d_output[i0] = (float)X * k_2powneg32;
    for (unsigned int i = i0 + stride; i < n; i += stride) {
        X ^= v_log2stridem1 ^ v[__ffs(~((i - stride) | v_log2stridemask)) - 1];
        d_output[i] = (float)X * k_2powneg32;
    }
}
extern "C" void sobolGPU(int n, unsigned int* d_directions, float* d_output) {
    sobolGPU_kernel<<<dim3(4), dim3(64)>>>(n, d_directions, d_output);
    getLastCudaError("sobol kernel");
}
