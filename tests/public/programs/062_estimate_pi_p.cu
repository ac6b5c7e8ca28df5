// Like NVIDIA/cuda-samples 2_Concepts_and_Techniques/MC_EstimatePiP (piestimator.cu with curand.h, main.cpp, test.cpp);
// flags: -std=c++14 -lcurand
#include <cooperative_groups.h>
#include <curand.h>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>
__global__ void count(unsigned* results, const float* points, unsigned n) {
    unsigned in = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        in += points[i] * points[i] + points[n + i] * points[n + i] < 1;
    atomicAdd(results, in);
}
int main() {
    const unsigned n = 1000;
    float* d;
    unsigned* d_in;
    cudaMalloc((void**)&d, 2 * n * sizeof(float));
    cudaMalloc((void**)&d_in, sizeof(unsigned));
    curandGenerator_t prng;
    if (curandCreateGenerator(&prng, CURAND_RNG_PSEUDO_DEFAULT) != CURAND_STATUS_SUCCESS)
        throw std::runtime_error("no generator");
    curandSetPseudoRandomGeneratorSeed(prng, 1234);
    curandGenerateUniform(prng, d, 2 * n);
    curandDestroyGenerator(prng);
    count<<<4, 64>>>(d_in, d, n);
    std::cout << "PASS" << std::endl;
}
