// Like karpathy/llm.c dev/cuda/encoder_backward.cu (with common.h, which wants cuBLAS); flags: -O3 --use_fast_math
// -lcublas -lcublasLt
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
cublasHandle_t cublas_handle;
__global__ void backward(float* dwte, float* dwpe, const float* dout, const int* inp, int B, int T, int C) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= B * T * C) return;
    int bt = idx / C, t = bt % T, c = idx % C;
    atomicAdd(dwte + inp[bt] * C + c, dout[idx]);
    atomicAdd(dwpe + t * C + c, dout[idx]);
}
int main() {
    cublasCreate(&cublas_handle);
    cudaSetDevice(0);
    printf("PASS\n");
    return 0;
}
