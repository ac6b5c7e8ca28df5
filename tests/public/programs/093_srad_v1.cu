// Like yuhc/gpu-rodinia cuda/srad/srad_v1 (main.cu, kernels, graphics.c, resize.c)
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define fp float
#define NUMBER_THREADS 128
void checkCUDAError(const char* msg) {
    cudaError_t err = cudaGetLastError();
    if (cudaSuccess != err) {
        fprintf(stderr, "Cuda error: %s: %s.\n", msg, cudaGetErrorString(err));
        fflush(NULL);
        exit(EXIT_FAILURE);
    }
}
__global__ void extract(long d_Ne, fp* d_I) {
    int ei = blockIdx.x * NUMBER_THREADS + threadIdx.x;
    if (ei < d_Ne) d_I[ei] = exp(d_I[ei] / 255);
}
__global__ void reduce(long n, fp* sums, const fp* d_I) {
    __shared__ fp s[NUMBER_THREADS];
    int ei = blockIdx.x * NUMBER_THREADS + threadIdx.x;
    s[threadIdx.x] = ei < n ? d_I[ei] : 0;
    for (int k = NUMBER_THREADS / 2; k > 0; k /= 2) {
        __syncthreads();
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
}
__global__ void srad(fp lambda, int rows, int cols, const int* iN, const int* iS, fp q0, const fp* I, fp* out) {
    int ei = blockIdx.x * NUMBER_THREADS + threadIdx.x, row = ei % rows, col = ei / rows;
    if (ei >= rows * cols) return;
    fp d = I[iN[row] + rows * col] + I[iS[row] + rows * col] - 2 * I[ei], c = 1 / (1 + (d * d - q0) / (q0 * (1 + q0)));
    c = c < 0 ? 0 : c > 1 ? 1 : c;
    out[ei] = I[ei] + 0.25f * lambda * c * d;
}
int main() {
    const int rows = 24, cols = 30, n = rows * cols, blocks = (n + NUMBER_THREADS - 1) / NUMBER_THREADS;
    fp h[n], want[n], got[n], sums[blocks], *d, *d2, *d_sums;
    int iN[rows], iS[rows], *d_iN, *d_iS;
    for (int i = 0; i < rows; i++) iN[i] = i ? i - 1 : 0, iS[i] = i + 1 < rows ? i + 1 : i;
    for (int i = 0; i < n; i++) want[i] = h[i] = rand() % 256;
    cudaThreadSynchronize();
    cudaMalloc((void**)&d, sizeof h);
    cudaMalloc((void**)&d2, sizeof h);
    cudaMalloc((void**)&d_sums, sizeof sums);
    cudaMalloc((void**)&d_iN, sizeof iN);
    cudaMalloc((void**)&d_iS, sizeof iS);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(d_iN, iN, sizeof iN, cudaMemcpyHostToDevice);
    cudaMemcpy(d_iS, iS, sizeof iS, cudaMemcpyHostToDevice);
    checkCUDAError("before");
    extract<<<blocks, NUMBER_THREADS>>>(n, d);
    reduce<<<blocks, NUMBER_THREADS>>>(n, d_sums, d);
    cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    srad<<<blocks, NUMBER_THREADS>>>(0.5f, rows, cols, d_iN, d_iS, 0.3f, d, d2);
    checkCUDAError("srad");
    cudaMemcpy(got, d2, sizeof got, cudaMemcpyDeviceToHost);
    double total = 0, all = 0;
    for (fp s : sums) total += s;
    for (int i = 0; i < n; i++) all += h[i] = expf(h[i] / 255);
    bool ok = fabs(total - all) < 1e-2;
    for (int i = 0; i < n; i++) {
        fp D = h[iN[i % rows] + rows * (i / rows)] + h[iS[i % rows] + rows * (i / rows)] - 2 * h[i],
           c = 1 / (1 + (D * D - 0.3f) / (0.3f * 1.3f));
        ok = ok && fabsf(got[i] - (h[i] + 0.125f * fminf(1, fmaxf(0, c)) * D)) < 1e-4f;
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d);
    cudaFree(d2);
    cudaFree(d_sums);
    cudaFree(d_iN);
    cudaFree(d_iS);
    return !ok;
}
