// Like NVIDIA/cuda-samples 3_CUDA_Features/cudaCompressibleMemory (saxpy.cu, compMalloc.cpp); flags: -lcuda
#include <cuda.h>
#include <stdio.h>
#define CUDA_DRIVER_API
#include "helper_cuda.h"
__global__ void saxpy(const float a, const float4* x, float4* z, const size_t n) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        z[i] = make_float4(a * x[i].x, a * x[i].y, a * x[i].z, a * x[i].w);
}
int main() {
    CUdevice device;
    int supported = -1, grid, block;
    checkCudaErrors(cuCtxGetDevice(&device));
    checkCudaErrors(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED, device));
    checkCudaErrors(cudaOccupancyMaxPotentialBlockSize(&grid, &block, (void*)saxpy));
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    size_t granularity = 0;
    cuMemGetAllocationGranularity(&granularity, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    CUdeviceptr at;
    cuMemAddressReserve(&at, granularity, 0, 0, 0);
    saxpy<<<grid, block>>>(1.f, (float4*)at, (float4*)at, 16);
    cuMemAddressFree(at, granularity);
    printf("PASS\n");
    return 0;
}
