// out(y, x) = sum over the filter of filter(i, j) * in(y + i - side/2, x + j - side/2), with zeros outside the image.
//
// The image is on the device, row-major, rows ld apart; the square filter is a host array with an odd side up to
// kMaxFilterSide. It travels as a kernel parameter, that is, in constant memory, so calls with different filters may
// be in flight at once and a captured call keeps its own. in and out must not overlap. Asynchronous on the stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "tiles/status.h"

namespace tiles {

constexpr int kMaxFilterSide = 15;

Status convolve2d(int64_t rows, int64_t columns, const float* in, int64_t ld_in, const float* filter, int side,
                  float* out, int64_t ld_out, cudaStream_t stream = nullptr) noexcept;

}  // namespace tiles
