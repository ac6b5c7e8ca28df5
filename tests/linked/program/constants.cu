#include "parts.cuh"

__constant__ float scales[4] = {1, 10, 100, 1000};
__device__ float scaled(float value, int which) { return value * scales[which]; }
