// Like zjin-lcf/HeCBench car-cuda (main.cu, utils.h, kernels.h); flags: -O3
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <chrono>
#include <random>
struct params {
    int out_w, out_h, k, padding;
};
template <typename T>
__host__ __device__ T resample(const T* img, const T* kernels, int x, int y, const params& p, int in_w, int in_h) {
    T sum = 0;
    for (int ky = 0; ky < p.k; ky++)
        for (int kx = 0; kx < p.k; kx++) {
            float alpha = kernels[((ky * p.k + kx) * p.out_h + y) * p.out_w + x];
            float fx = 2.f * x + kx + 0.3f * alpha - p.padding, fy = 2.f * y + ky - 0.2f * alpha - p.padding;
            int xl = std::max(std::min((int)floorf(fx), in_w - 1), 0), xr = std::max(std::min(xl + 1, in_w - 1), 0),
                yt = std::max(std::min((int)floorf(fy), in_h - 1), 0);
            float part = fx - floorf(fx);
            sum += ((1 - part) * img[yt * in_w + xl] + part * img[yt * in_w + xr]) * alpha;
        }
    return sum;
}
template <typename T>
__global__ void car(const T* __restrict__ img, const T* __restrict__ kernels, T* __restrict__ out, const params p,
                    int in_w, int in_h) {
    size_t global = blockIdx.x * blockDim.x + threadIdx.x;
    if (global < p.out_w * p.out_h)
        out[global] = resample(img, kernels, (int)(global % p.out_w), (int)(global / p.out_w), p, in_w, in_h);
}
int main() {
    const params p = {20, 15, 3, 1};
    const int in_w = 40, in_h = 30, n_k = 9 * 300;
    std::default_random_engine rng(123);
    std::normal_distribution<float> norm(0.f, 1.f);
    float img[in_w * in_h], k[n_k], out[300], *d_img, *d_k, *d_out;
    for (float& v : img) v = norm(rng);
    for (float& v : k) v = norm(rng);
    cudaMalloc((void**)&d_img, sizeof img);
    cudaMalloc((void**)&d_k, sizeof k);
    cudaMalloc((void**)&d_out, sizeof out);
    cudaMemcpy(d_img, img, sizeof img, cudaMemcpyHostToDevice);
    cudaMemcpy(d_k, k, sizeof k, cudaMemcpyHostToDevice);
    car<float><<<2, 256>>>(d_img, d_k, d_out, p, in_w, in_h);
    cudaDeviceSynchronize();
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < 300; i++) ok = ok && fabsf(out[i] - resample(img, k, i % 20, i / 20, p, in_w, in_h)) < 1e-2f;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_img);
    cudaFree(d_k);
    cudaFree(d_out);
    return !ok;
}
