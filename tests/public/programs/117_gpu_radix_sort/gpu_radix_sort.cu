#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/scan.h>
#include "gpu_radix_sort.h"
__global__ void bits_of(const unsigned* in, unsigned* bits, unsigned N, unsigned iter) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < N) bits[t] = in[t] >> iter & 1;
}
__global__ void scatter(const unsigned* in, unsigned* out, const unsigned* before, unsigned N, unsigned iter) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= N) return;
    unsigned ones = before[N - 1] + (in[N - 1] >> iter & 1);
    out[in[t] >> iter & 1 ? N - ones + before[t] : t - before[t]] = in[t];
}
void gpuRadixSortDevice(unsigned int*& d_input, int N) {
    unsigned *d_output, *d_bits;
    cudaMalloc((void**)&d_output, N * sizeof(unsigned));
    cudaMalloc((void**)&d_bits, N * sizeof(unsigned));
    for (unsigned iter = 0; iter < 10; iter++) {
        bits_of<<<(N + 255) / 256, 256>>>(d_input, d_bits, N, iter);
        cudaDeviceSynchronize();
        thrust::device_ptr<unsigned> bits(d_bits);
        thrust::exclusive_scan(bits, bits + N, bits);
        scatter<<<(N + 255) / 256, 256>>>(d_input, d_output, d_bits, N, iter);
        cudaDeviceSynchronize();
        unsigned* t = d_input;
        d_input = d_output;
        d_output = t;
    }
    cudaFree(d_output);
    cudaFree(d_bits);
}
