// Compiles with clang (no CUDA headers needed) and with nvcc. Initialisers with addresses, a loop, shared memory.
#ifdef __clang__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#endif
__device__ float table[4] = {1.5f, 2};
struct Entry {
    char tag;
    float* cell;
};
__device__ Entry entry = {1, &table[2]};
__global__ void sums(float* data, int n) {
    __shared__ float parts[32];
    for (int i = 0; i < n; i++) parts[i & 31] += data[i];
    data[0] = parts[1] + table[n] + *entry.cell;
}
