// out = transpose of in, both row-major on the device. in is rows x columns with rows ld_in apart, out columns x rows
// with rows ld_out apart; they must not overlap. Asynchronous on the stream, capturable; errors name the argument.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "tiles/status.h"

namespace tiles {

Status transpose(int64_t rows, int64_t columns, const float* in, int64_t ld_in, float* out, int64_t ld_out,
                 cudaStream_t stream = nullptr) noexcept;

}  // namespace tiles
