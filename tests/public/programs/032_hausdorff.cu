// Like zjin-lcf/HeCBench src/hausdorff-cuda/main.cu; flags: -std=c++14
#include <cuda.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
__host__ __device__ inline float apart(const float2 a, const float2 b) {
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}
__device__ __forceinline__ void atomic_max(float* address, float val) {
    unsigned int ret = __float_as_uint(*address);
    while (val > __uint_as_float(ret)) {
        unsigned int old = ret;
        if ((ret = atomicCAS((unsigned int*)address, old, __float_as_uint(val))) == old) break;
    }
}
__global__ void farthest(const float2* __restrict__ A, const float2* __restrict__ B, float* __restrict__ out,
                         const int na, const int nb) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= na) return;
    float d = std::numeric_limits<float>::max();
    float2 p = A[i];
    for (int j = 0; j < nb; j++) {
        float t = apart(p, B[j]);
        d = std::min(t, d);
    }
    atomic_max(out, d);
}
int main() {
    const int na = 90, nb = 70;
    float2 a[na], b[nb], *d_a, *d_b;
    float h = -1.f, *d;
    srand(123);
    for (float2& p : a) p.x = (float)rand() / (float)RAND_MAX, p.y = (float)rand() / (float)RAND_MAX;
    for (float2& p : b) p.x = (float)rand() / (float)RAND_MAX, p.y = (float)rand() / (float)RAND_MAX;
    cudaMalloc((void**)&d_a, sizeof a);
    cudaMalloc((void**)&d_b, sizeof b);
    cudaMalloc((void**)&d, sizeof h);
    cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
    farthest<<<1, 128>>>(d_a, d_b, d, na, nb);
    farthest<<<1, 128>>>(d_b, d_a, d, nb, na);
    cudaDeviceSynchronize();
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    float want = 0;
    for (float2 p : a) {
        float m = 1e9f;
        for (float2 q : b) m = std::min(m, apart(p, q));
        want = std::max(want, m);
    }
    for (float2 p : b) {
        float m = 1e9f;
        for (float2 q : a) m = std::min(m, apart(p, q));
        want = std::max(want, m);
    }
    bool error = fabsf(want - h) > 1e-5f;
    printf("%s\n", error ? "FAIL" : "PASS");
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d);
    return error;
}
