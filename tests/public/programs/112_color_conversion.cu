// Like spig0126/cuda-parallel-programming ColorConversion (main.cu, mkPpm.h, mkCuda.h)
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define CHANNEL 3
__global__ void gray(const unsigned char* rgb, unsigned char* out, int w, int h) {
    int col = threadIdx.x + blockIdx.x * blockDim.x, row = threadIdx.y + blockIdx.y * blockDim.y;
    if (col < w && row < h) {
        int at = row * w + col;
        out[at] = 0.21f * rgb[at * CHANNEL] + 0.71f * rgb[at * CHANNEL + 1] + 0.07f * rgb[at * CHANNEL + 2];
    }
}
bool save(const char* name, const unsigned char* px, int w, int h) {
    FILE* fp = fopen(name, "wb");
    if (!fp) return false;
    fprintf(fp, "P5\n%d %d\n255\n", w, h);
    size_t wrote = fwrite(px, 1, w * h, fp);
    fclose(fp);
    return wrote == (size_t)(w * h);
}
int main() {
    const int w = 30, h = 20;
    unsigned char *rgb = (unsigned char*)malloc(w * h * 3), *out = (unsigned char*)malloc(w * h), *d_rgb, *d_out;
    for (int i = 0; i < w * h * 3; i++) rgb[i] = i * 31 % 256;
    cudaError_t err = cudaMalloc((void**)&d_rgb, w * h * 3);
    if (err != cudaSuccess) exit(-1);
    err = cudaMalloc((void**)&d_out, w * h);
    err = cudaMemcpy(d_rgb, rgb, w * h * 3, cudaMemcpyHostToDevice);
    gray<<<dim3(ceil(w / 16.0), ceil(h / 16.0), 1), dim3(16, 16, 1)>>>(d_rgb, d_out, w, h);
    err = cudaMemcpy(out, d_out, w * h, cudaMemcpyDeviceToHost);
    bool ok = err == cudaSuccess && save("/dev/null", out, w, h);
    for (int i = 0; i < w * h; i++)
        ok = ok && abs(out[i] - (int)(0.21f * rgb[3 * i] + 0.71f * rgb[3 * i + 1] + 0.07f * rgb[3 * i + 2])) <= 1;
    printf("%s\n", ok ? "PASS" : "FAIL");
    free(rgb);
    free(out);
    cudaFree(d_rgb);
    cudaFree(d_out);
    return !ok;
}
