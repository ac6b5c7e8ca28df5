// In the same archive, and asked for by nobody.
__device__ int never_read = 1;
__device__ int never_called() { return never_read; }
