// Functions of another file, and the type of a pointer to one.
#pragma once
typedef float (*deviceFunc)(float);
__device__ float multiplyByTwo(float number);
__device__ float divideByTwo(float number);
extern __device__ int calls;
