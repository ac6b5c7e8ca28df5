// Like yuhc/gpu-rodinia cuda/nw (needle.cu, needle_kernel.cu, needle.h)
#define LIMIT -999
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#define BLOCK_SIZE 16
#define SDATA(index) CUT_BANK_CHECKER(sdata, index)
__device__ __host__ int maximum(int a, int b, int c) {
    int k = a <= b ? b : a;
    return k <= c ? c : k;
}
__global__ void needle_row(const int* ref, const int* above, int* row, int cols, int i, int penalty) {
    __shared__ int temp[BLOCK_SIZE * 4 + 1];
    if (threadIdx.x == 0) {
        temp[0] = -i * penalty;
        for (int j = 1; j < cols; j++)
            temp[j] = maximum(above[j - 1] + ref[i * cols + j], temp[j - 1] - penalty, above[j] - penalty);
    }
    __syncthreads();
    for (int j = threadIdx.x; j < cols; j += blockDim.x) row[j] = temp[j];
}
double gettime() {
    struct timeval t;
    gettimeofday(&t, NULL);
    return t.tv_sec + t.tv_usec * 1e-6;
}
int main(int argc, char** argv) {
    const int n = BLOCK_SIZE * 2 + 1, penalty = 10;
    int ref[n * n], score[n * n], got[n * n], *d_ref, *d;
    srand(7);
    for (int& r : ref) r = rand() % 10 - 5;
    for (int j = 0; j < n; j++) score[j] = -j * penalty;
    for (int i = 1; i < n; i++) {
        score[i * n] = -i * penalty;
        for (int j = 1; j < n; j++)
            score[i * n + j] = maximum(score[(i - 1) * n + j - 1] + ref[i * n + j], score[i * n + j - 1] - penalty,
                                       score[(i - 1) * n + j] - penalty);
    }
    double start = gettime();
    cudaMalloc((void**)&d_ref, sizeof ref);
    cudaMalloc((void**)&d, sizeof score);
    cudaMemcpy(d_ref, ref, sizeof ref, cudaMemcpyHostToDevice);
    cudaMemcpy(d, score, n * sizeof(int), cudaMemcpyHostToDevice);
    for (int i = 1; i < n; i++) needle_row<<<1, BLOCK_SIZE>>>(d_ref, d + (i - 1) * n, d + i * n, n, i, penalty);
    cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost);
    bool ok = memcmp(got, score, sizeof got) == 0 && gettime() >= start;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_ref);
    cudaFree(d);
    return !ok;
}
