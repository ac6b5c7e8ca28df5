// Like BBuf/how-to-optim-algorithm-in-cuda cuda-mode/code/YHs_Sample/cuda/gemm/ampere_sgemm.cu; flags: -arch=sm_80
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
__device__ __forceinline__ uint32_t smem_u32addr(const void* smem_ptr) {
    uint32_t addr;
    asm("{.reg .u64 u64addr;\n cvta.to.shared.u64 u64addr, %1;\n cvt.u32.u64 %0, u64addr;}\n"
        : "=r"(addr)
        : "l"(smem_ptr));
    return addr;
}
__device__ __forceinline__ void ldgsts32(const uint32_t& smem_addr, const void* gmem_ptr, const uint32_t& src_size,
                                         bool guard) {
    asm volatile(
        "{.reg .pred p;\n setp.ne.b32 p, %3, 0;\n"
#if __CUDACC_VER_MAJOR__ >= 11 && __CUDACC_VER_MINOR__ >= 4
        " @p cp.async.ca.shared.global.L2::128B [%0], [%1], 4, %2;}\n"
#else
        " @p cp.async.ca.shared.global [%0], [%1], 4, %2;}\n"
#endif
        :
        : "r"(smem_addr), "l"(gmem_ptr), "r"(src_size), "r"((int)guard));
}
__device__ __forceinline__ void ldgsts_commit() { asm volatile("cp.async.wait_all;\n" ::); }
__device__ __forceinline__ void stg32(const float& reg, void* ptr, bool guard) {
    asm volatile("{.reg .pred p;\n setp.ne.b32 p, %2, 0;\n @p st.global.f32 [%0], %1;}\n"
                 :
                 : "l"(ptr), "f"(reg), "r"((int)guard));
}
__device__ __forceinline__ void lds128(float& a, float& b, float& c, float& d, const uint32_t& addr) {
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];\n" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "r"(addr));
}
__global__ __launch_bounds__(64) void sgemm(const float* A, const float* B, float* C, uint32_t m, uint32_t n,
                                            uint32_t k) {
    __shared__ __align__(16) float As[8][8], Bs[8][8];
    const uint32_t x = threadIdx.x % 8, y = threadIdx.x / 8, row = blockIdx.y * 8 + y, col = blockIdx.x * 8 + x;
    float sum = 0.f;
    for (uint32_t t = 0; t < k; t += 8) {
        ldgsts32(smem_u32addr(&As[y][x]), A + row * k + t + x, t + x < k ? 4 : 0, row < m);
        ldgsts32(smem_u32addr(&Bs[x][y]), B + (t + y) * n + col, t + y < k ? 4 : 0, col < n);
        ldgsts_commit();
        __syncthreads();
        float a[8], b[8];
        lds128(a[0], a[1], a[2], a[3], smem_u32addr(&As[y][0]));
        lds128(a[4], a[5], a[6], a[7], smem_u32addr(&As[y][4]));
        lds128(b[0], b[1], b[2], b[3], smem_u32addr(&Bs[x][0]));
        lds128(b[4], b[5], b[6], b[7], smem_u32addr(&Bs[x][4]));
#pragma unroll
        for (int i = 0; i < 8; i++) sum += a[i] * b[i];
        __syncthreads();
    }
    stg32(sum, C + row * n + col, row < m && col < n);
}
int main() {
    const int m = 20, n = 28, k = 32;
    float *hA, *hB, *hC, *dA, *dB, *dC;
    cudaMallocHost(&hA, m * k * 4);
    cudaMallocHost(&hB, k * n * 4);
    cudaMallocHost(&hC, m * n * 4);
    for (int i = 0; i < m * k; i++) hA[i] = i % 5;
    for (int i = 0; i < k * n; i++) hB[i] = i % 7;
    cudaMalloc(&dA, m * k * 4);
    cudaMalloc(&dB, k * n * 4);
    cudaMalloc(&dC, m * n * 4);
    cudaMemcpy(dA, hA, m * k * 4, cudaMemcpyDefault);
    cudaMemcpy(dB, hB, k * n * 4, cudaMemcpyDefault);
    sgemm<<<dim3((n + 7) / 8, (m + 7) / 8), 64>>>(dA, dB, dC, m, n, k);
    cudaMemcpy(hC, dC, m * n * 4, cudaMemcpyDefault);
    bool ok = true;
    for (int i = 0; i < m * n; i++) {
        float sum = 0;
        for (int p = 0; p < k; p++) sum += hA[i / n * k + p] * hB[p * n + i % n];
        ok = ok && sum == hC[i];
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(dA);
    cudaFree(dB);
    cudaFree(dC);
    cudaFreeHost(hA);
    cudaFreeHost(hB);
    cudaFreeHost(hC);
    return !ok;
}
