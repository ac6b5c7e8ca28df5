// Products and sums, as people write them, in every type: one line each with the bits that come out. With -fmad=false
// none is one multiply-add, and those with _rn never are.
#include <cuda_fp16.h>
#include <cstdio>
#include <cstring>
#if defined(__has_include)
#if __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#define HAS_BFLOAT16
#endif
#endif

constexpr int kWays = 7;

__device__ float product_rn(float x, float y) { return __fmul_rn(x, y); }
__device__ double product_rn(double x, double y) { return __dmul_rn(x, y); }
__device__ __half product_rn(__half x, __half y) { return __hmul_rn(x, y); }
__device__ __half2 product_rn(__half2 x, __half2 y) { return __hmul2_rn(x, y); }
__device__ float sum_rn(float x, float y) { return __fadd_rn(x, y); }
__device__ double sum_rn(double x, double y) { return __dadd_rn(x, y); }
__device__ __half sum_rn(__half x, __half y) { return __hadd_rn(x, y); }
__device__ __half2 sum_rn(__half2 x, __half2 y) { return __hadd2_rn(x, y); }
#if defined(HAS_BFLOAT16)
__device__ __nv_bfloat16 product_rn(__nv_bfloat16 x, __nv_bfloat16 y) { return __hmul_rn(x, y); }
__device__ __nv_bfloat162 product_rn(__nv_bfloat162 x, __nv_bfloat162 y) { return __hmul2_rn(x, y); }
__device__ __nv_bfloat16 sum_rn(__nv_bfloat16 x, __nv_bfloat16 y) { return __hadd_rn(x, y); }
__device__ __nv_bfloat162 sum_rn(__nv_bfloat162 x, __nv_bfloat162 y) { return __hadd2_rn(x, y); }
#endif

// x * x is z and a little more, which only a multiply-add sees. Each line has an x, a z and a -z of its own.
template <class T>
__global__ void compute(const T* in, T* out) {
    if (threadIdx.x != 0) return;
    out[0] = in[0] * in[0] - in[1];
    out[1] = in[4] - in[3] * in[3];
    out[2] = in[6] * in[6] + in[6];
    out[3] = product_rn(in[9], in[9]) + in[11];
    out[4] = sum_rn(in[12] * in[12], in[14]);
    const T p = in[15] * in[15];
    out[5] = (p + in[17]) + p;
    out[6] = in[18] * in[18] + in[19] * in[20];
}

template <class T>
T of_bits(unsigned long long bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <class T>
void show(const char* name, unsigned long long x, unsigned long long z, unsigned long long minus) {
    T host[3 * kWays], *in = nullptr, *out = nullptr;
    for (int i = 0; i < kWays; ++i) {
        host[3 * i] = of_bits<T>(x);
        host[3 * i + 1] = of_bits<T>(z);
        host[3 * i + 2] = of_bits<T>(z ^ minus);
    }
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    compute<<<1, 32>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%s", name);
    for (int i = 0; i < kWays; ++i) {
        unsigned long long bits = 0;
        std::memcpy(&bits, host + i, sizeof(T));
        std::printf(" %0*llx", static_cast<int>(2 * sizeof(T)), bits);
    }
    std::printf("\n");
    cudaFree(in);
    cudaFree(out);
}

int main() {
    show<float>("f32", 0x3f800800, 0x3f801000, 0x80000000);
    show<double>("f64", 0x3ff0000002000000, 0x3ff0000004000000, 0x8000000000000000);
    show<__half>("f16", 0x3c10, 0x3c20, 0x8000);
    show<__half2>("f16x2", 0x3c103c30, 0x3c203c62, 0x80008000);
#if defined(HAS_BFLOAT16)
    show<__nv_bfloat16>("bf16", 0x3f88, 0x3f90, 0x8000);
    show<__nv_bfloat162>("bf16x2", 0x3f883f8a, 0x3f903f95, 0x80008000);
#endif
    const cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) std::printf("%s\n", cudaGetErrorName(status));
    return 0;
}
