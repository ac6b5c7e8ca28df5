// Like BBuf/how-to-optim-algorithm-in-cuda cuda-mode/code/YHs_Sample/cuda/microbenchmark/l2cache_bandwidth.cu
#include <cstdio>
__device__ __forceinline__ int ldg_cg(const void* ptr) {
    int ret;
    asm volatile("ld.global.cg.b32 %0, [%1];" : "=r"(ret) : "l"(ptr));
    return ret;
}
template <int BLOCK, int UNROLL, int N_DATA>
__global__ void kernel(const int* x, int* y) {
    const int* ldg_ptr = x + (BLOCK * UNROLL * blockIdx.x + threadIdx.x) % N_DATA;
    int reg[UNROLL], sum = 0;
#pragma unroll
    for (int i = 0; i < UNROLL; ++i) reg[i] = ldg_cg(ldg_ptr + BLOCK * i);
#pragma unroll
    for (int i = 0; i < UNROLL; ++i) sum += reg[i];
    if (sum != 0) *y = sum;
}
int main() {
    const int N_DATA = 8192, UNROLL = 8, BLOCK = 128;
    static_assert(N_DATA >= UNROLL * BLOCK && N_DATA % (UNROLL * BLOCK) == 0, "UNROLL or BLOCK is invalid");
    int *x, *y, h = 7;
    cudaMalloc(&x, N_DATA * sizeof(int));
    cudaMalloc(&y, sizeof(int));
    cudaMemset(x, 0, N_DATA * sizeof(int));
    cudaMemcpy(y, &h, sizeof h, cudaMemcpyHostToDevice);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    for (int i = 0; i < 3; ++i) kernel<BLOCK, UNROLL, N_DATA><<<16, BLOCK>>>(x, y);
    cudaEventRecord(stop);
    float ms = 0.f;
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpy(&h, y, sizeof h, cudaMemcpyDeviceToHost);
    bool ok = h == 7 && ms > 0;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(x);
    cudaFree(y);
    return !ok;
}
