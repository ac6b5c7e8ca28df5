#include "tiles/src/hopper_gemm16.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {

using Rows = hopper::Rows16<__nv_bfloat16, Compute::kBF16>;

const Kernel kBf16Wgmma128x256 = Rows::large("bf16_wgmma_128x256");
const Kernel kBf16Wgmma128x192 = Rows::wide("bf16_wgmma_128x192");
const Kernel kBf16Wgmma128x128 = Rows::square("bf16_wgmma_128x128");
const Kernel kBf16Wgmma64x128Below = Rows::below("bf16_wgmma_64x128_2x1");
const Kernel kBf16Wgmma64x128Beside = Rows::beside("bf16_wgmma_64x128_1x2");
const Kernel kBf16Wgmma128x64Below = Rows::narrow("bf16_wgmma_128x64_2x1");

}  // namespace tiles
