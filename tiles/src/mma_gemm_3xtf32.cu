#include "tiles/src/mma_gemm.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {

const Kernel kF32TensorMma =
    mma::Launcher<mma::Tf32, true>::row<sm80::kMma3xTf32>("f32_3xtf32_mma_128x128", nullptr, Compute::kF32Tensor);

}  // namespace tiles
