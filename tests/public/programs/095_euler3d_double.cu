// Like yuhc/gpu-rodinia cuda/cfd/euler3d_double.cu
#include <helper_cuda.h>
#include <helper_timer.h>
#include <cmath>
#include <fstream>
#include <iostream>
struct double3_ {
    double x, y, z;
};
#define NNB 4
#define NVAR 3
__constant__ double ff_variable[NVAR];
__constant__ double3_ ff_momentum[1];
template <typename T>
T* alloc(int n) {
    T* t;
    checkCudaErrors(cudaMalloc((void**)&t, sizeof(T) * n));
    return t;
}
template <typename T>
void dealloc(T* a) {
    checkCudaErrors(cudaFree((void*)a));
}
template <typename T>
void copy(T* dst, T* src, int n) {
    checkCudaErrors(cudaMemcpy((void*)dst, (void*)src, n * sizeof(T), cudaMemcpyDeviceToDevice));
}
template <typename T>
void upload(T* dst, T* src, int n) {
    checkCudaErrors(cudaMemcpy((void*)dst, (void*)src, n * sizeof(T), cudaMemcpyHostToDevice));
}
template <typename T>
void download(T* dst, T* src, int n) {
    checkCudaErrors(cudaMemcpy((void*)dst, (void*)src, n * sizeof(T), cudaMemcpyDeviceToHost));
}
__global__ void initialize(int n, double* v) {
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    for (int j = 0; j < NVAR; j++) v[i + j * n] = ff_variable[j] + 0.01 * (i % 5);
}
__global__ void flux(int n, int* neighbours, double* v, double* out) {
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    for (int k = 0; k < NVAR; k++) {
        double sum = 0;
#pragma unroll
        for (int j = 0; j < NNB; j++) {
            int nb = neighbours[i + j * n];
            sum += nb >= 0 ? 0.5 * (v[nb + k * n] - v[i + k * n]) : ff_momentum[0].x;
        }
        out[i + k * n] = sum;
    }
}
__global__ void time_step(int j, int n, double* old, double* v, double* fluxes) {
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    for (int k = 0; k < NVAR; k++) v[i + k * n] = old[i + k * n] + fluxes[i + k * n] / double(4 - j);
}
int main() {
    const int n = 192;
    double far_away[NVAR] = {1.4, 1.2, 2.5}, got[n * NVAR], v[n * NVAR], f[n * NVAR];
    double3_ momentum = {0.25, 0, 0};
    checkCudaErrors(cudaMemcpyToSymbol(ff_variable, far_away, sizeof far_away));
    checkCudaErrors(cudaMemcpyToSymbol(ff_momentum, &momentum, sizeof momentum));
    int h_nb[n * NNB], *nb = alloc<int>(n * NNB);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < NNB; j++) {
            int k = i + (j < 2 ? 2 * j - 1 : (2 * j - 5) * 16);
            h_nb[i + j * n] = k >= 0 && k < n ? k : -1;
        }
    upload(nb, h_nb, n * NNB);
    double *d = alloc<double>(n * NVAR), *old = alloc<double>(n * NVAR), *fluxes = alloc<double>(n * NVAR);
    StopWatchInterface* timer = 0;
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    initialize<<<n / 64, 64>>>(n, d);
    getLastCudaError("initialize");
    cudaThreadSynchronize();
    copy(old, d, n * NVAR);
    flux<<<n / 64, 64>>>(n, nb, d, fluxes);
    time_step<<<n / 64, 64>>>(1, n, old, d, fluxes);
    sdkStopTimer(&timer);
    download(got, d, n * NVAR);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < NVAR; k++) v[i + k * n] = far_away[k] + 0.01 * (i % 5);
    bool ok = true;
    for (int i = 0; i < n * NVAR; i++) {
        f[i] = 0;
        for (int j = 0; j < NNB; j++) {
            int k = h_nb[i % n + j * n];
            f[i] += k >= 0 ? 0.5 * (v[k + i / n * n] - v[i]) : 0.25;
        }
        ok = ok && std::fabs(got[i] - (v[i] + f[i] / 3)) < 1e-12;
    }
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    sdkDeleteTimer(&timer);
    dealloc(d);
    dealloc(old);
    dealloc(fluxes);
    dealloc(nb);
    return !ok;
}
