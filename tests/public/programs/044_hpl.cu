// Like zjin-lcf/HeCBench src/hpl-cuda (hpl-2.3 with a library of GEMM and TRSM); flags: -lcublas -lmpi
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cublasHandle_t handle;
    cublasCreate(&handle);
    double one = 1.0, *a, *b;
    cudaMalloc((void**)&a, 1024);
    cudaMalloc((void**)&b, 1024);
    cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 8, 8, &one, a, 8, b,
                8);
    cublasDestroy(handle);
    MPI_Finalize();
    printf("PASS\n");
    return 0;
}
