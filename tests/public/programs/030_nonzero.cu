// Like zjin-lcf/HeCBench src/nonzero-cuda/main.cu; flags: -std=c++17
#include <stdio.h>
#include <stdlib.h>
#include <cub/cub.cuh>
#include <random>
template <typename T>
struct NonZero {
    __host__ __device__ __forceinline__ bool operator()(const T& a) const { return a != (T)0; }
};
template <typename T>
bool nonzero(int n) {
    std::mt19937 gen(19937);
    std::uniform_int_distribution<> dist(-1, 1);
    T *h = (T*)malloc(n * sizeof(T)), *d;
    int64_t want = 0, got = 0, *d_count, *d_out;
    for (int i = 0; i < n; i++) want += (h[i] = (T)dist(gen)) != (T)0;
    cudaMalloc((void**)&d, n * sizeof(T));
    cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice);
    cudaMalloc((void**)&d_count, sizeof(int64_t));
    cudaMalloc((void**)&d_out, n * sizeof(int64_t));
    NonZero<T> op;
    cub::TransformInputIterator<bool, NonZero<T>, T*> itr(d, op);
    void* temp;
    size_t bytes = 0, more = 0;
    cub::DeviceReduce::Sum(nullptr, bytes, itr, d_count, n);
    cudaMalloc(&temp, bytes);
    cub::DeviceReduce::Sum(temp, bytes, itr, d_count, n);
    cudaFree(temp);
    cudaMemcpy(&got, d_count, sizeof got, cudaMemcpyDeviceToHost);
    bool ok = got == want;
    cub::CountingInputIterator<int64_t> counting(0);
    cub::DeviceSelect::Flagged(nullptr, more, counting, itr, d_out, d_count, n);
    cudaMalloc(&temp, more);
    cub::DeviceSelect::Flagged(temp, more, counting, itr, d_out, d_count, n);
    int64_t* out = (int64_t*)malloc(n * sizeof(int64_t));
    cudaMemcpy(out, d_out, want * sizeof(int64_t), cudaMemcpyDeviceToHost);
    for (int i = 0, k = 0; i < n; i++)
        if (h[i] != (T)0) ok = ok && out[k++] == i;
    cudaFree(temp);
    cudaFree(d);
    cudaFree(d_count);
    cudaFree(d_out);
    free(h);
    free(out);
    return ok;
}
int main() {
    bool ok = nonzero<float>(600);
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
