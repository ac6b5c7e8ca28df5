// Products of tensor-core types on FMA units: rows that hand a product on to whatever the chooser takes for fp32. They
// stand above the other rows because their launch chooses.
#pragma once

#include "tiles/src/kernel.h"

namespace tiles {

extern const Kernel kF32TensorByFma, kTf32ByFma;

}  // namespace tiles
