// Like karpathy/llm.c dev/cuda/gelu_forward.cu (with common.h); flags: -O3 --use_fast_math -lcublas
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main() {
    cublasLtHandle_t handle;
    cublasLtCreate(&handle);
    printf("PASS\n");
    return 0;
}
