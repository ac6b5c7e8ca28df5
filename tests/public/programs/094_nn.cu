// Like yuhc/gpu-rodinia cuda/nn/nn_cuda.cu
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <vector>
#include "cuda.h"
#define min(a, b) a > b ? b : a
#define ceilDiv(a, b) (a + b - 1) / b
#define DEFAULT_THREADS_PER_BLOCK 256
typedef struct latLong {
    float lat;
    float lng;
} LatLong;
__global__ void euclid(LatLong* d_locations, float* d_distances, int n, float lat, float lng) {
    int globalId = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
    LatLong* at = d_locations + globalId;
    if (globalId < n)
        d_distances[globalId] = (float)sqrt((lat - at->lat) * (lat - at->lat) + (lng - at->lng) * (lng - at->lng));
}
int main(int argc, char* argv[]) {
    const int n = 900;
    std::vector<LatLong> locations(n);
    for (LatLong& l : locations) l.lat = rand() % 180 - 90, l.lng = rand() % 360 - 180;
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    cudaThreadSynchronize();
    unsigned long maxGridX = prop.maxGridSize[0], threads = min(prop.maxThreadsPerBlock, DEFAULT_THREADS_PER_BLOCK);
    size_t total, available;
    cudaMemGetInfo(&available, &total);
    if (n > available * 85 / 100 / 12) exit(1);
    unsigned long blocks = ceilDiv(n, threads), gridY = ceilDiv(blocks, maxGridX), gridX = ceilDiv(blocks, gridY);
    dim3 grid(gridX, gridY);
    float *distances = (float*)malloc(n * sizeof(float)), *d;
    LatLong* d_locations;
    cudaMalloc((void**)&d_locations, sizeof(LatLong) * n);
    cudaMalloc((void**)&d, sizeof(float) * n);
    cudaMemcpy(d_locations, &locations[0], sizeof(LatLong) * n, cudaMemcpyHostToDevice);
    euclid<<<grid, threads>>>(d_locations, d, n, 30.f, 90.f);
    cudaThreadSynchronize();
    cudaMemcpy(distances, d, sizeof(float) * n, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < n; i++)
        ok = ok && fabs(distances[i] - hypot(30 - locations[i].lat, 90 - locations[i].lng)) < 1e-3;
    printf("%s\n", ok ? "PASS" : "FAIL");
    free(distances);
    cudaFree(d_locations);
    cudaFree(d);
    return !ok;
}
