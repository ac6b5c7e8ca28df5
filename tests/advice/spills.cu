// Needs the assembler's figures: 48 sums alive at once in at most 32 registers, and the same with room for them.
#include <cuda_runtime.h>

template <int BLOCKS>
__global__ void __launch_bounds__(1024, BLOCKS) sums(const float* in, float* out, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum[48];
    for (int k = 0; k < 48; ++k) sum[k] = static_cast<float>(k);
    for (int n = 0; n < steps; ++n) {
        float x = in[i + n * 1024];
        for (int k = 0; k < 48; ++k) sum[k] = sum[k] * x + sum[(k + 1) % 48];
    }
    float all = 0;
    for (int k = 0; k < 48; ++k) all += sum[k];
    out[i] = all;
}

int main() {
    float *in, *out;
    cudaMalloc(&in, 64 * 1024 * sizeof(float));
    cudaMalloc(&out, 64 * 1024 * sizeof(float));
    sums<2><<<24, 1024>>>(in, out, 2);
    sums<1><<<24, 1024>>>(in, out, 2);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
