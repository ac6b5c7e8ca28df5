// Like NVIDIA/cuda-samples 2_Concepts_and_Techniques/sortingNetworks (main.cpp, bitonicSort.cu, oddEvenMergeSort.cu,
// *_validate.cpp); flags: -std=c++14
#include <assert.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_timer.h>
#include "sorting.h"
int main(int argc, char** argv) {
    const uint batch = 3, n = batch * SHARED_SIZE_LIMIT;
    uint key[n], val[n], sorted[n], with[n], *d_key, *d_val;
    StopWatchInterface* timer = NULL;
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    for (uint i = 0; i < n; i++) key[i] = rand() % 65536, val[i] = i;
    checkCudaErrors(cudaMalloc((void**)&d_key, sizeof key));
    checkCudaErrors(cudaMalloc((void**)&d_val, sizeof val));
    bool ok = true;
    for (uint dir = 0; dir < 2; dir++) {
        checkCudaErrors(cudaMemcpy(d_key, key, sizeof key, cudaMemcpyHostToDevice));
        checkCudaErrors(cudaMemcpy(d_val, val, sizeof val, cudaMemcpyHostToDevice));
        ok = ok && bitonicSort(d_key, d_val, batch, dir) == 128;
        checkCudaErrors(cudaDeviceSynchronize());
        checkCudaErrors(cudaMemcpy(sorted, d_key, sizeof key, cudaMemcpyDeviceToHost));
        checkCudaErrors(cudaMemcpy(with, d_val, sizeof val, cudaMemcpyDeviceToHost));
        for (uint i = 0; i < n; i++) {
            ok = ok && key[with[i]] == sorted[i];
            if (i % SHARED_SIZE_LIMIT) ok = ok && (dir ? sorted[i - 1] <= sorted[i] : sorted[i - 1] >= sorted[i]);
        }
    }
    sdkStopTimer(&timer);
    sdkDeleteTimer(&timer);
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_key);
    cudaFree(d_val);
    exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}
