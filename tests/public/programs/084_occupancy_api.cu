// Like douyixuan/cuda-by-example examples/occupancy-api/occupancy-api.cu
#include <math.h>
#include <stdio.h>
__global__ void root(float* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = sqrtf(data[i]) + 1.0f;
}
int main() {
    const int N = 1 << 12;
    float *h = new float[N], *d;
    for (int i = 0; i < N; i++) h[i] = i;
    cudaMalloc(&d, N * sizeof(float));
    cudaMemcpy(d, h, N * sizeof(float), cudaMemcpyHostToDevice);
    int minGridSize, blockSize, active;
    cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, root, 0, N);
    int gridSize = (N + blockSize - 1) / blockSize;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, root, blockSize, 0);
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    float occupancy = (float)(active * blockSize) / prop.maxThreadsPerMultiProcessor;
    printf("Recommended: blockSize=%d, minGridSize=%d, occupancy %.0f%%\n", blockSize, minGridSize, occupancy * 100);
    root<<<gridSize, blockSize>>>(d, N);
    cudaDeviceSynchronize();
    cudaMemcpy(h, d, N * sizeof(float), cudaMemcpyDeviceToHost);
    bool ok = occupancy > 0 && occupancy <= 1;
    for (int i = 0; i < N; i++) ok = ok && fabsf(h[i] - sqrtf(i) - 1) < 1e-4f;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d);
    delete[] h;
    return !ok;
}
