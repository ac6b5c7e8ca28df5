#include "parts.cuh"

__device__ float fetched(cudaTextureObject_t texture, float x) { return tex1D<float>(texture, x + 0.5f); }
