// Like sonvule59/CUDA_and_OpenMP cuda_examples/test.cu
#include <stdio.h>
__global__ void dummy() {}
int main() {
    dummy<<<1, 1>>>();
    printf("Test\n%s\n", cudaDeviceSynchronize() == cudaSuccess ? "PASS" : "FAIL");
    return 0;
}
