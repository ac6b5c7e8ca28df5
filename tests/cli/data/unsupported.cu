// A kernel with a PTX instruction for which there is no row, and a program that does not look at what its launch gave.
#include <cuda_runtime.h>

__global__ void needs_types(unsigned* values) {
    unsigned answer = 0;
    asm volatile("{ .reg .pred p; istypep.texref p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(answer) : "l"(values));
    values[2] = answer;
}

int main() {
    unsigned* values = nullptr;
    cudaMalloc(&values, 64);
    needs_types<<<1, 1>>>(values);
    needs_types<<<1, 1>>>(values);
    return 0;
}
