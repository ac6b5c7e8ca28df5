// A cluster asked for at launch, and what the device says of clusters.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void ranks(int* out) { out[blockIdx.x] = 1; }

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 64);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(4);
    config.blockDim = dim3(32);
    config.attrs = &attribute;
    config.numAttrs = 1;
    const cudaError_t error = cudaLaunchKernelEx(&config, ranks, out);
    int has_clusters = -1;
    cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, 0);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    std::printf("%s %d %d\n", cudaGetErrorName(error), has_clusters, properties.clusterLaunch);
}
