// Launching persistent clusters. Owns: the grid's size, the launch attributes and the shared-memory limit. Does not
// know what the kernels compute.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "tiles/src/hopper_maps.h"

namespace tiles::hopper {

template <class Arguments>
Status launch_persistent(void (*kernel)(Arguments), const Arguments& arguments, int64_t clusters, int cluster,
                         int threads, int shared, const DeviceProperties& device, bool early, cudaStream_t stream) {
    const int64_t most = std::max(device.sms / cluster, 1);
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(std::min(clusters, most) * cluster));
    config.blockDim = dim3(static_cast<unsigned>(threads));
    config.dynamicSmemBytes = static_cast<size_t>(shared);
    config.stream = stream;
    cudaLaunchAttribute attributes[2]{};
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = static_cast<unsigned>(cluster);
    attributes[0].val.clusterDim.y = attributes[0].val.clusterDim.z = 1;
    // After a copy of ours the blocks may start as the copy's leave; they wait before they read anything.
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    config.attrs = attributes, config.numAttrs = early ? 2 : 1;
    return from_cuda(cudaLaunchKernelEx(&config, kernel, arguments), "cudaLaunchKernelEx");
}

template <class Kernel>
Status allow_shared(Kernel kernel, int shared) {
    return from_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
                     "cudaFuncSetAttribute");
}

// The factors and the result of a problem as planes.
inline DataType factor_type(Compute compute) {
    return compute == Compute::kBF16 ? DataType::kBF16 : compute == Compute::kF16 ? DataType::kF16 : DataType::kF32;
}

inline Plane plane_a(const GemmProblem& p) {
    return {p.a,    factor_type(p.compute), p.transposed_a ? p.m : p.k, p.transposed_a ? p.k : p.m, p.lda, p.stride_a,
            p.batch};
}

inline Plane plane_b(const GemmProblem& p) {
    return {p.b,    factor_type(p.compute), p.transposed_b ? p.k : p.n, p.transposed_b ? p.n : p.k, p.ldb, p.stride_b,
            p.batch};
}

inline Plane plane_c(const GemmProblem& p) { return {p.c, p.type_c, p.n, p.m, p.ldc, p.stride_c, p.batch}; }

}  // namespace tiles::hopper
