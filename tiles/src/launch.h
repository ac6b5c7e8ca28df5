// One way to launch a kernel with attributes: in clusters, or before the kernel before it has ended.
//
// Owns: LaunchSetting, launch_kernel, kernels_can_wait. Guarantees: nothing is allocated or waited for, and launches
// can be captured. `early` is only for kernels that call wait_for_earlier_kernels() (kernels/dependent_launch.cuh)
// before they touch memory, on devices for which kernels_can_wait.
#pragma once

#include <cuda_runtime.h>

#include "tiles/src/problem.h"

namespace tiles {

struct LaunchSetting {
    dim3 grid;
    int threads = 0;
    int shared = 0;  // dynamic bytes
    cudaStream_t stream = nullptr;
    bool early = false;
    int cluster = 0;  // blocks of one; 0: the kernel knows of none
};

// Whether what runs on this device was compiled with the waiting instruction. Later cards run code made for older ones.
inline bool kernels_can_wait(const DeviceProperties& device) {
#ifdef __CUDA_ARCH_LIST__
    for (const int compiled_for : {__CUDA_ARCH_LIST__}) {
        if (compiled_for == 900) return device.capability() == 90;
    }
#endif
    return false;
}

template <class... Parameters>
Status launch_kernel(void (*kernel)(Parameters...), const LaunchSetting& setting, const Parameters&... parameters) {
    cudaLaunchConfig_t config{};
    config.gridDim = setting.grid;
    config.blockDim = dim3(static_cast<unsigned>(setting.threads));
    config.dynamicSmemBytes = static_cast<size_t>(setting.shared);
    config.stream = setting.stream;
    cudaLaunchAttribute attributes[2]{};
    if (setting.cluster > 0) {
        cudaLaunchAttribute& cluster = attributes[config.numAttrs++];
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim.x = static_cast<unsigned>(setting.cluster);
        cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    }
    if (setting.early) {
        cudaLaunchAttribute& early = attributes[config.numAttrs++];
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
    }
    config.attrs = attributes;
    return from_cuda(cudaLaunchKernelEx(&config, kernel, parameters...), "cudaLaunchKernelEx");
}

}  // namespace tiles
