#include "tiles/src/hopper_gemm16.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {

using Rows = hopper::Rows16<__half, Compute::kF16>;

const Kernel kF16Wgmma128x256 = Rows::row<sm90::kWgmma128x256>("f16_wgmma_128x256", hopper::kIdea16);
const Kernel kF16Wgmma128x192 = Rows::row<sm90::kWgmma128x192>("f16_wgmma_128x192");
const Kernel kF16Wgmma128x128 = Rows::row<sm90::kWgmma128x128>("f16_wgmma_128x128");
const Kernel kF16Wgmma64x128Below = Rows::row<sm90::kWgmma64x128Below>("f16_wgmma_64x128_2x1");
const Kernel kF16Wgmma64x128Beside = Rows::row<sm90::kWgmma64x128Beside>("f16_wgmma_64x128_1x2");
const Kernel kF16Wgmma128x64Below = Rows::row<sm90::kWgmma128x64Below>("f16_wgmma_128x64_2x1");

}  // namespace tiles
