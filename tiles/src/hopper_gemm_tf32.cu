#include "tiles/src/hopper_gemm32.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {

using hopper::row32;

const Kernel kTf32Wgmma256x128 = row32<sm90::kTf32Wgmma256x128>(
    "tf32_wgmma_256x128", "Hopper: B through registers, since only k-contiguous 32-bit factors may come from memory");
const Kernel kTf32Wgmma64x128 = row32<sm90::kTf32Wgmma64x128>("tf32_wgmma_64x128");
const Kernel kF32Tensor192x128 = row32<sm90::kF32Tensor192x128>(
    "f32_3xtf32_192x128", "fp32 accuracy from three tf32 products, summed outside the tensor cores");
const Kernel kF32Tensor64x128 = row32<sm90::kF32Tensor64x128>("f32_3xtf32_64x128");
const Kernel kF32Tensor128x64 = row32<sm90::kF32Tensor128x64>("f32_3xtf32_128x64");

}  // namespace tiles
