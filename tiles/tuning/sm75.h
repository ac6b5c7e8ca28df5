// Compute capability 7.5: its peaks (CUDA C++ Programming Guide, "Arithmetic Instructions"; Turing architecture white
// paper). It has no kernels of its own: those of 7.0 run.
#pragma once

#include "tiles/tuning/figures.h"

namespace tiles::sm75 {

inline constexpr Peak kPeak = {.f32 = 64, .f64 = 2, .tf32 = 128, .half = 512};  // tf32: see sm70.h

}  // namespace tiles::sm75
