// What must stand before the C++ standard library: device overloads of the functions of <cmath>, as clang's own CUDA
// headers declare them. Included by cuda_runtime.h only.
#pragma once

#define CUDA_VERSION 12080  // read by clang's headers
// Their pow takes an integer for a count of multiplications; ours stands in its place (float_overloads.h).
#define pow __tilescope_clang_pow
#include <__clang_cuda_math_forward_declares.h>
#undef pow
static __inline__ __attribute__((device, always_inline)) float pow(float x, float y);
static __inline__ __attribute__((device, always_inline)) double pow(double x, double y);
namespace std {
using ::pow;
}

#ifndef __CUDACC__
#define __CUDACC__
#endif
// In both spellings: <stdlib.h> and <math.h> of the C++ library bring names of std into the global namespace, which
// only goes while the functions of device code do not stand beside them yet.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include <math.h>
#include <stdlib.h>
#if __clang_major__ < 15
// Before clang 15 __noinline__ is a macro here, which <memory> cannot bear to meet.
#include <memory>
#endif
#undef CUDA_VERSION
