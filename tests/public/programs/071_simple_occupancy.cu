// Like NVIDIA/cuda-samples 0_Introduction/simpleOccupancy/simpleOccupancy.cu; flags: -std=c++14
#include <helper_cuda.h>
#include <iostream>
const int manualBlockSize = 32;
__global__ void square(int* array, int arrayCount) {
    extern __shared__ int dynamicSmem[];
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < arrayCount) array[idx] *= array[idx];
}
static double reportPotentialOccupancy(void* kernel, int blockSize, size_t dynamicSMem) {
    int device, numBlocks;
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDevice(&device));
    checkCudaErrors(cudaGetDeviceProperties(&prop, device));
    checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, kernel, blockSize, dynamicSMem));
    return (double)(numBlocks * (blockSize / prop.warpSize)) / (prop.maxThreadsPerMultiProcessor / prop.warpSize);
}
static int launchConfig(int* array, int arrayCount, bool automatic) {
    int blockSize = manualBlockSize, minGridSize;
    size_t dynamicSMemUsage = 0;
    float ms;
    cudaEvent_t start, end;
    checkCudaErrors(cudaEventCreate(&start));
    checkCudaErrors(cudaEventCreate(&end));
    if (automatic)
        checkCudaErrors(
            cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, (void*)square, dynamicSMemUsage, arrayCount));
    checkCudaErrors(cudaEventRecord(start));
    square<<<(arrayCount + blockSize - 1) / blockSize, blockSize, dynamicSMemUsage>>>(array, arrayCount);
    checkCudaErrors(cudaEventRecord(end));
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaEventElapsedTime(&ms, start, end));
    double potential = reportPotentialOccupancy((void*)square, blockSize, dynamicSMemUsage);
    std::cout << "Potential occupancy: " << potential * 100 << "%" << std::endl;
    return potential > 0 && potential <= 1;
}
int main() {
    const int count = 3000;
    int array[count], *d;
    bool ok = true;
    checkCudaErrors(cudaMalloc(&d, sizeof array));
    for (int automatic = 0; automatic < 2; automatic++) {
        for (int i = 0; i < count; i++) array[i] = i;
        checkCudaErrors(cudaMemcpy(d, array, sizeof array, cudaMemcpyHostToDevice));
        ok = launchConfig(d, count, automatic) && ok;
        checkCudaErrors(cudaMemcpy(array, d, sizeof array, cudaMemcpyDeviceToHost));
        for (int i = 0; i < count; i++) ok = ok && array[i] == i * i;
    }
    checkCudaErrors(cudaFree(d));
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    return !ok;
}
