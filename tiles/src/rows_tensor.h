// The tensor-core kernels' rows, each defined beside its launcher.
#pragma once

#include "tiles/src/kernel.h"

namespace tiles {

extern const Kernel kTf32Mma, kBf16Mma, kF16Mma, kF32TensorMma;               // mma_gemm_*.cu
extern const Kernel kBf16WgmmaCopies, kF16WgmmaCopies;                        // wgmma_copies.cu
extern const Kernel kTf32Wgmma256x128, kTf32Wgmma64x128;                      // hopper_gemm_tf32.cu
extern const Kernel kBf16Wgmma128x256, kBf16Wgmma128x192, kBf16Wgmma128x128;  // hopper_gemm_bf16.cu
extern const Kernel kBf16Wgmma64x128Below, kBf16Wgmma64x128Beside, kBf16Wgmma128x64Below;
extern const Kernel kF16Wgmma128x256, kF16Wgmma128x192, kF16Wgmma128x128;  // hopper_gemm_f16.cu
extern const Kernel kF16Wgmma64x128Below, kF16Wgmma64x128Beside, kF16Wgmma128x64Below;
extern const Kernel kF32Tensor192x128, kF32Tensor64x128, kF32Tensor128x64;  // hopper_gemm_tf32.cu
extern const Kernel kBf16Checked, kF16Checked;                              // checked16.cu

// The shortest k that three tf32 products take.
constexpr int64_t kShortestThree = 32;

}  // namespace tiles
