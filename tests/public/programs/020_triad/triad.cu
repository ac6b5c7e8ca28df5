#include <cuda.h>
#include <math.h>
#include <string.h>
#include <cstdlib>
#include <iostream>
#include "options.h"
using namespace std;
__global__ void triad(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, float s) {
    int gid = threadIdx.x + (blockIdx.x * blockDim.x);
    C[gid] = A[gid] + s * B[gid];
}
bool RunBenchmark(OptionParser& op) {
    const int parts = 4, size = 512, total = parts * size;
    float *h_in, *h_out, *d_a[2], *d_c[2];
    srand48(8650341L);
    cudaMallocHost((void**)&h_in, sizeof(float) * total);
    cudaMallocHost((void**)&h_out, sizeof(float) * total);
    for (int i = 0; i < total; i++) h_in[i] = (float)(drand48() * 10.0);
    cudaStream_t streams[2];
    for (int k = 0; k < 2; k++) {
        cudaMalloc((void**)&d_a[k], size * sizeof(float));
        cudaMalloc((void**)&d_c[k], size * sizeof(float));
        cudaStreamCreate(&streams[k]);
    }
    bool ok = true;
    for (int pass = 0; pass < op.getOptionInt("passes"); ++pass) {
        for (int part = 0; part < parts; part++) {
            int k = part & 1;
            cudaMemcpyAsync(d_a[k], h_in + part * size, size * sizeof(float), cudaMemcpyHostToDevice, streams[k]);
            triad<<<size / 128, 128, 0, streams[k]>>>(d_a[k], d_a[k], d_c[k], 1.75f);
            cudaMemcpyAsync(h_out + part * size, d_c[k], size * sizeof(float), cudaMemcpyDeviceToHost, streams[k]);
        }
        cudaDeviceSynchronize();
        for (int i = 0; i < total; i++) ok = ok && fabsf(h_out[i] - 2.75f * h_in[i]) < 1e-4f;
        if (op.getOptionBool("verbose")) cout << "pass " << pass << "\n";
    }
    for (int k = 0; k < 2; k++) {
        cudaStreamDestroy(streams[k]);
        cudaFree(d_a[k]);
        cudaFree(d_c[k]);
    }
    cudaFreeHost(h_in);
    cudaFreeHost(h_out);
    return ok;
}
