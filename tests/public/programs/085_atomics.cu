// Like douyixuan/cuda-by-example examples/atomics/atomics.cu
#include <stdio.h>
const int N = 10000;
const int THREADS = 256;
__global__ void unsafeIncrement(int* counter, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) *counter = *counter + 1;
}
__global__ void safeIncrement(int* counter, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(counter, 1);
}
int main() {
    int blocks = (N + THREADS - 1) / THREADS, *d, h = 0;
    cudaMalloc(&d, sizeof(int));
    cudaMemcpy(d, &h, sizeof(int), cudaMemcpyHostToDevice);
    unsafeIncrement<<<blocks, THREADS>>>(d, N);
    cudaDeviceSynchronize();
    cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
    printf("Unsafe counter: %d (of %d)\n", h, N);
    bool ok = h > 0 && h < N;
    h = 0;
    cudaMemcpy(d, &h, sizeof(int), cudaMemcpyHostToDevice);
    safeIncrement<<<blocks, THREADS>>>(d, N);
    cudaDeviceSynchronize();
    cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
    ok = ok && h == N;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d);
    return !ok;
}
