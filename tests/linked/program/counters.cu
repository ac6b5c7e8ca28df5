#include "parts.cuh"

__device__ int visits = 100;
__device__ int visit() { return atomicAdd(&visits, 1); }
