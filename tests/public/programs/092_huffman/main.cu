// Like yuhc/gpu-rodinia cuda/huffman (main_test_cu.cu, vlc_kernel_sm64huff.cu, scan.cu, pack_kernels.cu, cpuencode.cpp)
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include "cpuencode.h"
#define CUDA_SAFE_CALL(call)                                                                  \
    {                                                                                         \
        cudaError err = call;                                                                 \
        if (cudaSuccess != err) {                                                             \
            fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__, \
                    cudaGetErrorString(err));                                                 \
            exit(EXIT_FAILURE);                                                               \
        }                                                                                     \
    }
#define CUT_CHECK_ERROR(msg)                                           \
    {                                                                  \
        cudaError_t err = cudaGetLastError();                          \
        if (cudaSuccess != err) {                                      \
            fprintf(stderr, "%s: %s\n", msg, cudaGetErrorString(err)); \
            exit(EXIT_FAILURE);                                        \
        }                                                              \
    }
__global__ static void encode(unsigned int* data, const unsigned int* gm_words, const unsigned int* gm_lengths,
                              unsigned int* out, unsigned int* bits) {
    extern __shared__ unsigned int sm[];
    unsigned int *offsets = sm, *packed = sm + blockDim.x, word = gm_words[data[threadIdx.x]],
                 length = gm_lengths[data[threadIdx.x]];
    offsets[threadIdx.x] = length;
    packed[threadIdx.x] = 0;
    for (unsigned int d = 1; d < blockDim.x; d *= 2) {
        __syncthreads();
        unsigned int more = threadIdx.x >= d ? offsets[threadIdx.x - d] : 0;
        __syncthreads();
        offsets[threadIdx.x] += more;
    }
    __syncthreads();
    unsigned int at = offsets[threadIdx.x] - length, room = 32 - at % 32;
    if (length <= room)
        atomicOr(&packed[at / 32], word << (room - length));
    else {
        atomicOr(&packed[at / 32], word >> (length - room));
        atomicOr(&packed[at / 32 + 1], word << (32 - (length - room)));
    }
    __syncthreads();
    out[threadIdx.x] = packed[threadIdx.x];
    if (threadIdx.x == blockDim.x - 1) *bits = offsets[threadIdx.x];
}
int main() {
    const unsigned int n = 256, words[] = {0, 2, 6, 7}, lengths[] = {1, 2, 3, 3};
    unsigned int h[n], want[n] = {}, got[n], bits, want_bits, *d[5];
    struct timeval tv;
    gettimeofday(&tv, NULL);
    for (unsigned int i = 0; i < n; i++) h[i] = rand() % 8 < 4 ? 0 : rand() % 4;
    for (unsigned int*& p : d) CUDA_SAFE_CALL(cudaMalloc((void**)&p, sizeof h));
    CUDA_SAFE_CALL(cudaMemcpy(d[0], h, sizeof h, cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaMemcpy(d[1], words, sizeof words, cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaMemcpy(d[2], lengths, sizeof lengths, cudaMemcpyHostToDevice));
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start, 0);
    encode<<<dim3(1, 1, 1), dim3(n, 1, 1), 2 * n * sizeof(unsigned int)>>>(d[0], d[1], d[2], d[3], d[4]);
    cudaThreadSynchronize();
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    float ms;
    cudaEventElapsedTime(&ms, start, stop);
    CUT_CHECK_ERROR("Kernel execution failed\n");
    CUDA_SAFE_CALL(cudaMemcpy(got, d[3], sizeof got, cudaMemcpyDeviceToHost));
    CUDA_SAFE_CALL(cudaMemcpy(&bits, d[4], sizeof bits, cudaMemcpyDeviceToHost));
    cpu_vlc_encode(h, n, want, &want_bits, words, lengths);
    bool ok = bits == want_bits && memcmp(got, want, sizeof got) == 0;
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (unsigned int* p : d) CUDA_SAFE_CALL(cudaFree(p));
    CUDA_SAFE_CALL(cudaThreadExit());
    return !ok;
}
