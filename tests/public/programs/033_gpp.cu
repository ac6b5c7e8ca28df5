// Like zjin-lcf/HeCBench src/gpp-cuda (main.cu, CustomComplex.h, utils.h, kernel.h); flags: -std=c++14
// -DdataType=double
#include <cuda.h>
#include <string.h>
#include <sys/time.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#ifndef dataType
#define dataType double
#endif
template <class re>
class CustomComplex {
public:
    re x, y;
    explicit CustomComplex() = default;
    __host__ __device__ explicit CustomComplex(const re& a, const re& b) : x(a), y(b) {}
    __host__ __device__ CustomComplex& operator+=(const CustomComplex& o) {
        x += o.x;
        y += o.y;
        return *this;
    }
    template <class T>
    __host__ __device__ friend inline CustomComplex<T> operator*(const CustomComplex<T>& a, const CustomComplex<T>& b);
    void print() const { printf("( %f, %f) \n", x, y); }
};
template <class T>
__host__ __device__ inline CustomComplex<T> operator*(const CustomComplex<T>& a, const CustomComplex<T>& b) {
    return CustomComplex<T>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__global__ void solver(const CustomComplex<dataType>* a, const CustomComplex<dataType>* b, int n, dataType* re,
                       dataType* im) {
    CustomComplex<dataType> sum(0.0, 0.0);
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += a[blockIdx.x] * b[i];
    atomicAdd(re, sum.x);
    atomicAdd(im, sum.y);
}
int main(int argc, char** argv) {
    const int bands = 6, n = 100;
    CustomComplex<dataType> a[bands], b[n], want(0.0, 0.0), *d_a, *d_b;
    timeval start;
    gettimeofday(&start, NULL);
    for (int i = 0; i < bands; i++) a[i] = CustomComplex<dataType>(0.025 * i, 0.5);
    for (int i = 0; i < n; i++) b[i] = CustomComplex<dataType>(1.0 / (i + 1), -0.01 * i);
    dataType *d, got[2];
    cudaMalloc((void**)&d_a, sizeof a);
    cudaMalloc((void**)&d_b, sizeof b);
    cudaMalloc((void**)&d, sizeof got);
    cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMemset(d, 0, sizeof got);
    solver<<<dim3(bands, 1, 1), dim3(32, 1, 1)>>>(d_a, d_b, n, d, d + 1);
    cudaDeviceSynchronize();
    cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost);
    for (auto& p : a)
        for (auto& q : b) want += p * q;
    want.print();
    bool ok = std::fabs(want.x - got[0]) < 1e-9 && std::fabs(want.y - got[1]) < 1e-9;
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d);
    return !ok;
}
