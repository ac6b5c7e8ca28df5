// What all headers of <cuda/...> share: the language that they need, and how functions of both sides are spelled.
//
// Guarantees: of the names of CUDA's C++ library, those that are here mean what its documentation says. Functions that
// are constexpr are of both sides, as clang takes them; others say so.
// Does not model: versions of the library's ABI; what is not named in docs/reference/limitations.md.
#pragma once

#if __cplusplus < 201703L
#error "CUDA's C++ library (<cuda/...>) needs C++17 or newer: compile with -std=c++17"
#endif

#include "../../host_defines.h"

#define TILESCOPE_CXX __host__ __device__
#define TILESCOPE_CXX_INLINE __host__ __device__ __inline__ __attribute__((always_inline))
