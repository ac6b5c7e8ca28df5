// In the same archive.
__constant__ float offset = 7;
__device__ float three_times(float value) { return 3 * value; }
