// Like zjin-lcf/HeCBench src/multinomial-cuda/main.cu; flags: -std=c++17
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <chrono>
#include <cub/cub.cuh>
#include <random>
#define THREADS 128
template <typename scalar_t>
__global__ void sample_once(int* dest, int rows, int categories, const scalar_t* __restrict__ sampled,
                            const scalar_t* __restrict__ dist) {
    __shared__ scalar_t total;
    __shared__ int found;
    typedef cub::BlockReduce<scalar_t, THREADS> BlockReduce;
    typedef cub::BlockScan<scalar_t, THREADS> BlockScan;
    __shared__ union {
        typename BlockReduce::TempStorage reduce;
        typename BlockScan::TempStorage scan;
    } temp;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        scalar_t mine = threadIdx.x < categories ? dist[row * categories + threadIdx.x] : scalar_t(0),
                 sum = BlockReduce(temp.reduce).Sum(mine), upto;
        if (threadIdx.x == 0) {
            total = sum;
            found = 0;
        }
        __syncthreads();
        BlockScan(temp.scan).InclusiveSum(mine, upto);
        if (threadIdx.x < categories && upto - mine <= sampled[row] * total) atomicMax(&found, (int)threadIdx.x);
        __syncthreads();
        if (threadIdx.x == 0) dest[row] = found;
        __syncthreads();
    }
}
int main() {
    const int rows = 6, categories = 100;
    std::default_random_engine g(123);
    std::uniform_real_distribution<float> uniform(0.f, 1.f);
    float sample[rows], dist[rows * categories], *d_sample, *d_dist;
    int result[rows], *d_result, wrong = 0;
    for (float& s : sample) s = uniform(g);
    for (float& w : dist) w = g() % 100 + 1;
    cudaMalloc((void**)&d_sample, sizeof sample);
    cudaMalloc((void**)&d_dist, sizeof dist);
    cudaMalloc((void**)&d_result, sizeof result);
    cudaMemcpy(d_sample, sample, sizeof sample, cudaMemcpyHostToDevice);
    cudaMemcpy(d_dist, dist, sizeof dist, cudaMemcpyHostToDevice);
    sample_once<float><<<dim3(4), dim3(THREADS)>>>(d_result, rows, categories, d_sample, d_dist);
    cudaMemcpy(result, d_result, sizeof result, cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; r++) {
        double total = 0, upto = 0;
        int at = 0;
        for (int c = 0; c < categories; c++) total += dist[r * categories + c];
        for (int c = 0; c < categories; upto += dist[r * categories + c++])
            if (upto <= sample[r] * total) at = c;
        wrong += abs(at - result[r]) > 1;
    }
    printf("%s\n", wrong ? "FAIL" : "PASS");
    cudaFree(d_sample);
    cudaFree(d_dist);
    cudaFree(d_result);
    return wrong != 0;
}
