// Like zjin-lcf/HeCBench src/flame-cuda (main.cu, kernels.cu, flame.hpp); flags: -std=c++14
#include <cuda.h>
#include <cuda_fp16.h>
#include <sys/time.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#define THREADS 128
struct Params {
    float pre[3][6];
    int mapping[3];
    unsigned char mirrored;
};
void check_cuda_error(const char* at) {
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        std::cerr << at << ": " << cudaGetErrorString(error) << std::endl;
        exit(1);
    }
}
__device__ short2 pack(float2 p) {
    return make_short2(__half_as_short(__float2half_rn(p.x)), __half_as_short(__float2half_rn(p.y)));
}
__device__ float2 unpack(short2 p) {
    return make_float2(__half2float(__short_as_half(p.x)), __half2float(__short_as_half(p.y)));
}
__global__ void iterate(short2* points, const unsigned short* order, const Params params) {
    __shared__ float2 swapped[THREADS];
    float2 p = unpack(points[threadIdx.x]);
    int f = 0;
    while (f < 2 && threadIdx.x >= params.mapping[f]) f++;
    const float* m = params.pre[f];
    float2 q = make_float2(m[0] * p.x + m[1] * p.y + m[2], m[3] * p.x + m[4] * p.y + m[5]);
    if (params.mirrored) q.x = -q.x;
    swapped[order[threadIdx.x]] = q;
    __syncthreads();
    points[threadIdx.x] = pack(swapped[threadIdx.x]);
}
int main(int argc, char** argv) {
    Params params;
    memset(&params, 0, sizeof params);
    for (int f = 0; f < 3; f++)
        params.pre[f][0] = params.pre[f][4] = 0.5f, params.pre[f][2] = 0.25f * f,
        params.mapping[f] = (f + 1) * THREADS / 3;
    params.mapping[2] = THREADS;
    unsigned short order[THREADS], *d_order;
    for (int i = 0; i < THREADS; i++) order[i] = THREADS - 1 - i;
    short2 *d_points, points[THREADS];
    cudaMalloc((void**)&d_points, sizeof points);
    cudaMalloc((void**)&d_order, sizeof order);
    cudaMemset(d_points, 0, sizeof points);
    cudaMemcpy(d_order, order, sizeof order, cudaMemcpyHostToDevice);
    struct timeval tv;
    gettimeofday(&tv, NULL);
    for (int i = 0; i < 12; i++) {
        iterate<<<1, THREADS>>>(d_points, d_order, params);
        cudaDeviceSynchronize();
        check_cuda_error("iterate");
    }
    cudaMemcpy(points, d_points, sizeof points, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (short2 p : points) {
        __half_raw raw;
        raw.x = p.x;
        float x = __half2float(__half(raw));
        ok = ok && x >= 0.f && x <= 1.01f;
    }
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    cudaFree(d_points);
    cudaFree(d_order);
    return !ok;
}
