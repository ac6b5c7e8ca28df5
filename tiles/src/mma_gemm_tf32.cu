#include "tiles/src/mma_gemm.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {
namespace {

using Row = mma::Launcher<mma::Tf32, false>;

}  // namespace

const Kernel kTf32Mma{"tf32_mma_128x128",
                      "tensor cores on fp32 data, its factors rounded to tf32",
                      Compute::kTF32,
                      80,
                      128,
                      128,
                      Row::kK,
                      2,
                      64,
                      0.22f,
                      4.0f,
                      Row::supports,
                      Row::workspace,
                      Row::launch,
                      Row::prepare};

}  // namespace tiles
