// C = beta * C for the products that have no sum: k or alpha is 0. Does not read C when beta is 0.
#pragma once

#include "tiles/src/problem.h"

namespace tiles {

Status launch_scale(const GemmProblem& problem);

}  // namespace tiles
