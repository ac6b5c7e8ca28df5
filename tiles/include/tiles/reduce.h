// *out = the sum of `count` floats on the device. The order of additions depends on the count alone, so the same input
// gives the same bits. Asynchronous on the stream; needs kReduceWorkspaceBytes of device memory, aligned to 16 bytes.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "tiles/status.h"

namespace tiles {

constexpr size_t kReduceWorkspaceBytes = 4096 * sizeof(float);

Status reduce(int64_t count, const float* x, float* out, void* workspace, cudaStream_t stream = nullptr) noexcept;

}  // namespace tiles
