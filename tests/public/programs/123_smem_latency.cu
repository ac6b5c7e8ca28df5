// Like BBuf/how-to-optim-algorithm-in-cuda cuda-mode/code/YHs_Sample/cuda/microbenchmark/smem_latency.cu
#include <cstdint>
#include <cstdio>
const int ROUND = 20;
__global__ __launch_bounds__(16, 1) void latency(const uint32_t* addr, uint32_t* ret, uint32_t* clk) {
    __shared__ uint32_t smem[16];
    smem[threadIdx.x] = addr[threadIdx.x];
    uint32_t start, stop, at, base;
    asm volatile("{.reg .u64 u64addr;\n cvta.to.shared.u64 u64addr, %1;\n cvt.u32.u64 %0, u64addr;}\n"
                 : "=r"(base)
                 : "l"(smem));
    at = base + threadIdx.x * 4;
    asm volatile("bar.sync 0;\nmov.u32 %0, %%clock;\n" : "=r"(start) : : "memory");
#pragma unroll
    for (int i = 0; i < ROUND; ++i) {
        asm volatile("ld.shared.b32 %0, [%0];\n" : "+r"(at) : : "memory");
        at += base;
    }
    asm volatile("bar.sync 0;\nmov.u32 %0, %%clock;\n" : "=r"(stop) : : "memory");
    clk[threadIdx.x] = stop - start;
    ret[threadIdx.x] = at - base;
}
int main() {
    uint32_t *h, *d_addr, *d_ret, *d_clk, clk[16], ret[16];
    cudaMallocHost(&h, 16 * sizeof(uint32_t));
    for (int i = 0; i < 16; ++i) h[i] = (i + 1) % 16 * sizeof(uint32_t);
    cudaMalloc(&d_addr, sizeof ret);
    cudaMalloc(&d_ret, sizeof ret);
    cudaMalloc(&d_clk, sizeof clk);
    cudaMemcpy(d_addr, h, sizeof ret, cudaMemcpyHostToDevice);
    latency<<<1, 16>>>(d_addr, d_ret, d_clk);
    cudaMemcpy(clk, d_clk, sizeof clk, cudaMemcpyDeviceToHost);
    cudaMemcpy(ret, d_ret, sizeof ret, cudaMemcpyDeviceToHost);
    bool ok = clk[0] > 0;
    for (int i = 0; i < 16; i++) ok = ok && ret[i] == (i + ROUND) % 16 * 4;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_addr);
    cudaFree(d_ret);
    cudaFree(d_clk);
    cudaFreeHost(h);
    return !ok;
}
