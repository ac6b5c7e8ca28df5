// Like zjin-lcf/HeCBench bilateral-cuda/main.cu; flags: -std=c++14
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <chrono>
template <int R>
__host__ __device__ float smooth(const float* in, int x, int y, int w, int h, float a, float b) {
    float total = 0, weights = 0, mid = in[y * w + x];
    for (int dy = -R; dy <= R; dy++)
        for (int dx = -R; dx <= R; dx++) {
            int xx = max(0, min(x + dx, w - 1)), yy = max(0, min(y + dy, h - 1));
            float v = in[yy * w + xx], d = v - mid, k = expf(-(dx * dx + dy * dy) * a - d * d * b);
            total += k * v;
            weights += k;
        }
    return total / weights;
}
template <int R>
__global__ void bilateral(const float* __restrict__ in, float* __restrict__ out, int w, int h, float a, float b) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = smooth<R>(in, x, y, w, h, a, b);
}
int main() {
    const int w = 40, h = 30;
    float in[w * h], out[w * h], *d_in, *d_out;
    srand(1);
    for (float& v : in) v = rand() % 256 / 255.f;
    cudaMalloc((void**)&d_in, sizeof in);
    cudaMalloc((void**)&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    auto start = std::chrono::steady_clock::now();
    bilateral<2><<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(d_in, d_out, w, h, 0.1f, 2.f);
    cudaDeviceSynchronize();
    printf("%f ms\n", std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - start).count());
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < w * h; i++) ok = ok && fabsf(out[i] - smooth<2>(in, i % w, i / w, w, h, 0.1f, 2.f)) < 1e-4f;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_in);
    cudaFree(d_out);
    return !ok;
}
