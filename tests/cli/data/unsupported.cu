// A kernel with a PTX instruction for which there is no row, and a program that does not look at what its launch gave.
#include <cuda_runtime.h>

__global__ void needs_video(unsigned* values) {
    unsigned sum = 0;
    asm volatile("vadd.u32.u32.u32 %0, %1, %2;" : "=r"(sum) : "r"(values[0]), "r"(values[1]));
    values[2] = sum;
}

int main() {
    unsigned* values = nullptr;
    cudaMalloc(&values, 64);
    needs_video<<<1, 1>>>(values);
    needs_video<<<1, 1>>>(values);
    return 0;
}
