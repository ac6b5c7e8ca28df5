// Like NVIDIA/cuda-samples 2_Concepts_and_Techniques/dct8x8 (dct8x8.cu, dct8x8_kernel1.cuh, BmpUtil.cpp); flags:
// -std=c++14
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <string.h>
namespace cg = cooperative_groups;
#define BLOCK_SIZE 8
__constant__ float DCTv8matrix[BLOCK_SIZE * BLOCK_SIZE];
__global__ void dct(float* dst, int width, cudaTextureObject_t TexSrc) {
    cg::thread_block cta = cg::this_thread_block();
    __shared__ float block[BLOCK_SIZE * BLOCK_SIZE];
    const float tx = (float)(blockIdx.x * 8 + threadIdx.x) + 0.5f, ty = (float)(blockIdx.y * 8 + threadIdx.y) + 0.5f;
    block[threadIdx.y * 8 + threadIdx.x] = tex2D<float>(TexSrc, tx, ty) - 128.f;
    cg::sync(cta);
    float sum = 0;
    for (int i = 0; i < 8; i++) sum += DCTv8matrix[threadIdx.y * 8 + i] * block[i * 8 + threadIdx.x];
    dst[(blockIdx.y * 8 + threadIdx.y) * width + blockIdx.x * 8 + threadIdx.x] = sum;
}
int main() {
    const int w = 32, h = 16;
    float* dst;
    cudaArray* src = NULL;
    cudaChannelFormatDesc floattex = cudaCreateChannelDesc<float>();
    checkCudaErrors(cudaMallocArray(&src, &floattex, w, h));
    checkCudaErrors(cudaMalloc((void**)&dst, w * h * sizeof(float)));
    cudaTextureObject_t TexSrc;
    cudaResourceDesc texRes;
    memset(&texRes, 0, sizeof(cudaResourceDesc));
    texRes.resType = cudaResourceTypeArray;
    texRes.res.array.array = src;
    cudaTextureDesc texDescr;
    memset(&texDescr, 0, sizeof(cudaTextureDesc));
    texDescr.addressMode[0] = cudaAddressModeWrap;
    checkCudaErrors(cudaCreateTextureObject(&TexSrc, &texRes, &texDescr, NULL));
    dct<<<dim3(4, 2), dim3(8, 8)>>>(dst, w, TexSrc);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaFreeArray(src));
    printf("PASS\n");
    return 0;
}
