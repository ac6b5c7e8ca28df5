// Products of matrices in host memory that need not fit the device: C = alpha op(A) op(B) + beta C, fp32.
//
// The matrices are cut into tiles that fit a budget of device memory; tiles of A and B come in, results go out, and
// products run, all three at once. Tiles of B stay on the device while they are in use. Pinned memory is used as it is;
// pageable memory is registered for the time of the call, and copied as it is where that fails. Blocks until C is
// complete. Allocates up to the budget and frees it. Does not share a product among several GPUs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tiles/gemm.h"

namespace tiles {

struct StreamedOptions {
    Layout layout = Layout::kRowMajor;
    Op op_a = Op::kNone;
    Op op_b = Op::kNone;
    size_t device_bytes = 0;          // budget; 0: four fifths of what is free
    Compute compute = Compute::kF32;  // or kF32Tensor, kTF32
};

Status gemm_streamed(int64_t m, int64_t n, int64_t k, float alpha, const float* a, int64_t lda, const float* b,
                     int64_t ldb, float beta, float* c, int64_t ldc, const StreamedOptions& options = {}) noexcept;

}  // namespace tiles
