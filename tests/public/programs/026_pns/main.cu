// Like zjin-lcf/HeCBench src/pns-cuda (main.cu, rand_gen.cu, petri_kernel.cu); flags: -O3
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include "petri_kernel.cuh"
#include "rand_gen.cuh"
#define CUDA_ERRCK                                                             \
    {                                                                          \
        cudaError_t err = cudaGetLastError();                                  \
        if (err) fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(err)); \
    }
void* AllocateDeviceMemory(int size) {
    int* mem;
    cudaMalloc((void**)&mem, size);
    return mem;
}
void CopyFromDeviceMemory(void* h_p, void* d_p, int size) {
    cudaMemcpy(h_p, d_p, size, cudaMemcpyDeviceToHost);
    CUDA_ERRCK
}
void FreeDeviceMemory(void* mem) {
    if (mem != NULL) cudaFree(mem);
}
int main() {
    const int blocks = 6, steps = 10;
    int places[blocks * STATE_N], wrong = 0;
    float vars[blocks];
    int* d_places = (int*)AllocateDeviceMemory(sizeof places);
    float* d_vars = (float*)AllocateDeviceMemory(sizeof vars);
    struct timeval tv;
    gettimeofday(&tv, NULL);
    PetrinetKernel<<<dim3(blocks), dim3(STATE_N)>>>(d_places, d_vars, STATE_N, steps, 5489);
    cudaDeviceSynchronize();
    CopyFromDeviceMemory(places, d_places, sizeof places);
    CopyFromDeviceMemory(vars, d_vars, sizeof vars);
    for (int b = 0; b < blocks; b++) {
        int sum = 0;
        for (int i = 0; i < STATE_N; i++) sum += places[b * STATE_N + i];
        uint32 mt[STATE_N], next[STATE_N];
        seed_state(5489 + b, mt);
        for (int s = 0; s < steps; s++) {
            for (int i = 0; i < STATE_N; i++) next[i] = twist(mt, i);
            memcpy(mt, next, sizeof mt);
        }
        wrong += sum != 4 * STATE_N || vars[b] != (float)mt[0];
    }
    printf("%s\n", wrong ? "FAIL" : "PASS");
    FreeDeviceMemory(d_places);
    FreeDeviceMemory(d_vars);
    return wrong != 0;
}
