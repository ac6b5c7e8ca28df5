// Like zjin-lcf/HeCBench src/lif-cuda/main.cu; flags: -std=c++14
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <chrono>
#include <vector>
__host__ __device__ void fire(float* voltage, float* rest, float* spike, float current, float dt, float tau) {
    float dV = -expm1f(-dt / tau) * (current - *voltage);
    float v = fmaxf(*voltage + dV, 0.f);
    *rest -= dt;
    v *= fmaxf(fminf(*rest * -1.f / dt + 1.f, 1.f), 0.f);
    *spike = v > 1.f ? 1.f / dt : 0.f;
    if (v > 1.f) *rest = 2.f + dt * (1.f - (v - 1.f) / dV), v = 0.f;
    *voltage = v;
}
__global__ void lif(size_t n, float dt, float* __restrict__ voltage, float* __restrict__ rest,
                    const float* __restrict__ bias, float* __restrict__ spikes) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) fire(voltage + i, rest + i, spikes + i, bias[i], dt, 10.f);
}
int main() {
    const size_t n = 300, bytes = n * sizeof(float);
    std::vector<float> v(n), r(n), b(n), s(n), got(n);
    srand(123);
    for (size_t i = 0; i < n; i++)
        v[i] = rand() / (float)RAND_MAX, r[i] = rand() % 5 / 10.f, b[i] = 3.f * rand() / (float)RAND_MAX;
    float* d[4];
    for (float*& p : d) cudaMalloc((void**)&p, bytes);
    cudaMemcpy(d[0], v.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d[1], r.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d[2], b.data(), bytes, cudaMemcpyHostToDevice);
    size_t spikes = 0, spikes_host = 0;
    for (int step = 0; step < 12; step++) {
        lif<<<dim3((n + 255) / 256), dim3(256)>>>(n, 0.5f, d[0], d[1], d[2], d[3]);
        cudaMemcpy(got.data(), d[3], bytes, cudaMemcpyDeviceToHost);
        for (size_t i = 0; i < n; i++) {
            fire(&v[i], &r[i], &s[i], b[i], 0.5f, 10.f);
            spikes += got[i] > 0;
            spikes_host += s[i] > 0;
        }
    }
    printf("Number of spikes on host and device: %zu %zu\n", spikes_host, spikes);
    bool ok = std::max(spikes, spikes_host) - std::min(spikes, spikes_host) <= 3;
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (float* p : d) cudaFree(p);
    return !ok;
}
