#include <iostream>
#include "stencil.h"
void stencil_sequential(const float* in, float* out, unsigned int N) {
    for (unsigned i = 1; i < N - 1; i++)
        for (unsigned j = 1; j < N - 1; j++)
            for (unsigned k = 1; k < N - 1; k++) {
                unsigned c = (i * N + j) * N + k;
                out[c] = 2 * in[c] + in[c - 1] + in[c + 1] + in[c - N] + in[c + N] + in[c - N * N] + in[c + N * N];
            }
}
__global__ void shared_kernel(const float* in, float* out, unsigned int N) {
    __shared__ float s[IN_TILE][IN_TILE][IN_TILE];
    int i = blockIdx.z * OUT_TILE + threadIdx.z - 1, j = blockIdx.y * OUT_TILE + threadIdx.y - 1,
        k = blockIdx.x * OUT_TILE + threadIdx.x - 1;
    unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    if (i >= 0 && i < N && j >= 0 && j < N && k >= 0 && k < N) s[z][y][x] = in[(i * N + j) * N + k];
    __syncthreads();
    if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1 && z >= 1 && z < IN_TILE - 1 && y >= 1 &&
        y < IN_TILE - 1 && x >= 1 && x < IN_TILE - 1)
        out[(i * N + j) * N + k] = 2 * s[z][y][x] + s[z][y][x - 1] + s[z][y][x + 1] + s[z][y - 1][x] + s[z][y + 1][x] +
                                   s[z - 1][y][x] + s[z + 1][y][x];
}
void stencil_shared(const float* in, float* out, unsigned int N) {
    float *d_in, *d_out;
    size_t bytes = N * N * N * sizeof(float);
    cudaError_t error = cudaMalloc((void**)&d_in, bytes);
    if (error != cudaSuccess) {
        std::cout << "cudaMalloc failed: " << cudaGetErrorString(error) << std::endl;
        return;
    }
    error = cudaMalloc((void**)&d_out, bytes);
    error = cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    error = cudaMemset(d_out, 0, bytes);
    unsigned g = cdiv(N, OUT_TILE);
    shared_kernel<<<dim3(g, g, g), dim3(IN_TILE, IN_TILE, IN_TILE)>>>(d_in, d_out, N);
    error = cudaGetLastError();
    if (error != cudaSuccess) std::cout << "Kernel launch failed: " << cudaGetErrorString(error) << std::endl;
    cudaDeviceSynchronize();
    error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
}
