// Like NVIDIA/cuda-samples 0_Introduction/template (template.cu, template_cpu.cpp); flags: -std=c++14
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern "C" void computeGold(float* reference, float* idata, const unsigned int len);
__global__ void testKernel(float* g_idata, float* g_odata) {
    extern __shared__ float sdata[];
    const unsigned int tid = threadIdx.x, num_threads = blockDim.x;
    sdata[tid] = g_idata[tid];
    __syncthreads();
    sdata[tid] = (float)num_threads * sdata[tid];
    __syncthreads();
    g_odata[tid] = sdata[tid];
}
int main(int argc, char** argv) {
    findCudaDevice(argc, (const char**)argv);
    StopWatchInterface* timer = 0;
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    const unsigned int n = 32, bytes = n * sizeof(float);
    float *h = (float*)malloc(bytes), *want = (float*)malloc(bytes), *got = (float*)malloc(bytes), *d_in, *d_out;
    for (unsigned int i = 0; i < n; ++i) h[i] = (float)i;
    checkCudaErrors(cudaMalloc((void**)&d_in, bytes));
    checkCudaErrors(cudaMemcpy(d_in, h, bytes, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMalloc((void**)&d_out, bytes));
    testKernel<<<dim3(1, 1, 1), dim3(n, 1, 1), bytes, 0>>>(d_in, d_out);
    getLastCudaError("Kernel execution failed");
    checkCudaErrors(cudaMemcpy(got, d_out, bytes, cudaMemcpyDeviceToHost));
    sdkStopTimer(&timer);
    printf("Processing time: %f (ms)\n", sdkGetTimerValue(&timer));
    sdkDeleteTimer(&timer);
    computeGold(want, h, n);
    bool ok = memcmp(got, want, bytes) == 0;
    printf("%s\n", ok ? "PASS" : "FAIL");
    free(h);
    free(want);
    free(got);
    checkCudaErrors(cudaFree(d_in));
    checkCudaErrors(cudaFree(d_out));
    exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}
