#include "tiles/src/mma_gemm.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {
namespace {

using Row = mma::Launcher<__nv_bfloat16, false>;

}  // namespace

const Kernel kBf16Mma{"bf16_mma_128x128",
                      "tensor cores: a warp multiplies 16 x 8 x 16 in one instruction",
                      Compute::kBF16,
                      80,
                      128,
                      128,
                      Row::kK,
                      2,
                      64,
                      0.26f,
                      4.0f,
                      Row::supports,
                      Row::workspace,
                      Row::launch,
                      Row::prepare};

}  // namespace tiles
