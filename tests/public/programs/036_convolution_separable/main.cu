// Like zjin-lcf/HeCBench convolutionSeparable-cuda (main.cu, conv.cu, conv.h); flags: -O3
#include <assert.h>
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <chrono>
#include "conv.h"
int main() {
    const int w = 64, h = 12;
    float kernel[KERNEL_LENGTH], in[w * h], out[w * h], *d_in, *d_out;
    srand(2009);
    for (float& k : kernel) k = (float)(rand() % 16);
    for (float& v : in) v = (float)(rand() % 16);
    cudaMalloc((void**)&d_in, sizeof in);
    cudaMalloc((void**)&d_out, sizeof out);
    set_kernel(kernel);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    convolution_rows(d_out, d_in, w, h, w);
    cudaDeviceSynchronize();
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0;
            for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++)
                if (x + k >= 0 && x + k < w) sum += in[y * w + x + k] * kernel[KERNEL_RADIUS - k];
            ok = ok && sum == out[y * w + x];
        }
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_in);
    cudaFree(d_out);
    return !ok;
}
