#include "tiles/src/mma_gemm.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {

const Kernel kF16Mma = mma::Launcher<__half, false>::row<sm80::kMma16>(
    "f16_mma_128x128", "tensor cores: a warp multiplies 16 x 8 x 16 in one instruction", Compute::kF16);

}  // namespace tiles
