// The pictures of a lesson that follow from its answers alone.
//
// Owns: curves over runs and pictures of one request. Guarantees: pure functions of the answers; what cannot be drawn
// is an error that says why. Does not model: drawing (scope/views), pictures that a command draws itself.
#pragma once

#include "scope/lessons/answers.h"
#include "scope/report/access_picture.h"
#include "scope/report/chart.h"

namespace tilescope::lessons {

// Of a kCurve: one point for each of its expressions.
Result<report::Chart> curve(const Picture& picture, const Answers& answers);
// Of a kRequest or kBanks, whose run is a trace that shows the threads of a warp.
Result<AccessPicture> access(const Picture& picture, const Answers& answers);

}  // namespace tilescope::lessons
