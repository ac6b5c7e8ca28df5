// Device library: the single-precision functions that have nvcc's bits.
#pragma once

#include "scope/isa/library/device_functions.h"

namespace tilescope::isa::device {

F32 single_sine(F32 a);
F32 single_cosine(F32 a);
F32 single_tangent(F32 a);
F32 single_exp(F32 a);
F32 single_exp10(F32 a);
F32 single_log(F32 a);
F32 single_log2(F32 a);
F32 single_log10(F32 a);
F32 single_tanh(F32 a);
F32 single_power(F32 a, F32 b);

}  // namespace tilescope::isa::device
