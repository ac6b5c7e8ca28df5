// Like NVIDIA/cuda-samples 2_Concepts_and_Techniques/FunctionPointers/FunctionPointers_kernels.cu; flags: -std=c++14
#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>
namespace cg = cooperative_groups;
#include <helper_cuda.h>
cudaTextureObject_t tex;
static cudaArray* array = NULL;
typedef unsigned char (*pointFunction_t)(unsigned char, float);
__device__ unsigned char Threshold(unsigned char in, float thresh) { return in > thresh ? 0xFF : 0; }
__device__ pointFunction_t pComputeThreshold = Threshold;
__device__ pointFunction_t pointFunction_table[2];
pointFunction_t h_table[2];
__global__ void filter(unsigned char* out, int w, int which, cudaTextureObject_t tex) {
    for (int i = threadIdx.x; i < w; i += blockDim.x)
        out[blockIdx.x * w + i] =
            (*pointFunction_table[which])(tex2D<unsigned char>(tex, (float)i, (float)blockIdx.x), 150.f);
}
int main() {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned char>();
    checkCudaErrors(cudaMallocArray(&array, &desc, 64, 8));
    cudaResourceDesc texRes;
    memset(&texRes, 0, sizeof(cudaResourceDesc));
    texRes.resType = cudaResourceTypeArray;
    texRes.res.array.array = array;
    cudaTextureDesc texDescr;
    memset(&texDescr, 0, sizeof(cudaTextureDesc));
    checkCudaErrors(cudaCreateTextureObject(&tex, &texRes, &texDescr, NULL));
    checkCudaErrors(cudaMemcpyFromSymbol(&h_table[0], pComputeThreshold, sizeof(pointFunction_t)));
    checkCudaErrors(cudaMemcpyToSymbol(pointFunction_table, h_table, sizeof(pointFunction_t) * 2));
    unsigned char* out;
    checkCudaErrors(cudaMalloc((void**)&out, 512));
    filter<<<8, 64>>>(out, 64, 0, tex);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaDestroyTextureObject(tex));
    printf("PASS\n");
    return 0;
}
