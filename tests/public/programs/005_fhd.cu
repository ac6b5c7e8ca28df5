// Like zjin-lcf/HeCBench fhd-cuda/main.cu; flags: -O3
#include <cuda.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#define CHUNK 64
struct __align__(16) Point {
    float kx, ky, kz, phase;
};
__constant__ __device__ Point points[CHUNK];
__global__ void fhd(const float* x, const float* y, const float* z, float* re, float* im, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float r = re[i], m = im[i];
    for (int k = 0; k < CHUNK; k++) {
        float angle = 6.2831853f * (points[k].kx * x[i] + points[k].ky * y[i] + points[k].kz * z[i]);
        float s, c;
        __sincosf(angle, &s, &c);
        r = fmaf(points[k].phase, c, r);
        m = fmaf(points[k].phase, s, m);
    }
    re[i] = r;
    im[i] = m;
}
int main() {
    const int n = 300;
    std::mt19937 generator(5);
    std::uniform_real_distribution<float> between(-0.5f, 0.5f);
    Point host[2 * CHUNK];
    for (Point& p : host) p = {between(generator), between(generator), between(generator), between(generator)};
    float *h[3], *d[5];
    for (int a = 0; a < 5; a++) cudaMalloc((void**)&d[a], n * sizeof(float));
    for (int a = 0; a < 3; a++) {
        h[a] = (float*)malloc(n * sizeof(float));
        for (int i = 0; i < n; i++) h[a][i] = between(generator);
        cudaMemcpy(d[a], h[a], n * sizeof(float), cudaMemcpyHostToDevice);
        if (a < 2) cudaMemset(d[3 + a], 0, n * sizeof(float));
    }
    for (int c = 0; c < 2; c++) {
        cudaMemcpyToSymbol(points, host + c * CHUNK, sizeof(points), 0, cudaMemcpyHostToDevice);
        fhd<<<(n + 127) / 128, 128>>>(d[0], d[1], d[2], d[3], d[4], n);
    }
    float re[n];
    cudaMemcpy(re, d[3], sizeof(re), cudaMemcpyDeviceToHost);
    bool ok = cudaGetLastError() == cudaSuccess;
    for (int i = 0; i < n; i++) {
        double want = 0;
        for (const Point& p : host)
            want += p.phase * cos(6.2831853 * (p.kx * h[0][i] + p.ky * h[1][i] + p.kz * h[2][i]));
        ok = ok && std::fabs(want - re[i]) < 1e-3;
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (float* p : d) cudaFree(p);
    for (float* p : h) free(p);
    return !ok;
}
