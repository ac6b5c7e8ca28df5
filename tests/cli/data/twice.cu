// Doubles an array on the device. Arguments: the status to return, and optionally "abort" or "outside".
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void twice(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

int main(int argc, char** argv) {
    const int n = 1000;
    float host[n], *in, *out;
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    const bool outside = argc > 2 && std::strcmp(argv[2], "outside") == 0;
    twice<<<4, 256>>>(in, out, outside ? n + 1 : n);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (argc > 2 && std::strcmp(argv[2], "abort") == 0) std::abort();
    std::printf("sum of ends %.0f\n", host[0] + host[n - 1]);
    return argc > 1 ? std::atoi(argv[1]) : 0;
}
