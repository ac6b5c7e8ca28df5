// Like zjin-lcf/HeCBench src/feynman-kac-cuda (main.cu, util.h, kernel.h); flags: -O3
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <chrono>
__host__ __device__ double r8_uniform_01(int* seed) {
    int k = *seed / 127773;
    *seed = 16807 * (*seed - k * 127773) - k * 2836;
    if (*seed < 0) *seed += 2147483647;
    return (double)*seed * 4.656612875E-10;
}
__global__ void fk(const int ni, const int nj, const int seed, const int N, const double a, const double b,
                   const double h, const double rth, int* n_inside, double* err) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= ni || j >= nj) return;
    double x = a * (2.0 * i / (ni - 1) - 1.0), y = b * (2.0 * j / (nj - 1) - 1.0),
           chk = pow(x / a, 2.0) + pow(y / b, 2.0);
    if (1.0 < chk) return;
    atomicAdd(n_inside, 1);
    double exact = exp(chk - 1.0), sum = 0;
    int s = seed + j * ni + i;
    for (int k = 0; k < N; k++) {
        double x1 = x, x2 = y, w = 1.0, r = 0.0;
        while (r < 1.0) {
            double ut = r8_uniform_01(&s), us = r8_uniform_01(&s) - 0.5, step = us < 0.0 ? -rth : rth;
            if (ut < 0.5)
                x1 += step;
            else
                x2 += step;
            double v = 2.0 * (pow(x1 / (a * a), 2.0) + pow(x2 / (b * b), 2.0)) + 1.0 / (a * a) + 1.0 / (b * b);
            w *= 1.0 - h * v;
            r = pow(x1 / a, 2.0) + pow(x2 / b, 2.0);
        }
        sum += w;
    }
    atomicAdd(err, pow(exact - sum / N, 2.0));
}
int main() {
    const int ni = 9, nj = 7;
    const double h = 0.01, rth = sqrt(2.0 * h);
    double err = 0.0, *d_err;
    int inside = 0, *d_inside;
    cudaMalloc((void**)&d_err, sizeof(double));
    cudaMalloc((void**)&d_inside, sizeof(int));
    cudaMemcpy(d_err, &err, sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(d_inside, &inside, sizeof(int), cudaMemcpyHostToDevice);
    fk<<<dim3(1, 1), dim3(16, 16)>>>(ni, nj, 123456789, 60, 2.0, 1.0, h, rth, d_inside, d_err);
    cudaMemcpy(&err, d_err, sizeof(double), cudaMemcpyDeviceToHost);
    cudaMemcpy(&inside, d_inside, sizeof(int), cudaMemcpyDeviceToHost);
    err = sqrt(err / (double)inside);
    printf("RMS absolute error in solution = %e\n", err);
    bool ok = inside > 30 && err < 0.15;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_err);
    cudaFree(d_inside);
    return !ok;
}
