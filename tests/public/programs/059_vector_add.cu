// Like NVIDIA/cuda-samples 0_Introduction/vectorAdd/vectorAdd.cu; flags: -std=c++14 -lineinfo
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <stdio.h>
__global__ void vectorAdd(const float* A, const float* B, float* C, int numElements) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < numElements) C[i] = A[i] + B[i] + 0.0f;
}
int main(void) {
    cudaError_t err = cudaSuccess;
    int n = 5000;
    size_t size = n * sizeof(float);
    float *h[3], *d[3];
    for (int k = 0; k < 3; k++) {
        h[k] = (float*)malloc(size);
        err = cudaMalloc((void**)&d[k], size);
        if (err != cudaSuccess) {
            fprintf(stderr, "Failed to allocate (error code %s)!\n", cudaGetErrorString(err));
            exit(EXIT_FAILURE);
        }
    }
    for (int i = 0; i < n; ++i) h[0][i] = rand() / (float)RAND_MAX, h[1][i] = rand() / (float)RAND_MAX;
    for (int k = 0; k < 2; k++) err = cudaMemcpy(d[k], h[k], size, cudaMemcpyHostToDevice);
    vectorAdd<<<(n + 255) / 256, 256>>>(d[0], d[1], d[2], n);
    err = cudaGetLastError();
    if (err != cudaSuccess) exit(EXIT_FAILURE);
    err = cudaMemcpy(h[2], d[2], size, cudaMemcpyDeviceToHost);
    bool ok = err == cudaSuccess;
    for (int i = 0; i < n; ++i) ok = ok && fabs(h[0][i] + h[1][i] - h[2][i]) <= 1e-5;
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (int k = 0; k < 3; k++) {
        free(h[k]);
        cudaFree(d[k]);
    }
    return !ok;
}
