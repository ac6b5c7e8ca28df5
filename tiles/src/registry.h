// Where the registry's rows come from: one list for each half of the library. Owns the order; rows are const and
// static. Does not choose between kernels.
#pragma once

#include "tiles/src/problem.h"

namespace tiles {

KernelList simt_kernels();    // tiles/src/rows_simt.cpp: fp32 FMA and fp64
KernelList tensor_kernels();  // tiles/src/rows_tensor.cpp: tensor cores

}  // namespace tiles
