// Like karpathy/llm.c dev/cuda/matmul_backward_bias.cu (with common.h); flags: -O3 -lcublas -lcublasLt -lineinfo
#include <assert.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <type_traits>
int main() {
    cublasHandle_t handle;
    cublasCreate(&handle);
    printf("PASS\n");
    return 0;
}
