// Random numbers in kernels: the generators XORWOW, Philox4_32_10, MRG32k3a and Sobol, plain and scrambled, with
// uniform, normal and log-normal distributions.
//
// Guarantees: the integers and uniform numbers that cuRAND's generators give, bit by bit; normal numbers up to the last
// places of the logarithm; of Poisson's distribution only that it is one.
// Does not model: MTGP32 (its tables are only in NVIDIA's files), discrete distributions (made by its
// library), generators in host code.
#pragma once

#include "cuda_runtime.h"

#define TILESCOPE_RANDOM static __inline__ __attribute__((device, always_inline))

#include "tilescope/random/states.h"
#if defined(__CUDA__)
#include "tilescope/random/xorwow.h"
//
#include "tilescope/random/philox.h"
//
#include "tilescope/random/mrg32k3a.h"
#include "tilescope/random/sobol.h"
//
#include "tilescope/random/distributions.h"
//
#include "tilescope/random/fours.h"
#include "tilescope/random/poisson.h"
#endif

#undef TILESCOPE_RANDOM
