// Cutting k: each part's bare sums go to a plane of the workspace, a second kernel adds the planes in order, so that
// the result does not depend on which block was faster. Owns: the planes' layout and that kernel.
#pragma once

#include "tiles/src/problem.h"

namespace tiles {

// Elements from row to row of a plane of sums; planes lie m rows apart, plane batch * parts + part.
int64_t sums_pitch(const GemmProblem& problem);
size_t sums_bytes(const GemmProblem& problem, int parts);

// C = alpha * (sum of the planes) + beta * C.
Status launch_add_parts(const GemmProblem& problem, const float* sums, int parts);

}  // namespace tiles
