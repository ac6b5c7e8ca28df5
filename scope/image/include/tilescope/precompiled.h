// What clang reads before every CUDA source, for it to keep in the form it has read them in
// (scope/image/precompiled.h).
#pragma once

#include "cuda_runtime.h"
