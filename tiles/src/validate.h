// From what the caller wrote to the canonical product. Owns: the checks of every argument, the turn from column-major
// to row-major. Guarantees: a problem that is returned with an ok status keeps the promises of tiles/src/problem.h,
// except that sizes may be zero and alpha may be 0. Does not touch the device.
#pragma once

#include "tiles/src/problem.h"

namespace tiles {

// Whether the matrices exist. Where they do not yet, null pointers stand for aligned ones.
enum class Memory { kThere, kPlanned };

Status make_problem(const GemmArguments& arguments, GemmProblem* problem, Memory memory = Memory::kThere);

// The size of one element of A and B.
size_t input_bytes(Compute compute);
size_t type_bytes(DataType type);

}  // namespace tiles
