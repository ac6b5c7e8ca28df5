#include "tiles/src/mma_gemm.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {

const Kernel kTf32Mma = mma::Launcher<mma::Tf32, false>::row<sm80::kMmaTf32>(
    "tf32_mma_128x128", "tensor cores on fp32 data, its factors rounded to tf32", Compute::kTF32);

}  // namespace tiles
