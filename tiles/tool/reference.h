// The product by cuBLAS, for the ladder's comparison. False where the tool was built without cuBLAS.
#pragma once

#include "tiles/gemm.h"

namespace tiles {

// Row-major, no transposes, alpha 1, beta 0.
bool reference_product(const GemmArguments& arguments);

}  // namespace tiles
