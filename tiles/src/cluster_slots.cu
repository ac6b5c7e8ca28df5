#include "tiles/src/cluster_slots.h"

#include "tiles/src/preload.h"

namespace tiles {
namespace {

// Never run: it stands for a kernel whose blocks take all of an SM's shared memory.
__global__ void takes_an_sm() {}

int clusters_at_once(int blocks, int shared) {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(blocks)), config.blockDim = dim3(128);
    config.dynamicSmemBytes = static_cast<size_t>(shared);
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = static_cast<unsigned>(blocks);
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.attrs = &cluster, config.numAttrs = 1;
    int clusters = 0;
    const cudaError_t error = cudaOccupancyMaxActiveClusters(&clusters, preloaded<takes_an_sm>(), &config);
    return error == cudaSuccess ? clusters : 0;
}

}  // namespace

void count_clusters(DeviceProperties* device) {
    if (device->major < 9) return;
    const cudaError_t error = cudaFuncSetAttribute(
        preloaded<takes_an_sm>(), cudaFuncAttributeMaxDynamicSharedMemorySize, device->shared_per_block);
    if (error == cudaSuccess) {
        device->clusters_of_4 = clusters_at_once(4, device->shared_per_block);
        device->clusters_of_8 = clusters_at_once(8, device->shared_per_block);
    }
    (void)cudaGetLastError();  // code that was made for older cards cannot be asked
}

}  // namespace tiles
