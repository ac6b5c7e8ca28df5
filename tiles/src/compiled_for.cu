#include "tiles/src/compiled_for.h"

#include <cuda_runtime.h>

#include "tiles/src/preload.h"

namespace tiles {
namespace {

// Never run: how many threads it takes tells which compilation of it the device has, without a launch.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
constexpr int kWarps = 3;
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
constexpr int kWarps = 2;
#else
constexpr int kWarps = 1;
#endif
__global__ void __launch_bounds__(32 * kWarps) probe() {}

}  // namespace

int compiled_for() {
    cudaFuncAttributes attributes{};
    const cudaError_t error = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(preloaded<probe>()));
    if (error != cudaSuccess) return 70;
    return attributes.maxThreadsPerBlock > 64 ? 90 : attributes.maxThreadsPerBlock > 32 ? 80 : 70;
}

}  // namespace tiles
