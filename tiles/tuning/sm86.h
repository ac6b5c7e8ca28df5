// Compute capability 8.6 and 8.9: their peaks (FMA units from the CUDA C++ Programming Guide, "Arithmetic
// Instructions"). They have no kernels of their own: those of 8.0 run. Their tensor cores are taken for an A100's,
// which flatters them: it orders kernels of one unit, and no such card was measured.
#pragma once

#include "tiles/tuning/figures.h"

namespace tiles::sm86 {

inline constexpr Peak kPeak = {.f32 = 128, .f64 = 2, .tf32 = 512, .half = 1024};

}  // namespace tiles::sm86
