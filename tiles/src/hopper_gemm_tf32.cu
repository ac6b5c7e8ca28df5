#include "tiles/src/hopper_gemm32.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {
namespace {

using Wide = hopper::Launcher32<256, false, 2>;
using Small = hopper::Launcher32<64, false, 1>;
using Three = hopper::Launcher32<192, true, 2>;
using ThreeSmall = hopper::Launcher32<64, true, 1>;
using ThreeTall = hopper::Launcher32<64, true, 1, true>;

}  // namespace

const Kernel kTf32Wgmma256x128{
    "tf32_wgmma_256x128",
    "Hopper: B through registers, since only k-contiguous 32-bit factors may come from memory",
    Compute::kTF32,
    90,
    256,
    128,
    32,
    1,
    132,
    0.70f,
    4.0f,
    Wide::supports,
    Wide::workspace,
    Wide::launch,
    Wide::prepare,
    false,
    2};
const Kernel kTf32Wgmma64x128{
    "tf32_wgmma_64x128", nullptr,       Compute::kTF32, 90, 64, 128, 32, 1, 132, 0.45f, 4.0f, Small::supports,
    Small::workspace,    Small::launch, Small::prepare};
const Kernel kF32Tensor192x128{"f32_3xtf32_192x128",
                               "fp32 accuracy from three tf32 products, summed outside the tensor cores",
                               Compute::kF32Tensor,
                               90,
                               192,
                               128,
                               32,
                               1,
                               132,
                               0.25f,
                               10.0f,
                               Three::supports,
                               Three::workspace,
                               Three::launch,
                               Three::prepare,
                               false,
                               2};
const Kernel kF32Tensor64x128{"f32_3xtf32_64x128",
                              nullptr,
                              Compute::kF32Tensor,
                              90,
                              64,
                              128,
                              32,
                              1,
                              132,
                              0.185f,
                              6.0f,
                              ThreeSmall::supports,
                              ThreeSmall::workspace,
                              ThreeSmall::launch,
                              ThreeSmall::prepare};
const Kernel kF32Tensor128x64{"f32_3xtf32_128x64",
                              nullptr,
                              Compute::kF32Tensor,
                              90,
                              128,
                              64,
                              32,
                              1,
                              132,
                              0.185f,
                              6.0f,
                              ThreeTall::supports,
                              ThreeTall::workspace,
                              ThreeTall::launch,
                              ThreeTall::prepare};

}  // namespace tiles
