// Like NVIDIA/cuda-samples 0_Introduction/simpleAttributes/simpleAttributes.cu; flags: -std=c++14
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__global__ void kCacheSegmentTest(int* data, int size, int* trash, int hitSize) {
    unsigned int tid = threadIdx.x + blockIdx.x * blockDim.x, hit = size > hitSize ? hitSize : size;
    data[tid % hit] = data[tid % hit] + 1;
    trash[tid % size] = 1;
}
int main(int argc, char** argv) {
    int devID = findCudaDevice(argc, (const char**)argv), n = 512, *data, *trash, *h = (int*)malloc(n * sizeof(int));
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDeviceProperties(&prop, devID));
    printf("persisting L2 at most %d, window at most %d\n", prop.persistingL2CacheMaxSize,
           prop.accessPolicyMaxWindowSize);
    checkCudaErrors(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, prop.persistingL2CacheMaxSize));
    cudaStream_t stream;
    checkCudaErrors(cudaStreamCreate(&stream));
    checkCudaErrors(cudaMalloc((void**)&data, n * sizeof(int)));
    checkCudaErrors(cudaMalloc((void**)&trash, n * sizeof(int)));
    checkCudaErrors(cudaMemset(data, 0, n * sizeof(int)));
    cudaStreamAttrValue value;
    memset(&value, 0, sizeof value);
    value.accessPolicyWindow.base_ptr = (void*)data;
    value.accessPolicyWindow.num_bytes = n * sizeof(int);
    value.accessPolicyWindow.hitRatio = 1.f;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    checkCudaErrors(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
    for (int i = 0; i < 3; i++) kCacheSegmentTest<<<2, 256, 0, stream>>>(data, n, trash, n);
    checkCudaErrors(cudaStreamSynchronize(stream));
    value.accessPolicyWindow.num_bytes = 0;
    checkCudaErrors(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
    checkCudaErrors(cudaCtxResetPersistingL2Cache());
    checkCudaErrors(cudaMemcpy(h, data, n * sizeof(int), cudaMemcpyDeviceToHost));
    bool ok = true;
    for (int i = 0; i < n; i++) ok = ok && h[i] == 3;
    printf("%s\n", ok ? "PASS" : "FAIL");
    checkCudaErrors(cudaStreamDestroy(stream));
    checkCudaErrors(cudaFree(data));
    checkCudaErrors(cudaFree(trash));
    free(h);
    return !ok;
}
