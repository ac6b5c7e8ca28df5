#include "tiles/src/hopper_gemm16.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {
namespace {

using Wide = hopper::Launcher16<__nv_bfloat16, 256, 2, 2>;
using Square = hopper::Launcher16<__nv_bfloat16, 128, 2, 2>;
using Flat = hopper::Launcher16<__nv_bfloat16, 128, 1, 1>;

}  // namespace

const Kernel kBf16Wgmma128x256{"bf16_wgmma_128x256",
                               "Hopper: copy engine, warp specialisation, block pairs, persistent grid",
                               Compute::kBF16,
                               90,
                               128,
                               256,
                               64,
                               1,
                               132,
                               0.71f,
                               4.0f,
                               hopper::reachable,
                               Wide::workspace,
                               Wide::launch,
                               Wide::prepare};
const Kernel kBf16Wgmma128x128{
    "bf16_wgmma_128x128", nullptr,        Compute::kBF16, 90, 128, 128, 64, 1, 132, 0.62f, 5.0f, hopper::reachable,
    Square::workspace,    Square::launch, Square::prepare};
const Kernel kBf16Wgmma64x256{
    "bf16_wgmma_64x256", nullptr,         Compute::kBF16, 90,           64, 256, 64, 1, 132, 0.60f, 5.0f,
    hopper::reachable,   Flat::workspace, Flat::launch,   Flat::prepare};

}  // namespace tiles
