// Dynamic shared memory of a template's type: one name for each type, as one name may not have two.
#pragma once
template <typename T>
struct SharedMemory {
    __device__ T* getPointer() {
        extern __device__ void error(void);
        error();
        return NULL;
    }
};
template <>
struct SharedMemory<int> {
    __device__ int* getPointer() {
        extern __shared__ int s_int[];
        return s_int;
    }
};
template <>
struct SharedMemory<float> {
    __device__ float* getPointer() {
        extern __shared__ float s_float[];
        return s_float;
    }
};
template <>
struct SharedMemory<double> {
    __device__ double* getPointer() {
        extern __shared__ double s_double[];
        return s_double;
    }
};
