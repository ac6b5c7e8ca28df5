// Launching persistent clusters. Owns: the grid's size, the launch attributes and the shared-memory limit. Does not
// know what the kernels compute.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "tiles/src/allow_shared.h"
#include "tiles/src/hopper_maps.h"
#include "tiles/src/launch.h"

namespace tiles::hopper {

// `clusters` clusters of `cluster` blocks. `early`: blocks may start as those of the kernel before leave; they wait
// before they read or write anything.
template <class Arguments>
Status launch_clusters(void (*kernel)(Arguments), const Arguments& arguments, int64_t clusters, int cluster,
                       int threads, int shared, bool early, cudaStream_t stream) {
    return launch_kernel(
        kernel, {dim3(static_cast<unsigned>(clusters * cluster)), threads, shared, stream, early, cluster}, arguments);
}

// As many clusters as run at once, or fewer if there is less work.
template <class Arguments>
Status launch_persistent(void (*kernel)(Arguments), const Arguments& arguments, int64_t clusters, int cluster,
                         int threads, int shared, const DeviceProperties& device, bool early, cudaStream_t stream) {
    const int64_t at_once = std::max(device.sms / cluster, 1);
    return launch_clusters(kernel, arguments, std::min(clusters, at_once), cluster, threads, shared, early, stream);
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
