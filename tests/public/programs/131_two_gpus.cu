// Like AkshDesai04/CUDA Advanced_MultiGPU_02.cu
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#define CUDA_CHECK(call)                                                                               \
    do {                                                                                               \
        cudaError_t err = (call);                                                                      \
        if (err != cudaSuccess) {                                                                      \
            fprintf(stderr, "CUDA error at %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
            exit(EXIT_FAILURE);                                                                        \
        }                                                                                              \
    } while (0)
__global__ void vectorAdd(const float* A, const float* B, float* C, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) C[idx] = A[idx] + B[idx];
}
int main(void) {
    const int N = 1 << 11, half = N / 2;
    float *A = (float*)malloc(N * sizeof(float)), *B = (float*)malloc(N * sizeof(float)),
          *C = (float*)malloc(N * sizeof(float));
    if (!A || !B || !C) return EXIT_FAILURE;
    for (int i = 0; i < N; ++i) A[i] = (float)i, B[i] = (float)(N - i);
    int count = 0;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    if (count < 2) fprintf(stderr, "one device takes both halves\n");
    for (int k = 0; k < 2; k++) {
        float* d[3];
        CUDA_CHECK(cudaSetDevice(k % count));
        for (float*& p : d) CUDA_CHECK(cudaMalloc((void**)&p, half * sizeof(float)));
        CUDA_CHECK(cudaMemcpy(d[0], A + k * half, half * sizeof(float), cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(d[1], B + k * half, half * sizeof(float), cudaMemcpyHostToDevice));
        vectorAdd<<<(half + 255) / 256, 256>>>(d[0], d[1], d[2], half);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(C + k * half, d[2], half * sizeof(float), cudaMemcpyDeviceToHost));
        for (float* p : d) CUDA_CHECK(cudaFree(p));
    }
    bool ok = true;
    for (int i = 0; i < N; ++i) ok = ok && C[i] == N;
    printf("%s\n", ok ? "PASS" : "FAIL");
    free(A);
    free(B);
    free(C);
    return !ok;
}
