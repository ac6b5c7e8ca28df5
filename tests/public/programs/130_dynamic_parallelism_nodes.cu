// Like AkshDesai04/CUDA Advanced_ModernFeatures_03.cu; flags: -rdc=true
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
__global__ void childKernel(int value, int* output, int idx) { output[idx] = value * 2; }
__global__ void parentKernel(const int* input, int* output, int n, int threshold) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) {
        if (input[idx] > threshold)
            childKernel<<<1, 1>>>(input[idx], output, idx);
        else
            output[idx] = input[idx];
    }
}
int main() {
    int h[10] = {}, *in, *out;
    cudaMalloc((void**)&in, sizeof h);
    cudaMalloc((void**)&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    parentKernel<<<1, 256>>>(in, out, 10, 5);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaFree(in);
    cudaFree(out);
    printf("PASS\n");
    return 0;
}
