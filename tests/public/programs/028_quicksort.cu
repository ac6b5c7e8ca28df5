// Like zjin-lcf/HeCBench src/quicksort-cuda (main.cu, Quicksort.h, QuicksortKernels.cuh); flags: -std=c++14 -Xcompiler
// -Wall -O3
#include <assert.h>
#include <cuda.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <vector>
#define gpucheck(ans) \
    { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char* file, int line, bool abort = true) {
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}
typedef unsigned int uint;
struct parent_record {
    uint low, high;
};
double seconds() {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1000000000.0;
}
template <class T>
__global__ void part(const T* from, T* to, uint n, T pivot, parent_record* ends) {
    uint i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (from[i] < pivot)
        to[atomicAdd(&ends->low, 1)] = from[i];
    else
        to[atomicSub(&ends->high, 1) - 1] = from[i];
}
template <class T>
__global__ void small_sort(T* data, uint n) {
    extern __shared__ unsigned char raw[];
    T* s = (T*)raw;
    if (threadIdx.x < n) s[threadIdx.x] = data[threadIdx.x];
    for (uint turn = 0; turn < n; turn++) {
        __syncthreads();
        uint i = 2 * threadIdx.x + (turn & 1);
        if (i + 1 < n && s[i + 1] < s[i]) {
            T t = s[i];
            s[i] = s[i + 1];
            s[i + 1] = t;
        }
    }
    __syncthreads();
    if (threadIdx.x < n) data[threadIdx.x] = s[threadIdx.x];
}
template <class T>
bool test(uint n) {
    std::vector<T> values(n);
    std::generate(values.begin(), values.end(), []() {
        static T i = 0;
        return ++i;
    });
    std::shuffle(values.begin(), values.end(), std::mt19937(19937));
    T *d, *d2;
    parent_record ends = {0, n}, *d_ends;
    gpucheck(cudaMalloc((void**)&d, n * sizeof(T)));
    gpucheck(cudaMalloc((void**)&d2, n * sizeof(T)));
    gpucheck(cudaMalloc((void**)&d_ends, sizeof ends));
    gpucheck(cudaMemcpy(d, values.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    gpucheck(cudaMemcpy(d_ends, &ends, sizeof ends, cudaMemcpyHostToDevice));
    part<<<(n + 63) / 64, 64>>>(d, d2, n, values[0], d_ends);
    gpucheck(cudaPeekAtLastError());
    gpucheck(cudaMemcpy(&ends, d_ends, sizeof ends, cudaMemcpyDeviceToHost));
    if (ends.low) small_sort<<<1, 256, ends.low * sizeof(T)>>>(d2, ends.low);
    if (n - ends.low) small_sort<<<1, 256, (n - ends.low) * sizeof(T)>>>(d2 + ends.low, n - ends.low);
    gpucheck(cudaDeviceSynchronize());
    std::vector<T> got(n);
    gpucheck(cudaMemcpy(got.data(), d2, n * sizeof(T), cudaMemcpyDeviceToHost));
    std::sort(values.begin(), values.end());
    gpucheck(cudaFree(d));
    gpucheck(cudaFree(d2));
    gpucheck(cudaFree(d_ends));
    return std::equal(values.begin(), values.end(), got.begin());
}
int main() {
    double begin = seconds();
    bool ok = test<uint>(200) && test<float>(150) && test<double>(100) && seconds() >= begin;
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    return !ok;
}
