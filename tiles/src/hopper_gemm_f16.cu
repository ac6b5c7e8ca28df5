#include "tiles/src/hopper_gemm16.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {

using Rows = hopper::Rows16<__half, Compute::kF16>;

const Kernel kF16Wgmma128x256 = Rows::large("f16_wgmma_128x256");
const Kernel kF16Wgmma128x192 = Rows::wide("f16_wgmma_128x192");
const Kernel kF16Wgmma128x128 = Rows::square("f16_wgmma_128x128");
const Kernel kF16Wgmma64x128Below = Rows::below("f16_wgmma_64x128_2x1");
const Kernel kF16Wgmma64x128Beside = Rows::beside("f16_wgmma_64x128_1x2");
const Kernel kF16Wgmma128x64Below = Rows::narrow("f16_wgmma_128x64_2x1");

}  // namespace tiles
