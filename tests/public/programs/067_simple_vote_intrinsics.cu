// Like NVIDIA/cuda-samples 0_Introduction/simpleVoteIntrinsics (simpleVoteIntrinsics.cu, simpleVote_kernel.cuh); flags:
// -std=c++14
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__global__ void votes(unsigned int* input, unsigned int* any, unsigned int* all, unsigned int* ballot,
                      unsigned int* same) {
    int tx = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int mask = 0xffffffff;
    any[tx] = __any_sync(mask, input[tx]);
    all[tx] = __all_sync(mask, input[tx]);
    ballot[tx] = __ballot_sync(mask, input[tx]);
    same[tx] = (__match_any_sync(mask, input[tx]) >> (threadIdx.x % 32)) & 1;
}
int main(int argc, char** argv) {
    const int n = 128;
    unsigned int in[n], *d[5], out[4][n];
    findCudaDevice(argc, (const char**)argv);
    for (int i = 0; i < n; i++) in[i] = i < 32 ? 0 : i < 64 ? 1 : i < 96 ? i & 1 : (i == 100);
    for (auto& p : d) checkCudaErrors(cudaMalloc((void**)&p, sizeof in));
    checkCudaErrors(cudaMemcpy(d[0], in, sizeof in, cudaMemcpyHostToDevice));
    votes<<<dim3(2), dim3(64)>>>(d[0], d[1], d[2], d[3], d[4]);
    checkCudaErrors(cudaDeviceSynchronize());
    for (int k = 0; k < 4; k++) checkCudaErrors(cudaMemcpy(out[k], d[k + 1], sizeof in, cudaMemcpyDeviceToHost));
    bool ok = true;
    for (int w = 0; w < 4; w++) {
        unsigned bits = 0;
        for (int i = 0; i < 32; i++) bits |= in[w * 32 + i] << i;
        for (int i = 0; i < 32; i++) {
            int at = w * 32 + i;
            ok = ok && out[0][at] == (bits != 0) && out[1][at] == (bits == 0xffffffff) && out[2][at] == bits &&
                 out[3][at];
        }
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (auto p : d) cudaFree(p);
    return !ok;
}
