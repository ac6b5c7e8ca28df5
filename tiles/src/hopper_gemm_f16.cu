#include "tiles/src/hopper_gemm16.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {

using Rows = hopper::Rows16<__half, Compute::kF16>;

const Kernel kF16Wgmma128x256 = Rows::wide("f16_wgmma_128x256");
const Kernel kF16Wgmma128x128 = Rows::square("f16_wgmma_128x128");
const Kernel kF16Wgmma64x256 = Rows::flat("f16_wgmma_64x256");
const Kernel kF16Wgmma128x64 = Rows::narrow("f16_wgmma_128x64");

}  // namespace tiles
