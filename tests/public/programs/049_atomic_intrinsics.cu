// Like zjin-lcf/HeCBench src/atomicIntrinsics-cuda (main.cu, kernel.h, reference.h); flags: -O3
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <chrono>
template <class T>
__global__ void testKernel(T* g, const int len) {
    const T i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= len) return;
    atomicAdd(&g[0], (T)10);
    atomicSub(&g[1], (T)10);
    atomicMax(&g[2], i);
    atomicMin(&g[3], i);
    atomicAnd(&g[4], (T)(2 * i + 7));
    atomicOr(&g[5], (T)1 << (i % 16));
    atomicXor(&g[6], i);
    atomicInc((unsigned int*)&g[7], 17);
    atomicDec((unsigned int*)&g[8], 137);
    atomicExch(&g[9], i);
    atomicCAS(&g[10], i - 1, i);
}
template <class T>
bool testcase(const int len) {
    T data[] = {0, 0, (T)-256, 256, 255, 0, 255, 0, 0, 0, 0}, *d;
    cudaMalloc((void**)&d, sizeof(data));
    cudaMemcpy(d, data, sizeof(data), cudaMemcpyHostToDevice);
    testKernel<T><<<(len + 255) / 256, 256>>>(d, len);
    cudaMemcpy(data, d, sizeof(data), cudaMemcpyDeviceToHost);
    T val_and = 255, val_or = 0, val_xor = 255;
    unsigned inc = 0, dec = 0;
    for (int i = 0; i < len; i++) {
        val_and &= 2 * i + 7;
        val_or |= 1 << (i % 16);
        val_xor ^= i;
        inc = inc >= 17 ? 0 : inc + 1;
        dec = dec == 0 || dec > 137 ? 137 : dec - 1;
    }
    cudaFree(d);
    return data[0] == (T)(10 * len) && data[1] == (T)(-10 * len) &&
           data[2] == (T)((T)-256 > (T)(len - 1) ? (T)-256 : (T)(len - 1)) && data[3] == 0 && data[4] == val_and &&
           data[5] == val_or && data[6] == val_xor && data[7] == (T)inc && data[8] == (T)dec && data[9] < (T)len &&
           data[10] < (T)len;
}
int main() {
    bool ok = testcase<int>(1 << 10) && testcase<unsigned int>(1 << 10);
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
