// Like zjin-lcf/HeCBench src/extrema-cuda (main.cu, kernels.h, reference.h); flags: -std=c++14
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <chrono>
template <typename T>
__host__ __device__ bool peak(const T* x, int i, int n, int order, bool clip) {
    bool is = true;
    for (int o = 1; o <= order; o++) {
        int more = i + o < n ? i + o : (clip ? n - 1 : i + o - n), less = i >= o ? i - o : (clip ? 0 : i - o + n);
        is = is && x[i] > x[more] && x[i] >= x[less];
    }
    return is;
}
template <typename T>
__global__ void relextrema(const int n, const int order, const bool clip, const T* __restrict__ x,
                           bool* __restrict__ out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = peak(x, i, n, order, clip);
}
template <typename T>
bool test(const int n, const int order, const bool clip, const char* type) {
    T *x = (T*)malloc(sizeof(T) * n), *d_x;
    bool *got = (bool*)malloc(n), *d_out, ok = true;
    for (int i = 0; i < n; i++) x[i] = rand() % n;
    cudaMalloc((void**)&d_x, n * sizeof(T));
    cudaMalloc((void**)&d_out, n * sizeof(bool));
    cudaMemcpy(d_x, x, n * sizeof(T), cudaMemcpyHostToDevice);
    auto start = std::chrono::steady_clock::now();
    relextrema<T><<<dim3(2), dim3(256)>>>(n, order, clip, d_x, d_out);
    cudaDeviceSynchronize();
    printf("%s %d\n", type, std::chrono::steady_clock::now() >= start);
    cudaMemcpy(got, d_out, n * sizeof(bool), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) ok = ok && got[i] == peak(x, i, n, order, clip);
    cudaFree(d_x);
    cudaFree(d_out);
    free(x);
    free(got);
    return ok;
}
int main() {
    bool ok = test<int>(700, 1, true, "int") && test<long>(700, 2, false, "long") &&
              test<float>(300, 4, true, "float") && test<double>(300, 1, false, "double");
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
