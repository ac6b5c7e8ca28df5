// Like douyixuan/cuda-by-example examples/bank-conflict-avoidance/bank-conflict-avoidance.cu
#include <stdio.h>
#include <string.h>
const int N = 64, TILE = 32;
template <int PAD>
__global__ void transpose(const float* in, float* out, int n) {
    __shared__ float tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += blockDim.y) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += blockDim.y) out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
int main() {
    static float h[N * N], got[2][N * N];
    float *a, *b;
    for (int i = 0; i < N * N; i++) h[i] = i;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    transpose<0><<<dim3(2, 2), dim3(32, 8)>>>(a, b, N);
    cudaMemcpy(got[0], b, sizeof h, cudaMemcpyDeviceToHost);
    transpose<1><<<dim3(2, 2), dim3(32, 8)>>>(a, b, N);
    cudaMemcpy(got[1], b, sizeof h, cudaMemcpyDeviceToHost);
    bool ok = memcmp(got[0], got[1], sizeof h) == 0;
    for (int i = 0; i < N * N; i++) ok = ok && got[0][i % N * N + i / N] == h[i];
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(a);
    cudaFree(b);
    return !ok;
}
