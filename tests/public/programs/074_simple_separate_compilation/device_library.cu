#include "device_library.cuh"
__device__ int calls = 0;
__device__ float multiplyByTwo(float number) {
    atomicAdd(&calls, 1);
    return number * 2.0f;
}
__device__ float divideByTwo(float number) {
    atomicAdd(&calls, 1);
    return number * 0.5f;
}
