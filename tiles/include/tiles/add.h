// out[i] = x[i] + y[i] for `count` floats on the device; out may be x or y. Any alignment. Asynchronous on the stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "tiles/status.h"

namespace tiles {

Status add(int64_t count, const float* x, const float* y, float* out, cudaStream_t stream = nullptr) noexcept;

}  // namespace tiles
