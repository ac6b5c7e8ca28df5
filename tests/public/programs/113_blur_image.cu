// Like spig0126/cuda-parallel-programming BlurImage (main.cu, mkPpm.h, mkCuda.h)
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#define BLUR 2
__host__ __device__ unsigned char mean(const unsigned char* in, int x, int y, int w, int h) {
    int sum = 0, pixels = 0;
    for (int dy = -BLUR; dy <= BLUR; ++dy)
        for (int dx = -BLUR; dx <= BLUR; ++dx)
            if (x + dx > -1 && x + dx < w && y + dy > -1 && y + dy < h) {
                sum += in[(y + dy) * w + x + dx];
                ++pixels;
            }
    return (unsigned char)(sum / pixels);
}
__global__ void blur(unsigned char* in, unsigned char* out, int w, int h) {
    int col = threadIdx.x + blockIdx.x * blockDim.x, row = threadIdx.y + blockIdx.y * blockDim.y;
    if (col < w && row < h) out[row * w + col] = mean(in, col, row, w, h);
}
int main() {
    const int w = 33, h = 21;
    unsigned char in[w * h], out[w * h], *d_in, *d_out;
    for (int i = 0; i < w * h; i++) in[i] = i * 37 % 251;
    cudaMalloc((void**)&d_in, sizeof in);
    cudaMalloc((void**)&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    blur<<<dim3(3, 2, 1), dim3(16, 16, 1)>>>(d_in, d_out, w, h);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < w * h; i++) ok = ok && out[i] == mean(in, i % w, i / w, w, h);
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_in);
    cudaFree(d_out);
    return !ok;
}
