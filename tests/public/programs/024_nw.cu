// Like zjin-lcf/HeCBench nw-cuda (nw.cu, kernels, reference.cpp); flags: -O3
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <chrono>
#define BLOCK_SIZE 16
__host__ __device__ int maximum(int a, int b, int c) {
    int k = a <= b ? b : a;
    return k <= c ? c : k;
}
__global__ void corner(int* items, const int* ref, int cols, int blk, int width, int penalty, bool second) {
    __shared__ int score[BLOCK_SIZE + 1][BLOCK_SIZE + 1];
    int tx = threadIdx.x, bx = second ? blockIdx.x + width - blk : blockIdx.x,
        by = second ? width - blockIdx.x - 1 : blk - 1 - blockIdx.x;
    int base = cols * (by * BLOCK_SIZE + 1) + bx * BLOCK_SIZE + 1;
    if (tx == 0) score[0][0] = items[base - cols - 1];
    score[0][tx + 1] = items[base - cols + tx];
    score[tx + 1][0] = items[base + tx * cols - 1];
    __syncthreads();
    for (int m = 0; m < 2 * BLOCK_SIZE - 1; m++) {
        int x = tx + 1, y = m - tx + 1;
        if (y >= 1 && y <= BLOCK_SIZE)
            score[y][x] = maximum(score[y - 1][x - 1] + ref[base + (y - 1) * cols + x - 1], score[y][x - 1] - penalty,
                                  score[y - 1][x] - penalty);
        __syncthreads();
    }
    for (int ty = 0; ty < BLOCK_SIZE; ty++) items[base + ty * cols + tx] = score[ty + 1][tx + 1];
}
int main(int argc, char** argv) {
    const int width = 3, rows = width * BLOCK_SIZE + 1, cols = rows, penalty = 10;
    size_t bytes = rows * cols * sizeof(int);
    int *ref = (int*)malloc(bytes), *items = (int*)calloc(rows * cols, sizeof(int)), *got = (int*)malloc(bytes), *d_ref,
        *d_items;
    srand(7);
    for (int i = 0; i < rows * cols; i++) ref[i] = rand() % 21 - 10;
    for (int i = 1; i < rows; i++) items[i * cols] = items[i] = -i * penalty;
    cudaMalloc((void**)&d_ref, bytes);
    cudaMalloc((void**)&d_items, bytes);
    cudaMemcpy(d_ref, ref, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_items, items, bytes, cudaMemcpyHostToDevice);
    auto start = std::chrono::steady_clock::now();
    for (int blk = 1; blk <= width; blk++)
        corner<<<blk, BLOCK_SIZE>>>(d_items, d_ref, cols, blk, width, penalty, false);
    for (int blk = width - 1; blk >= 1; blk--)
        corner<<<blk, BLOCK_SIZE>>>(d_items, d_ref, cols, blk, width, penalty, true);
    cudaDeviceSynchronize();
    printf("%ld\n", (long)(std::chrono::steady_clock::now() - start).count());
    cudaMemcpy(got, d_items, bytes, cudaMemcpyDeviceToHost);
    for (int i = 1; i < rows; i++)
        for (int j = 1; j < cols; j++)
            items[i * cols + j] = maximum(items[(i - 1) * cols + j - 1] + ref[i * cols + j],
                                          items[i * cols + j - 1] - penalty, items[(i - 1) * cols + j] - penalty);
    int err = memcmp(items, got, bytes);
    printf("%s\n", err ? "FAIL" : "PASS");
    cudaFree(d_ref);
    cudaFree(d_items);
    free(ref);
    free(items);
    free(got);
    return err != 0;
}
