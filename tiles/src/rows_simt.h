// The rows of fp32 FMA and fp64 kernels, each defined beside its launch.
#pragma once

#include "tiles/src/problem.h"

namespace tiles {

extern const Kernel kF32Pipeline128x256, kF32Pipeline128x256d8, kF32Pipeline256x128, kF32Pipeline128x128,
    kF32Pipeline128x128w4, kF32Pipeline256x64, kF32Pipeline64x256, kF32Pipeline64x128, kF32Pipeline64x64;

}  // namespace tiles
