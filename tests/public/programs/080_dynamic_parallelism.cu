// Like douyixuan/cuda-by-example examples/dynamic-parallelism/dynamic-parallelism.cu; flags: -rdc=true -lcudadevrt
#include <stdio.h>
__global__ void child(int* data, int start, int end) {
    int i = start + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end) data[i] *= 2;
}
__global__ void parent(int* data, int n) {
    int size = n / blockDim.x, start = threadIdx.x * size;
    child<<<(size + 255) / 256, 256>>>(data, start, start + size);
}
int main() {
    int h[64], *d;
    for (int i = 0; i < 64; i++) h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    parent<<<1, 4>>>(d, 64);
    cudaDeviceSynchronize();
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%s\n", h[63] == 126 ? "PASS" : "FAIL");
    cudaFree(d);
    return 0;
}
