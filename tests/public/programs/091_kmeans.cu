// Like yuhc/gpu-rodinia cuda/kmeans (kmeans_cuda.cu, kmeans_cuda_kernel.cu, cluster.c, kmeans_clustering.c)
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <cuda.h>
texture<float, 1, cudaReadModeElementType> t_features;
__constant__ float c_clusters[64];
__global__ void nearest(int* membership, int n, int features, int clusters) {
    int point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= n) return;
    float best = 1e30f;
    for (int c = 0; c < clusters; c++) {
        float sum = 0;
        for (int f = 0; f < features; f++) {
            float d = tex1Dfetch(t_features, point + f * n) - c_clusters[c * features + f];
            sum += d * d;
        }
        if (sum < best) best = sum, membership[point] = c;
    }
}
int main() {
    float* d;
    int* membership;
    cudaSetDevice(0);
    cudaMalloc((void**)&d, 256 * sizeof(float));
    cudaMalloc((void**)&membership, 128 * sizeof(int));
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    t_features.filterMode = cudaFilterModePoint;
    t_features.normalized = false;
    t_features.channelDesc = desc;
    if (cudaBindTexture(NULL, &t_features, d, &desc, 256 * sizeof(float)) != cudaSuccess) printf("Couldn't bind!\n");
    nearest<<<1, 128>>>(membership, 128, 2, 4);
    cudaThreadSynchronize();
    printf("PASS\n");
    return 0;
}
