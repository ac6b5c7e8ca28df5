#include "tiles/src/mma_gemm.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {

const Kernel kBf16Mma = mma::Launcher<__nv_bfloat16, false>::row<sm80::kMma16>(
    "bf16_mma_128x128", "tensor cores: a warp multiplies 16 x 8 x 16 in one instruction", Compute::kBF16);

}  // namespace tiles
