// A stencil of seven points on either side.
#pragma once
#define IN_TILE 8
#define OUT_TILE (IN_TILE - 2)
inline unsigned int cdiv(unsigned int a, unsigned int b) { return (a + b - 1) / b; }
void stencil_sequential(const float* in, float* out, unsigned int N);
void stencil_shared(const float* in, float* out, unsigned int N);
