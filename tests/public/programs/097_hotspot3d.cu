// Like yuhc/gpu-rodinia cuda/hotspot3D (3D.cu, opt1.cu)
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
long long get_time() {
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return (tv.tv_sec * 1000000) + tv.tv_usec;
}
__global__ void hotspot(const float* p, float* in, float* out, int nx, int ny, int nz, float ce, float cc, float dt) {
    int i = blockDim.x * blockIdx.x + threadIdx.x, j = blockDim.y * blockIdx.y + threadIdx.y, c = i + j * nx,
        xy = nx * ny;
    int W = i == 0 ? c : c - 1, E = i == nx - 1 ? c : c + 1;
    float below, here = in[c], above = in[c];
    for (int k = 0; k < nz; ++k, c += xy, W += xy, E += xy) {
        below = k ? here : above;
        here = above;
        above = k < nz - 1 ? in[c + xy] : here;
        out[c] = cc * here + ce * (in[W] + in[E] + below + above) + dt * p[c];
    }
}
void hotspot_opt1(float* p, float* tIn, float* tOut, int nx, int ny, int nz, float ce, float cc, float dt,
                  int numiter) {
    size_t s = sizeof(float) * nx * ny * nz;
    float *in, *out, *power;
    cudaMalloc((void**)&power, s);
    cudaMalloc((void**)&in, s);
    cudaMalloc((void**)&out, s);
    cudaMemcpy(in, tIn, s, cudaMemcpyHostToDevice);
    cudaMemcpy(power, p, s, cudaMemcpyHostToDevice);
    cudaFuncSetCacheConfig(hotspot, cudaFuncCachePreferL1);
    long long start = get_time();
    for (int i = 0; i < numiter; ++i) {
        hotspot<<<dim3(nx / 16, ny / 2, 1), dim3(16, 2, 1)>>>(power, in, out, nx, ny, nz, ce, cc, dt);
        float* t = in;
        in = out;
        out = t;
    }
    cudaDeviceSynchronize();
    printf("Time: %.3f (s)\n", (get_time() - start) / 1e6);
    cudaMemcpy(tOut, in, s, cudaMemcpyDeviceToHost);
    cudaFree(power);
    cudaFree(in);
    cudaFree(out);
}
int main() {
    const int nx = 32, ny = 8, nz = 4, n = nx * ny * nz;
    float p[n], t[n], got[n], next[n];
    for (int i = 0; i < n; i++) p[i] = i % 7, t[i] = 300 + i % 11;
    hotspot_opt1(p, t, got, nx, ny, nz, 0.1f, 0.6f, 0.01f, 3);
    for (int s = 0; s < 3; s++) {
        for (int c = 0; c < n; c++) {
            int x = c % nx, z = c / (nx * ny);
            float w = x ? t[c - 1] : t[c], e = x < nx - 1 ? t[c + 1] : t[c], b = z ? t[c - nx * ny] : t[c],
                  a = z < nz - 1 ? t[c + nx * ny] : t[c];
            next[c] = 0.6f * t[c] + 0.1f * (w + e + b + a) + 0.01f * p[c];
        }
        memcpy(t, next, sizeof t);
    }
    double err = 0;
    for (int i = 0; i < n; i++) err += (t[i] - got[i]) * (t[i] - got[i]);
    printf("Accuracy: %e\n%s\n", sqrt(err / n), err < 1e-3 ? "PASS" : "FAIL");
    return err >= 1e-3;
}
