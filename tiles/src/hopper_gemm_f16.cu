#include "tiles/src/hopper_gemm16.cuh"
#include "tiles/src/rows_tensor.h"

namespace tiles {
namespace {

// Pairs of blocks pay for large products. The smaller tiles are for those that would leave half of each pair idle.
using Wide = hopper::Launcher16<__half, 256, 2, 2>;
using Square = hopper::Launcher16<__half, 128, 2, 1>;
using Flat = hopper::Launcher16<__half, 128, 1, 1>;
using Narrow = hopper::Launcher16<__half, 64, 2, 1>;

}  // namespace

const Kernel kF16Wgmma128x256{"f16_wgmma_128x256",
                              "Hopper: copy engine, warp specialisation, block pairs, persistent grid",
                              Compute::kF16,
                              90,
                              128,
                              256,
                              64,
                              1,
                              132,
                              0.71f,
                              5.0f,
                              Wide::supports,
                              Wide::workspace,
                              Wide::launch,
                              Wide::prepare,
                              false,
                              2};
const Kernel kF16Wgmma128x128{
    "f16_wgmma_128x128", nullptr,        Compute::kF16,  90, 128, 128, 64, 1, 132, 0.54f, 5.0f, Square::supports,
    Square::workspace,   Square::launch, Square::prepare};
const Kernel kF16Wgmma64x256{
    "f16_wgmma_64x256", nullptr,         Compute::kF16, 90,           64, 256, 64, 1, 132, 0.56f, 4.9f,
    Flat::supports,     Flat::workspace, Flat::launch,  Flat::prepare};
const Kernel kF16Wgmma128x64{
    "f16_wgmma_128x64", nullptr,        Compute::kF16,  90, 128, 64, 64, 1, 132, 0.30f, 6.5f, Narrow::supports,
    Narrow::workspace,  Narrow::launch, Narrow::prepare};

}  // namespace tiles
