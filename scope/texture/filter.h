// What the texture unit makes of up to 16 texels and their weights.
#pragma once

#include <array>
#include <cstdint>

#include "scope/texture/addressing.h"

namespace tilescope::texture {

// Splits a weight between two texels; `fraction` of 256 goes to the second.
inline int share(int weight, int fraction) { return (weight * fraction + kWholeWeight / 2) >> kWeightBits; }

struct Term {
    float value = 0;
    int weight = 0;  // of 256
};

// The weighted sum.
float blend(const Term* terms, unsigned count);

}  // namespace tilescope::texture
