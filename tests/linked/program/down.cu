#include "parts.cuh"

__device__ int down(int from) { return from <= 0 ? 100 : up(from - 1) + 1; }
