#include "tiles/src/hopper_gemm16.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {

using Rows = hopper::Rows16<__nv_bfloat16, Compute::kBF16>;

const Kernel kBf16Wgmma128x256 = Rows::wide("bf16_wgmma_128x256");
const Kernel kBf16Wgmma128x128 = Rows::square("bf16_wgmma_128x128");
const Kernel kBf16Wgmma64x256 = Rows::flat("bf16_wgmma_64x256");
const Kernel kBf16Wgmma128x64 = Rows::narrow("bf16_wgmma_128x64");

}  // namespace tiles
