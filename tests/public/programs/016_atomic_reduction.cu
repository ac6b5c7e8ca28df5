// Like zjin-lcf/HeCBench src/atomicReduction-cuda (reduction.cu, kernels.h); flags: -std=c++14
#include <cuda.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
__global__ void by_one(int* in, int* out, int n) {
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
    atomicAdd(out, sum);
}
__global__ void by_four(int* in, int* out, int n) {
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
        int4 v = reinterpret_cast<int4*>(in)[i];
        sum += v.x + v.y + v.z + v.w;
    }
    atomicAdd(out, sum);
}
int main(int argc, char** argv) {
    int n = 1 << 13, blocks[] = {128, 512};
    int *array = (int*)malloc(n * sizeof(int)), checksum = 0, *in, *out, sum;
    for (int i = 0; i < n; i++) checksum += array[i] = rand() % 2;
    std::chrono::high_resolution_clock::time_point t1 = std::chrono::high_resolution_clock::now(), t2;
    cudaDeviceProp props;
    cudaGetDeviceProperties(&props, 0);
    std::cout << "Device name: " << props.name << std::endl;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, array, n * sizeof(int), cudaMemcpyHostToDevice);
    bool ok = true;
#define benchmark(kernel_name, grid_size)                           \
    cudaMemset(out, 0, sizeof(int));                                \
    kernel_name<<<dim3(grid_size), dim3(block_size)>>>(in, out, n); \
    cudaDeviceSynchronize();                                        \
    t2 = std::chrono::high_resolution_clock::now();                 \
    cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);     \
    ok = ok && sum == checksum;                                     \
    std::cout << std::chrono::duration_cast<std::chrono::duration<double>>(t2 - t1).count() << std::endl;
    for (size_t k = 0; k < sizeof(blocks) / sizeof(int); k++) {
        int block_size = blocks[k];
        benchmark(by_one, 8);
        benchmark(by_four, std::min((n + block_size - 1) / block_size, 16) / 4);
    }
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    cudaFree(in);
    cudaFree(out);
    free(array);
    return !ok;
}
