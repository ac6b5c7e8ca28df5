#include "tiles/src/mma_gemm.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {
namespace {

using Row = mma::Launcher<mma::Tf32, true>;

}  // namespace

const Kernel kF32TensorMma{"f32_3xtf32_mma_128x128",
                           nullptr,
                           Compute::kF32Tensor,
                           80,
                           128,
                           128,
                           Row::kK,
                           1,
                           64,
                           0.085f,
                           4.0f,
                           Row::supports,
                           Row::workspace,
                           Row::launch,
                           Row::prepare};

}  // namespace tiles
