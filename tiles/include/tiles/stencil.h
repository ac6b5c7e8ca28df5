// The seven-point stencil in three dimensions: out = centre * in + neighbour * (the six neighbours' sum), zeros
// outside. Volumes are on the device, dense, x fastest: element (x, y, z) at (z * ny + y) * nx + x. in and out must not
// overlap. Asynchronous on the stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "tiles/status.h"

namespace tiles {

Status stencil(int64_t nx, int64_t ny, int64_t nz, float centre, float neighbour, const float* in, float* out,
               cudaStream_t stream = nullptr) noexcept;

}  // namespace tiles
