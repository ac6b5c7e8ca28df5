// The wgmma rung that cp.async feeds against cuBLAS: bf16, A as [m][k] and B as [n][k].
//
// usage: wgmma_copies_bench      a line for each size: time and rate of both, and how far their results lie apart
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tiles/src/wgmma_copies.cuh"

namespace {

using Element = __nv_bfloat16;

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

__global__ void fill(Element* to, int64_t count, unsigned seed) {
    for (int64_t i = blockIdx.x * int64_t{256} + threadIdx.x; i < count; i += int64_t{256} * gridDim.x) {
        unsigned x = static_cast<unsigned>(i) * 2654435761u ^ seed;
        x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
        to[i] = __float2bfloat16(static_cast<float>(x >> 8) / 16777216.0f - 0.5f);
    }
}

// The median of several runs, in milliseconds.
template <class Run>
float median(const Run& run) {
    cudaEvent_t start, stop;
    cudaEventCreate(&start), cudaEventCreate(&stop);
    std::vector<float> times;
    for (int i = 0; i < 3; ++i) run();
    for (int i = 0; i < 21; ++i) {
        cudaEventRecord(start);
        run();
        cudaEventRecord(stop);
        check(cudaEventSynchronize(stop));
        float time = 0;
        cudaEventElapsedTime(&time, start, stop);
        times.push_back(time);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

void measure(cublasHandle_t handle, int64_t m, int64_t n, int64_t k) {
    Element *a, *b, *c, *expected;
    check(cudaMalloc(&a, m * k * 2)), check(cudaMalloc(&b, n * k * 2));
    check(cudaMalloc(&c, m * n * 2)), check(cudaMalloc(&expected, m * n * 2));
    fill<<<1024, 256>>>(a, m * k, 1), fill<<<1024, 256>>>(b, n * k, 2);
    check(cudaMemset(c, 0xff, m * n * 2));
    const auto kernel = tiles::wgmma_copies::gemm<Element, Element, false, false>;
    check(tiles::wgmma_copies::allow_shared(kernel));
    tiles::wgmma_copies::Arguments<Element, Element> g{};
    g.a = a, g.b = b, g.c = c, g.m = m, g.n = n, g.k = k, g.lda = g.ldb = k, g.ldc = n, g.alpha = 1;
    const float ours = median([&] { check(tiles::wgmma_copies::start(kernel, g, 1, nullptr)); });
    const float one = 1, zero = 0;
    const float theirs = median([&] {
        cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, static_cast<int>(n), static_cast<int>(m), static_cast<int>(k),
                     &one, b, CUDA_R_16BF, static_cast<int>(k), a, CUDA_R_16BF, static_cast<int>(k), &zero, expected,
                     CUDA_R_16BF, static_cast<int>(n), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    });
    check(cudaGetLastError());
    std::vector<Element> x(m * n), y(m * n);
    check(cudaMemcpy(x.data(), c, m * n * 2, cudaMemcpyDeviceToHost));
    check(cudaMemcpy(y.data(), expected, m * n * 2, cudaMemcpyDeviceToHost));
    double off = 0, norm = 0;
    for (int64_t i = 0; i < m * n; ++i) {
        const double p = __bfloat162float(x[i]), q = __bfloat162float(y[i]);
        off += (p - q) * (p - q), norm += q * q;
    }
    const double flop = 2.0 * m * n * k;
    std::printf("%lldx%lldx%lld ours %.3f ms %.0f TFLOP/s, cuBLAS %.3f ms %.0f TFLOP/s, ratio %.2f, apart %.1e\n",
                static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k), ours,
                flop / ours * 1e-9, theirs, flop / theirs * 1e-9, theirs / ours, std::sqrt(off / norm));
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(expected);
}

}  // namespace

int main() {
    cublasHandle_t handle;
    cublasCreate(&handle);
    measure(handle, 1024, 1024, 1024);
    measure(handle, 2048, 2048, 2048);
    measure(handle, 4096, 4096, 4096);
    measure(handle, 8192, 8192, 8192);
    measure(handle, 4000, 4100, 4104);
    return 0;
}
