// Like NVIDIA/cuda-samples 5_Domain_Specific/SobolQRNG (sobol.cpp, sobol_gpu.cu, sobol_gold.cpp, sobol_primitives.cpp);
// flags: -std=c++14
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <cmath>
#include <iostream>
#include <vector>
#include "sobol.h"
int main() {
    const int n = 1024;
    unsigned int directions[n_directions], *d_directions;
    float* d_out;
    std::vector<float> want(n), got(n);
    initSobolVectors(directions);
    checkCudaErrors(cudaMalloc((void**)&d_directions, sizeof directions));
    checkCudaErrors(cudaMalloc((void**)&d_out, n * sizeof(float)));
    checkCudaErrors(cudaMemcpy(d_directions, directions, sizeof directions, cudaMemcpyHostToDevice));
    sobolGPU(n, d_directions, d_out);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(got.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost));
    sobolCPU(n, directions, want.data());
    double error = 0, sum = 0;
    for (int i = 0; i < n; i++) error += std::fabs(want[i] - got[i]), sum += got[i];
    std::cout << "mean " << sum / n << " error " << error << "\n" << (error < 1e-4 ? "PASS" : "FAIL") << std::endl;
    checkCudaErrors(cudaFree(d_directions));
    checkCudaErrors(cudaFree(d_out));
    return error >= 1e-4;
}
