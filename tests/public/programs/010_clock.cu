// Like zjin-lcf/HeCBench src/clock-cuda/main.cu; flags: -O3
#include <assert.h>
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#define NUM_BLOCKS 8
#define NUM_THREADS 64
__global__ static void timed_max(const float* input, float* output, clock_t* timer) {
    extern __shared__ float shared[];
    const int tid = threadIdx.x, bid = blockIdx.x;
    if (tid == 0) timer[bid] = clock();
    shared[tid] = input[tid];
    shared[tid + blockDim.x] = input[tid + blockDim.x];
    for (int d = blockDim.x; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d && shared[tid + d] > shared[tid]) shared[tid] = shared[tid + d];
    }
    if (tid == 0) output[bid] = shared[0];
    __syncthreads();
    if (tid == 0) timer[bid + gridDim.x] = clock();
}
int main(int argc, char** argv) {
    float *dinput = NULL, *doutput = NULL, input[NUM_THREADS * 2], output[NUM_BLOCKS];
    clock_t *dtimer = NULL, timer[NUM_BLOCKS * 2];
    for (int i = 0; i < NUM_THREADS * 2; i++) input[i] = (float)(i * 37 % 101);
    cudaMalloc((void**)&dinput, sizeof(input));
    cudaMalloc((void**)&doutput, sizeof(output));
    cudaMalloc((void**)&dtimer, sizeof(timer));
    cudaMemcpy(dinput, input, sizeof(input), cudaMemcpyHostToDevice);
    timed_max<<<NUM_BLOCKS, NUM_THREADS, sizeof(float) * 2 * NUM_THREADS>>>(dinput, doutput, dtimer);
    cudaMemcpy(output, doutput, sizeof(output), cudaMemcpyDeviceToHost);
    cudaMemcpy(timer, dtimer, sizeof(timer), cudaMemcpyDeviceToHost);
    long double total = 0;
    int wrong = 0;
    for (int i = 0; i < NUM_BLOCKS; i++) {
        total += timer[NUM_BLOCKS + i] - timer[i];
        wrong += output[i] != 100.f || timer[NUM_BLOCKS + i] <= timer[i];
    }
    printf("clocks: %Lf\n%s\n", total, wrong ? "FAIL" : "PASS");
    cudaFree(dinput);
    cudaFree(doutput);
    cudaFree(dtimer);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
