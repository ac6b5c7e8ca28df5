// Like douyixuan/cuda-by-example examples/curand-basics/curand-basics.cu; flags: -lcurand
#include <curand.h>
#include <stdio.h>
int main() {
    float* d;
    cudaMalloc(&d, 1024 * sizeof(float));
    curandGenerator_t gen;
    curandCreateGenerator(&gen, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(gen, 42);
    curandGenerateUniform(gen, d, 1024);
    curandGenerateNormal(gen, d, 1024, 0.0f, 1.0f);
    curandDestroyGenerator(gen);
    cudaFree(d);
    printf("PASS\n");
    return 0;
}
