#include "parts.cuh"

static __device__ float squared(float x) { return x * x; }
static __device__ float negated(float x) { return -x; }
__device__ float next(float x) { return x + 1; }
__device__ Step steps[3] = {squared, negated, next};

void fill_from_table(float* out) { fill<<<1, 32>>>(out, 1.5f); }
