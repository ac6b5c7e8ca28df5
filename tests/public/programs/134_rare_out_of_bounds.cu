// Like AkshDesai04/CUDA Fundamentals_ErrorCheck_08_D.cu
#include <cuda_runtime.h>
#include <stdio.h>
#define N 1024
#define NUM_ITERATIONS 20
__global__ void riskyKernel(int* arr, int size) {
    unsigned int gid = blockIdx.x * blockDim.x + threadIdx.x, rnd = (gid * 1103515245u + 12345u) & 0x7fffffffu;
    if (rnd % 1000000 == 0)
        arr[size] = gid;
    else if (gid < size)
        arr[gid] = gid;
}
int main(void) {
    int *d, h[N];
    cudaMalloc((void**)&d, sizeof h);
    for (int i = 0; i < NUM_ITERATIONS; ++i) riskyKernel<<<N / 256, 256>>>(d, N);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < N; i++) ok = ok && h[i] == i;
    cudaFree(d);
    cudaDeviceReset();
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
