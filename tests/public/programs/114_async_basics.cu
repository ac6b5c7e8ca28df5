// Like spig0126/cuda-parallel-programming AsyncrhonousProgramming/basics/basics_main.cu
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
const int BLOCK_SIZE = 64, N_SIZE = 1024, N_STREAM = 4, STREAM_SIZE = N_SIZE / N_STREAM,
          STREAM_BYTES = sizeof(int) * STREAM_SIZE;
int cpuOut[N_SIZE], loopOut[N_SIZE], batchOut[N_SIZE];
void checkCudaError(cudaError_t e) {
    if (e != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(e));
        exit(1);
    }
}
__global__ void square(int* d, int* out, const int first) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + first;
    out[i] = d[i] * d[i];
}
int main(void) {
    int *d, *d_out, *h;
    checkCudaError(cudaMalloc((void**)&d, sizeof cpuOut));
    checkCudaError(cudaMalloc((void**)&d_out, sizeof cpuOut));
    checkCudaError(cudaMallocHost((void**)&h, sizeof cpuOut));
    for (int i = 0; i < N_SIZE; i++) h[i] = i, cpuOut[i] = i * i;
    cudaStream_t s[N_STREAM];
    for (int i = 0; i < N_STREAM; i++) checkCudaError(cudaStreamCreate(&s[i]));
    for (int i = 0; i < N_STREAM; i++) {
        int at = i * STREAM_SIZE;
        cudaMemcpyAsync(&d[at], &h[at], STREAM_BYTES, cudaMemcpyHostToDevice, s[i]);
        square<<<STREAM_SIZE / BLOCK_SIZE, BLOCK_SIZE, 0, s[i]>>>(d, d_out, at);
        cudaMemcpyAsync(&loopOut[at], &d_out[at], STREAM_BYTES, cudaMemcpyDeviceToHost, s[i]);
    }
    checkCudaError(cudaDeviceSynchronize());
    checkCudaError(cudaMemset(d_out, 0, sizeof cpuOut));
    for (int i = 0; i < N_STREAM; i++)
        square<<<STREAM_SIZE / BLOCK_SIZE, BLOCK_SIZE, 0, s[i]>>>(d, d_out, i * STREAM_SIZE);
    for (int i = 0; i < N_STREAM; i++)
        cudaMemcpyAsync(&batchOut[i * STREAM_SIZE], &d_out[i * STREAM_SIZE], STREAM_BYTES, cudaMemcpyDeviceToHost,
                        s[i]);
    for (int i = 0; i < N_STREAM; i++) checkCudaError(cudaStreamDestroy(s[i]));
    checkCudaError(cudaDeviceSynchronize());
    bool ok = true;
    for (int i = 0; i < N_SIZE; i++) ok = ok && loopOut[i] == cpuOut[i] && batchOut[i] == cpuOut[i];
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d);
    cudaFree(d_out);
    cudaFreeHost(h);
    return !ok;
}
