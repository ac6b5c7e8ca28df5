// threadIdx, blockIdx, blockDim and gridDim stand from cuda_runtime.h; this name is kept for programs that include it.
#pragma once
#include "cuda_runtime.h"
