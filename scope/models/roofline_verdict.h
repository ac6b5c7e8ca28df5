// What a roofline says of a kernel: what binds, how far from the ridge it is, and what would move it.
//
// Guarantees: every figure follows from the roofline and the work that it is given. Does not model: words
// (views/words/verdicts.h).
#pragma once

#include "scope/models/roofline.h"

namespace tilescope::models {

RooflineFacts verdict(const Roofs& roofs, const RooflineWork& work, const RooflineProfile& roofline);

}  // namespace tilescope::models
